// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.stage;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sink;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.operators.coordination.OperatorCoordinator;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.CoordinatedOperatorFactory;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;

/** Makes a sink of a job without checkpoints, and its coordinator, which has its tasks commit together. */
public final class SinkFactory extends AbstractStreamOperatorFactory<Object>
        implements OneInputStreamOperatorFactory<Object, Object>, CoordinatedOperatorFactory<Object> {
    private static final long serialVersionUID = 1L;

    private final StageSettings settings;
    private final Sink<Object> sink;
    private final Type<Object> type;

    public SinkFactory(StageSettings settings, Sink<Object> sink, Type<Object> type) {
        this.settings = settings;
        this.sink = sink;
        this.type = type;
    }

    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // Flink's own factories do the same
    public <T extends StreamOperator<Object>> T createStreamOperator(StreamOperatorParameters<Object> parameters) {
        OperatorID id = parameters.getStreamConfig().getOperatorID();
        SinkStage made = new SinkStage(settings, sink, type);
        made.coordinated(parameters.getOperatorEventDispatcher().getOperatorEventGateway(id));
        parameters.getOperatorEventDispatcher().registerEventHandler(id, made);
        made.setProcessingTimeService(processingTimeService);
        made.setup(parameters.getContainingTask(), parameters.getStreamConfig(), parameters.getOutput());
        return (T) made;
    }

    @Override
    public OperatorCoordinator.Provider getCoordinatorProvider(String name, OperatorID id) {
        return new CommitTogether.Provider(id);
    }

    @Override
    @SuppressWarnings("rawtypes") // as Flink declares it
    public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader loader) {
        return SinkStage.class;
    }
}
