// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.stage;

import io.thalweg.api.graph.Limit;
import io.thalweg.flink.source.LimitReached;
import java.util.List;
import java.util.Set;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.runtime.operators.coordination.OperatorEventGateway;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.graph.StreamConfig;
import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.tasks.StreamTask;
import org.jspecify.annotations.Nullable;

/** Passes a limited number of records, and then notifies its coordinator. */
final class LimitStage extends OneInput {
    private static final long serialVersionUID = 1L;

    private final long most;
    private final int node;
    private final transient OperatorEventGateway gateway;
    private transient @Nullable ListState<Long> passedKept;
    private transient long passed;

    /** @param node the limit's number in the graph */
    LimitStage(StageSettings settings, Limit spec, int node, OperatorEventGateway gateway) {
        super(settings);
        most = spec.records();
        this.node = node;
        this.gateway = gateway;
    }

    /** For the factory. */
    @Override
    protected void setup(StreamTask<?, ?> containingTask, StreamConfig config, Output<StreamRecord<Object>> output) {
        super.setup(containingTask, config, output);
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        if (settings.checkpoints()) {
            passedKept = counts(context, "passed " + most);
            passed = sum(passedKept);
        }
    }

    @Override
    void begin() throws Exception {
        tellIfReached();
    }

    @Override
    Set<String> states() {
        return Set.of("limit of " + most);
    }

    private void tellIfReached() {
        if (passed >= most) {
            gateway.sendEventToCoordinator(new LimitReached(node));
        }
    }

    @Override
    void accept(Object value) {
        if (passed < most) {
            passed++;
            emit(value);
            tellIfReached();
        }
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        if (passedKept != null) {
            passedKept.update(List.of(passed));
        }
    }
}
