// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

import io.thalweg.engine.queue.Batch;
import java.util.function.Predicate;

/**
 * Drives what passes through the stages of a task besides records: output that waits for room, the watermark, the end
 * of input. Each is a cursor that stops when an output is full, or the turn has lasted too long, and continues in a later turn.
 */
final class StageFlow {
    private final Frame frame;
    private final Stages stages;
    private final Outputs outputs;

    /** The watermark that is passing through the stages, and the stage that it has reached; -1 if none is. */
    private long advancingTo;

    private int advancingAt = -1;

    /** The stage that the end of time has reached. */
    private int endingAt;

    private boolean finishing;

    /** The last watermark sent was {@link Batch#IDLE}. */
    private boolean idleSent;

    StageFlow(Frame frame, Stages stages, Outputs outputs) {
        this.frame = frame;
        this.stages = stages;
        this.outputs = outputs;
    }

    /** Sends what waits; false if an output still has no room, or the turn has lasted too long. */
    boolean makeRoom() throws Exception {
        while (frame.blocked) {
            if (frame.turn.isOver() || !outputs.makeRoom()) {
                return false;
            }
            frame.blocked = false;
            for (int i = stages.count() - 1; i >= 0 && !frame.blocked; i--) {
                stages.get(i).resume();
            }
            stages.settle(); // what an earlier stage has handed to a later one
        }
        return true;
    }

    /** Sends the current watermark downstream, if there is one, without waiting for it to advance. */
    void sendWatermark() {
        if (frame.watermark > Batch.IDLE) {
            outputs.watermark(frame.watermark);
        }
    }

    /** Like {@link #sendWatermark}, if this task was reported as idle: records are to follow. */
    void takeBackIdle() {
        if (idleSent && frame.watermark > Batch.IDLE) {
            idleSent = false;
            outputs.watermark(frame.watermark);
        }
    }

    /** Begins to advance to the watermark of the inputs, which may be {@link Batch#IDLE}; {@link #advance} must follow. */
    void begin(long watermark) {
        if (watermark == Batch.IDLE) {
            idleSent = true;
            outputs.watermark(watermark);
        } else if (watermark != Long.MAX_VALUE) {
            takeBackIdle();
            if (watermark > frame.watermark) {
                advancingTo = watermark;
                advancingAt = 0;
            }
        }
    }

    /**
     * Like {@link #begin}, before a barrier: windows opened behind the watermark fire now, so that the saved watermark
     * is exact.
     */
    void beginAtBarrier(long watermark) {
        begin(watermark);
        if (advancingAt < 0 && frame.watermark > Batch.IDLE) {
            advancingTo = frame.watermark;
            advancingAt = 0;
        }
    }

    /** True if a watermark is passing through the stages. */
    boolean advancing() {
        return advancingAt >= 0;
    }

    /** Advances the stages one after the other; false if an output is full. */
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

    /** What is passing through the stages goes no further. */
    void abandon() {
        advancingAt = -1;
    }

    /**
     * Advances stages to the end of time for a round, which no output is told; false if it must be called again.
     *
     * @param which by the names of their operators
     */
    boolean advanceToEnd(Predicate<String> which) throws Exception {
        while (endingAt < stages.count()) {
            if (frame.blocked && !makeRoom()) {
                return false;
            }
            Stage stage = stages.get(endingAt);
            if (!which.test(stage.operator()) || stage.advance(Long.MAX_VALUE)) {
                stage.endRound();
                endingAt++;
            }
        }
        endingAt = 0;
        return true;
    }

    /** The input has ended: replaces a watermark that is passing through. */
    void beginFinish() {
        advancingAt = 0;
        finishing = false;
    }

    /** Advances each stage to the end of time and finishes it, one after the other; false if an output is full. */
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
            } else if (!frame.blocked) {
                return false; // it waits for something else
            }
        }
        return true;
    }
}
