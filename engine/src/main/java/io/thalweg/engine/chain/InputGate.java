// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

import io.thalweg.engine.queue.Batch;
import java.util.Arrays;

/**
 * The state of a task's inputs: their watermarks, which are idle or have ended, and which are blocked at a barrier
 * until it has arrived on the others (alignment). Independent of queues, threads and clocks.
 */
final class InputGate {
    private final long[] watermarks;
    private final boolean[] idle;

    /** Which have been idle: time may have gone on without them. */
    private final boolean[] wasIdle;

    private final boolean[] ended;

    /** For each input the checkpoint whose barrier blocks it; 0 if none does. */
    private final long[] barriers;

    private int open;
    private boolean cancelled;

    /** Barriers before this one belong to aborted checkpoints. */
    private long latest;

    private long heldSinceNs;

    InputGate(int inputs) {
        watermarks = new long[inputs];
        Arrays.fill(watermarks, Batch.NO_WATERMARK);
        idle = new boolean[inputs];
        wasIdle = new boolean[inputs];
        ended = new boolean[inputs];
        barriers = new long[inputs];
        open = inputs;
    }

    /** Records have arrived on an input, so it is no longer idle. */
    void onRecords(int input) {
        idle[input] = false;
    }

    /** A watermark has arrived, or {@link Batch#IDLE}: the input is ignored until records or a watermark arrive. */
    void onWatermark(int input, long watermark) {
        idle[input] = watermark == Batch.IDLE;
        wasIdle[input] |= idle[input];
        if (watermark != Batch.IDLE) {
            watermarks[input] = watermark;
        }
    }

    /**
     * True if time has gone on without this input, which was idle: what comes of it is not before the watermark of the task.
     *
     * @param passed the watermark that has passed through the task
     */
    boolean behind(int input, long passed) {
        return wasIdle[input] && watermarks[input] < passed;
    }

    /** A barrier has arrived. Returns the checkpoint if it has now arrived on all inputs; otherwise 0. */
    long onBarrier(int input, long checkpoint, long nowNs) {
        if (checkpoint < latest) {
            return 0; // another checkpoint has begun since, so this one was aborted
        }
        abandon(checkpoint - 1); // as above
        if (!someHeld()) {
            heldSinceNs = nowNs;
        }
        barriers[input] = checkpoint;
        return align();
    }

    /** The input has ended. Returns the checkpoint if only this input was missing; otherwise 0. */
    long onEnd(int input, boolean because) {
        ended[input] = true;
        cancelled |= because;
        open--;
        return align();
    }

    /** An input that has ended does not block alignment. */
    private long align() {
        long aligned = 0;
        for (int i = 0; i < barriers.length; i++) {
            if (!ended[i] && barriers[i] == 0) {
                return 0;
            }
            aligned = Math.max(aligned, barriers[i]);
        }
        Arrays.fill(barriers, 0);
        return aligned;
    }

    /** Checkpoints up to this one were aborted: unblocks inputs that wait for their barriers. */
    void abandon(long checkpoint) {
        if (checkpoint < latest) {
            return;
        }
        latest = checkpoint + 1;
        for (int i = 0; i < barriers.length; i++) {
            barriers[i] = barriers[i] < latest ? 0 : barriers[i];
        }
    }

    /** True if some input has brought a barrier that others have not. */
    boolean someHeld() {
        for (long barrier : barriers) {
            if (barrier != 0) {
                return true;
            }
        }
        return false;
    }

    /** When the last alignment began. */
    long heldSinceNs() {
        return heldSinceNs;
    }

    /** True if the input is blocked by alignment. */
    boolean holds(int input) {
        return barriers[input] != 0;
    }

    boolean ended(int input) {
        return ended[input];
    }

    /** True if all inputs have ended. */
    boolean over() {
        return open == 0;
    }

    /** True if an input ended because the job was cancelled. */
    boolean cancelled() {
        return cancelled;
    }

    /**
     * The least watermark of all open inputs; {@link Batch#IDLE} if all of them are idle, {@link Long#MAX_VALUE} if
     * none is open.
     *
     * @param passed the watermark that has passed through the task
     */
    long watermark(long passed) {
        if (cancelled) {
            return passed; // the rest of a cancelled input is missing, so time must not advance
        }
        long least = Long.MAX_VALUE;
        boolean someIdle = false;
        for (int i = 0; i < watermarks.length; i++) {
            if (!ended[i] && idle[i]) {
                someIdle = true;
            } else if (!ended[i]) {
                least = Math.min(least, watermarks[i]);
            }
        }
        return least == Long.MAX_VALUE && someIdle ? Batch.IDLE : least;
    }
}
