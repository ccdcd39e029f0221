// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

import io.thalweg.api.stats.StateStats;
import io.thalweg.engine.checkpoint.Restored;
import io.thalweg.engine.checkpoint.TaskState;
import org.jspecify.annotations.Nullable;

/**
 * The life cycle of an operator in a chain: opening, watermarks, end of input, checkpoints; records take {@link Receiver}.
 * A stage that has much to emit asks {@link Frame#pauses} between two records, and continues in the next call.
 */
public interface Stage {
    String operator();

    default void open() throws Exception {}

    /** Continues to emit the output of an earlier record; keeps the rest if the frame is blocked again. */
    default void resume() throws Exception {}

    /** The job was cancelled, and its time is over: drops what {@link #resume} would emit; returns how many records it was made of. */
    default int drop() {
        return 0;
    }

    /** Advances the watermark; false if more is to be emitted once there is room. */
    default boolean advance(long watermark) throws Exception {
        return true;
    }

    /** In a loop, {@code advance(Long.MAX_VALUE)} was for one round, and records may come again: without event time, time has not begun. */
    default void endRound() {}

    /** When {@link #onClock} is due, in epoch milliseconds; {@link Long#MAX_VALUE} if never. */
    default long dueMs() {
        return Long.MAX_VALUE;
    }

    /** Processing time has reached {@link #dueMs}. If the frame gets blocked, the next call does the rest. */
    default void onClock(long epochMs) throws Exception {}

    /** The input has ended, and {@code advance(Long.MAX_VALUE)} is done; false if more is to be emitted. */
    default boolean finish() throws Exception {
        return true;
    }

    /** Restores the state. Called after {@link #open}, if the job continues from a checkpoint. */
    default void restore(Restored from) throws Exception {}

    /**
     * Brings what it has written outside back to where it was at the checkpoint. Called when all tasks have opened: what
     * does not fit is found before anything is changed.
     */
    default void restoreOutput(Restored from) throws Exception {}

    /** Saves, at a barrier, the state that {@link #restore} reads. No output is waiting for room then. */
    default void save(TaskState to) throws Exception {}

    /** Like {@link #save}, after the stage has finished and has nothing more to emit. */
    default void saveFinished(TaskState to) throws Exception {}

    /** All checkpoints up to this one are complete. */
    default void onCheckpoint(long completed) throws Exception {}

    /** Nothing more comes: does what may fail of {@link #commit}, before any task commits. */
    default void prepare(boolean cancelled) throws Exception {}

    /** Commits what was written: the whole job has ended without a failure, or was cancelled. */
    default void commit(boolean cancelled) throws Exception {}

    default long windowsOpen() {
        return 0;
    }

    /** The size of the stage's state; null if it has none. Cheap: an estimate from a few keys. */
    default @Nullable StateStats stateStats() {
        return null;
    }

    default void close() throws Exception {}
}
