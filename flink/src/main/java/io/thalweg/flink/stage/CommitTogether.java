// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.stage;

import java.util.BitSet;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.operators.coordination.OperatorCoordinator;
import org.apache.flink.runtime.operators.coordination.OperatorEvent;

/**
 * Lets the tasks of a sink commit once all of them are prepared, in a job without checkpoints. On the JobManager, whose main thread
 * calls it.
 */
final class CommitTogether implements OperatorCoordinator {
    /** A task is prepared. */
    record Prepared() implements OperatorEvent {}

    /** All tasks are. */
    record MayCommit() implements OperatorEvent {}

    /** Makes the coordinator. */
    record Provider(OperatorID getOperatorId) implements OperatorCoordinator.Provider {
        @Override
        public OperatorCoordinator create(Context context) {
            return new CommitTogether(context);
        }
    }

    private final Context context;
    private final Map<Integer, SubtaskGateway> tasks = new TreeMap<>();
    private final BitSet prepared = new BitSet();

    private CommitTogether(Context context) {
        this.context = context;
    }

    @Override
    public void executionAttemptReady(int subtask, int attempt, SubtaskGateway gateway) {
        tasks.put(subtask, gateway);
    }

    @Override
    public void executionAttemptFailed(int subtask, int attempt, Throwable reason) {
        tasks.remove(subtask);
        prepared.clear(subtask);
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // if an event is lost, Flink fails the task
    public void handleEventFromOperator(int subtask, int attempt, OperatorEvent event) {
        prepared.set(subtask);
        if (prepared.cardinality() == context.currentParallelism()) {
            tasks.values().forEach(task -> task.sendEvent(new MayCommit()));
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
}
