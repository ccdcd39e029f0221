// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

import io.thalweg.api.codec.ByteWriter;
import io.thalweg.engine.checkpoint.TaskState;
import io.thalweg.engine.queue.Batch;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a checkpoint holds of the streams that lead back to a task. The task does not wait for their barriers when it saves its state. So
 * what arrives on one of them from then on, before its barrier, belongs to the checkpoint: it was sent before its sender saved, and was
 * not taken before its receiver did. A barrier may also be there first, and what follows it must wait for the task to save. Independent
 * of queues and threads.
 */
final class LoopLog {
    /** A task's state at a barrier, which is handed over when the barrier has come round on all streams. */
    record Saved(TaskState state, long heldNs, long pausedNs) {}

    private final List<FeedbackSnapshot> streams;
    private final int task;

    /** For each input the last checkpoint whose barrier has arrived. */
    private final long[] arrived;

    /** For each input how much of its current batch is in the log. */
    private final int[] logged;

    private final Map<FeedbackSnapshot, ByteWriter> records = new LinkedHashMap<>();

    /** No input waits for barriers up to this one: the task has saved, or the checkpoint was aborted. */
    private long passed;

    private @Nullable Saved open;

    /**
     * @param streams that each of the inputs belongs to
     * @param task its number
     */
    LoopLog(List<FeedbackSnapshot> streams, int task) {
        this.streams = streams;
        this.task = task;
        arrived = new long[streams.size()];
        logged = new int[streams.size()];
    }

    /** True while the state of a checkpoint waits for what is on its way back. */
    boolean isOpen() {
        return open != null;
    }

    /** True if the barrier of an input has come before those from outside: nothing more of it may be taken. */
    boolean holds(int input) {
        return arrived[input] > passed;
    }

    /** True if some input waits for the barriers from outside. */
    boolean holdsSome() {
        boolean some = false;
        for (int input = 0; input < arrived.length; input++) {
            some |= holds(input);
        }
        return some;
    }

    /** The task has saved its state at a barrier. */
    void begin(Saved saved) {
        passed = Math.max(passed, saved.state.checkpoint());
        open = saved;
        records.clear();
        for (int input = 0; input < logged.length; input++) {
            logged[input] = 0;
        }
    }

    /** Checkpoints up to this one were aborted. */
    void abandon(long checkpoint) {
        passed = Math.max(passed, checkpoint);
        if (open != null && open.state.checkpoint() <= checkpoint) {
            close();
        }
    }

    private void close() {
        open = null;
        records.clear();
    }

    /** A batch is about to be taken from an input, from an index on; a part of it may be left for later. */
    void onBatch(int input, Batch batch, int from) {
        Saved waiting = open;
        if (waiting == null || arrived[input] >= waiting.state.checkpoint()) {
            return;
        }
        int next = Math.max(from, logged[input]);
        if (next < batch.size) {
            FeedbackSnapshot stream = streams.get(input);
            stream.write(batch, next, records.computeIfAbsent(stream, this::begun));
            logged[input] = batch.size;
        }
    }

    private ByteWriter begun(FeedbackSnapshot stream) {
        ByteWriter out = new ByteWriter(1024);
        stream.write(task, out);
        return out;
    }

    /** All of the input's current batch was taken. */
    void onBatchEnd(int input) {
        logged[input] = 0;
    }

    void onBarrier(int input, long checkpoint) {
        arrived[input] = Math.max(arrived[input], checkpoint);
    }

    /** The state with the records that were on their way, if the barrier has come round on all streams; otherwise null. */
    @Nullable Saved complete() {
        Saved waiting = open;
        if (waiting == null) {
            return null;
        }
        for (long checkpoint : arrived) {
            if (checkpoint < waiting.state.checkpoint()) {
                return null;
            }
        }
        records.forEach((stream, written) ->
                waiting.state.whole(stream.name(), stream.format()).append(written.array(), 0, written.size()));
        close();
        return waiting;
    }
}
