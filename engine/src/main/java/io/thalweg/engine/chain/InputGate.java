// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

import io.thalweg.engine.queue.Batch;
import java.util.Arrays;

/**
 * What has come on the inputs of a task: how far their time is, which of them are idle or have ended, and which stand at a
 * barrier while others are behind it (alignment). Knows nothing of queues, threads and clocks.
 */
final class InputGate {
    private final long[] watermarks;
    private final boolean[] idle;
    private final boolean[] ended;

    /** The checkpoint at whose barrier each input stands; 0 if it stands at none. */
    private final long[] barriers;

    private int open;
    private boolean cancelled;

    /** Barriers before this one belong to checkpoints that were given up. */
    private long latest;

    private long heldSinceNs;

    InputGate(int inputs) {
        watermarks = new long[inputs];
        Arrays.fill(watermarks, Batch.NO_WATERMARK);
        idle = new boolean[inputs];
        ended = new boolean[inputs];
        barriers = new long[inputs];
        open = inputs;
    }

    /** Records have come. */
    void onRecords(int input) {
        idle[input] = false;
    }

    /** A watermark has come, or {@link Batch#IDLE}: the input counts for nothing until it speaks again. */
    void onWatermark(int input, long watermark) {
        idle[input] = watermark == Batch.IDLE;
        if (watermark != Batch.IDLE) {
            watermarks[input] = watermark;
        }
    }

    /** A barrier has come. Returns the checkpoint if this is the last of its barriers, and 0 while others are behind. */
    long onBarrier(int input, long checkpoint, long nowNs) {
        if (checkpoint < latest) {
            return 0; // another checkpoint has begun since, so this one was given up
        }
        abandon(checkpoint - 1); // likewise
        if (!someHeld()) {
            heldSinceNs = nowNs;
        }
        barriers[input] = checkpoint;
        return align();
    }

    /** Nothing more comes on this input. Returns the checkpoint that waited for no other input, or 0. */
    long onEnd(int input, boolean because) {
        ended[input] = true;
        cancelled |= because;
        open--;
        return align();
    }

    /** An input that has ended is behind no barrier. */
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

    /** Checkpoints up to this one were given up: nobody waits for their barriers. */
    void abandon(long checkpoint) {
        if (checkpoint < latest) {
            return;
        }
        latest = checkpoint + 1;
        for (int i = 0; i < barriers.length; i++) {
            barriers[i] = barriers[i] < latest ? 0 : barriers[i];
        }
    }

    private boolean someHeld() {
        for (long barrier : barriers) {
            if (barrier != 0) {
                return true;
            }
        }
        return false;
    }

    /** When the first input came to the barrier that came last. */
    long heldSinceNs() {
        return heldSinceNs;
    }

    /** The input stands at a barrier, and others are behind it. */
    boolean holds(int input) {
        return barriers[input] != 0;
    }

    boolean ended(int input) {
        return ended[input];
    }

    /** Nothing more comes on any input. */
    boolean over() {
        return open == 0;
    }

    /** An input ended because the job was cancelled. */
    boolean cancelled() {
        return cancelled;
    }

    /**
     * How far all inputs have come; {@link Batch#IDLE} if those that are open are idle, {@link Long#MAX_VALUE} if none is open.
     *
     * @param passed that has passed through the task
     */
    long watermark(long passed) {
        if (cancelled) {
            return passed; // what a stopped input did not bring is missing: time goes no further
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
