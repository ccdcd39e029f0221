// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.stage;

import io.thalweg.api.graph.Limit;
import java.util.List;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.operators.coordination.OperatorCoordinator;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.CoordinatedOperatorFactory;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;

/** Makes a limit, and its coordinator, which notifies those of the sources when the limit is reached. */
public final class LimitFactory extends AbstractStreamOperatorFactory<Object>
        implements OneInputStreamOperatorFactory<Object, Object>, CoordinatedOperatorFactory<Object> {
    private static final long serialVersionUID = 1L;

    private final StageSettings settings;
    private final Limit spec;
    private final int node;
    private final List<String> sources;

    /**
     * @param node the limit's number in the graph
     * @param sources ids of the source coordinators
     */
    public LimitFactory(StageSettings settings, Limit spec, int node, List<String> sources) {
        this.settings = settings;
        this.spec = spec;
        this.node = node;
        this.sources = List.copyOf(sources);
    }

    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // Flink's own factories do the same
    public <T extends StreamOperator<Object>> T createStreamOperator(StreamOperatorParameters<Object> parameters) {
        OperatorID id = parameters.getStreamConfig().getOperatorID();
        LimitStage made = new LimitStage(
                settings, spec, node, parameters.getOperatorEventDispatcher().getOperatorEventGateway(id));
        made.setup(parameters.getContainingTask(), parameters.getStreamConfig(), parameters.getOutput());
        return (T) made;
    }

    @Override
    public OperatorCoordinator.Provider getCoordinatorProvider(String name, OperatorID id) {
        return new LimitCoordinator.Provider(id, sources);
    }

    @Override
    @SuppressWarnings("rawtypes") // as Flink declares it
    public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader loader) {
        return LimitStage.class;
    }
}
