// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.route;

import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.chain.LoopPart;
import io.thalweg.engine.queue.Ring;

/**
 * Sends along an edge that leads back. Never waits for room, for which the loop might be waiting, too: it keeps what the queue does not
 * take, up to a limit.
 */
final class FeedbackWriter extends LoopWriter {
    private final Frame frame;
    private final LoopPart part;
    private final String operator;

    /** How many of the records that wait the loop knows of. */
    private int known;

    /** @param operator that leads back, for messages */
    FeedbackWriter(Frame frame, Ring ring, LoopPart part, String operator) {
        super(frame, ring, part);
        this.frame = frame;
        this.part = part;
        this.operator = operator;
    }

    @Override
    void send(Object value) {
        if (part.loop().ended()) {
            part.tooLate(operator);
            return;
        }
        super.send(value);
        tell();
    }

    private void tell() {
        if (waiting() != known) {
            part.loop().keep((long) waiting() - known);
            known = waiting();
            frame.blocked |= part.loop().overfull(); // the next turn fails
        }
    }

    @Override
    void onFull() {}

    @Override
    boolean makeRoom() {
        super.makeRoom();
        tell();
        return true;
    }

    @Override
    void flush(boolean all) {
        makeRoom();
        super.flush(all);
    }

    @Override
    void watermark(long watermark) {}

    @Override
    void barrier(long checkpoint) {
        part.sendBarrier();
        barrierBehind(checkpoint);
        tell();
    }

    @Override
    void end(boolean cancelled) {}
}
