// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

import io.thalweg.api.stats.StateStats;
import io.thalweg.engine.checkpoint.Restored;
import io.thalweg.engine.checkpoint.TaskState;
import org.jspecify.annotations.Nullable;

/**
 * An operator in a chain, beside the records: opening, time, ending. A stage that has much to emit stops when
 * {@link Frame#blocked} and goes on when it is asked again.
 */
public interface Stage {
    String operator();

    default void open() throws Exception {}

    /** Goes on emitting what an earlier record gave rise to; keeps the rest if the frame is blocked again. */
    default void resume() throws Exception {}

    /** The watermark has reached {@code watermark}; false if more is to be emitted once there is room. */
    default boolean advance(long watermark) throws Exception {
        return true;
    }

    /** When {@link #onClock} has something to do, in milliseconds since 1970; {@link Long#MAX_VALUE} if it has nothing. */
    default long dueMs() {
        return Long.MAX_VALUE;
    }

    /** The clock of the machine has reached {@link #dueMs}. What is still due when the frame is blocked comes with the next call. */
    default void onClock(long epochMs) throws Exception {}

    /** All input has come, and {@code advance(Long.MAX_VALUE)} is done; false if more is to be emitted. */
    default boolean finish() throws Exception {
        return true;
    }

    /** After {@link #open}, if the job continues from a checkpoint. */
    default void restore(Restored from) throws Exception {}

    /** A barrier has come: hands over what is to be found again by {@link #restore}. Nothing is held back at this moment. */
    default void save(TaskState to) throws Exception {}

    /** As {@link #save}, once the stage has finished and has nothing more to emit. */
    default void saveFinished(TaskState to) throws Exception {}

    /** All that was saved up to this checkpoint is kept for good. */
    default void onCheckpoint(long completed) throws Exception {}

    /** Makes what was written visible: the whole job has come to a good end, or was cancelled. */
    default void commit(boolean cancelled) throws Exception {}

    default long windowsOpen() {
        return 0;
    }

    /** How much the stage keeps; null if it keeps nothing. Costs no more than looking at a few keys. */
    default @Nullable StateStats stateStats() {
        return null;
    }

    default void close() throws Exception {}
}
