// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

import io.thalweg.engine.queue.Batch;

/**
 * What passes through the stages of a task beside records: what waits for room, the watermark, the end. Each is a cursor, which
 * stops when an output is full and goes on in a later turn.
 */
final class StageFlow {
    private final Frame frame;
    private final Stages stages;
    private final Outputs outputs;

    /** The watermark that is passing through the stages, and the stage it has come to; -1 if none is. */
    private long advancingTo;

    private int advancingAt = -1;
    private boolean finishing;

    /** Those behind were told that nothing is to be waited for here. */
    private boolean idleSent;

    StageFlow(Frame frame, Stages stages, Outputs outputs) {
        this.frame = frame;
        this.stages = stages;
        this.outputs = outputs;
    }

    /** Gets rid of what waits; false if an output has no room still. */
    boolean makeRoom() throws Exception {
        while (frame.blocked) {
            if (!outputs.makeRoom()) {
                return false;
            }
            frame.blocked = false;
            for (int i = stages.count() - 1; i >= 0 && !frame.blocked; i--) {
                stages.get(i).resume();
            }
        }
        return true;
    }

    /** Tells those behind where time stands, if it has begun: they must not wait for it to move. */
    void tellWatermark() {
        if (frame.watermark > Batch.IDLE) {
            outputs.watermark(frame.watermark);
        }
    }

    /** As {@link #tellWatermark}, if those behind were told that nothing is to be waited for: records are to come. */
    void takeBackIdle() {
        if (idleSent && frame.watermark > Batch.IDLE) {
            idleSent = false;
            outputs.watermark(frame.watermark);
        }
    }

    /** The inputs have come to this watermark, or are {@link Batch#IDLE}; {@link #advance} follows. */
    void begin(long watermark) {
        if (watermark == Batch.IDLE) {
            idleSent = true;
            outputs.watermark(watermark);
        } else if (watermark > frame.watermark && watermark != Long.MAX_VALUE) {
            advancingTo = watermark;
            advancingAt = 0;
        }
    }

    /** The same before a barrier: what was opened behind the watermark fires now, so that it says what has fired. */
    void beginAtBarrier(long watermark) {
        begin(watermark);
        if (advancingAt < 0 && frame.watermark > Batch.IDLE) {
            advancingTo = frame.watermark;
            advancingAt = 0;
        }
    }

    /** A watermark is on its way through the stages. */
    boolean advancing() {
        return advancingAt >= 0;
    }

    /** Lets time pass through the stages, one after the other; false if it is held up. */
    boolean advance() throws Exception {
        while (advancingAt >= 0) {
            if (frame.blocked && !makeRoom()) {
                return false;
            }
            if (advancingAt == stages.count()) {
                frame.watermark = advancingTo;
                outputs.watermark(advancingTo);
                advancingAt = -1;
            } else if (stages.get(advancingAt).advance(advancingTo)) {
                advancingAt++;
            }
        }
        return true;
    }

    /** All input has come: a watermark that is on its way is not the last. */
    void beginFinish() {
        advancingAt = 0;
        finishing = false;
    }

    /** The end of time, for one stage after the other, each told that its input is over; false if it is held up. */
    boolean finish() throws Exception {
        while (advancingAt < stages.count()) {
            if (frame.blocked && !makeRoom()) {
                return false;
            }
            Stage stage = stages.get(advancingAt);
            if (stages.finishedBefore(advancingAt)) {
                advancingAt++;
            } else if (!finishing) {
                finishing = stage.advance(Long.MAX_VALUE);
            } else if (stage.finish()) {
                finishing = false;
                advancingAt++;
            }
        }
        return true;
    }
}
