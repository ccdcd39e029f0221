// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.stage;

import io.thalweg.flink.source.LimitReached;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.operators.coordination.CoordinatorStore;
import org.apache.flink.runtime.operators.coordination.OperatorCoordinator;
import org.apache.flink.runtime.operators.coordination.OperatorEvent;
import org.apache.flink.runtime.source.event.SourceEventWrapper;

/**
 * Notifies the coordinators of sources that a limit is reached. Coordinators find each other in the job's {@link CoordinatorStore}.
 * Has no state: a limit that is restarted reports again.
 */
record LimitCoordinator(CoordinatorStore coordinators, List<String> sources) implements OperatorCoordinator {
    /** Makes the coordinator on the JobManager. */
    record Provider(OperatorID getOperatorId, List<String> sources) implements OperatorCoordinator.Provider {
        @Override
        public OperatorCoordinator create(Context context) {
            return new LimitCoordinator(context.getCoordinatorStore(), sources);
        }
    }

    @Override
    public void handleEventFromOperator(int subtask, int attempt, OperatorEvent event) throws Exception {
        if (event instanceof LimitReached reached) {
            for (String source : sources) {
                if (coordinators.get(source) instanceof OperatorCoordinator coordinator) {
                    coordinator.handleEventFromOperator(subtask, attempt, new SourceEventWrapper(reached));
                }
            }
        }
    }

    @Override
    public void checkpointCoordinator(long checkpoint, CompletableFuture<byte[]> result) {
        result.complete(new byte[0]);
    }

    @Override
    public void start() {}

    @Override
    public void close() {}

    @Override
    public void notifyCheckpointComplete(long checkpoint) {}

    @Override
    public void resetToCheckpoint(long checkpoint, byte[] state) {}

    @Override
    public void subtaskReset(int subtask, long checkpoint) {}

    @Override
    public void executionAttemptFailed(int subtask, int attempt, Throwable reason) {}

    @Override
    public void executionAttemptReady(int subtask, int attempt, SubtaskGateway gateway) {}
}
