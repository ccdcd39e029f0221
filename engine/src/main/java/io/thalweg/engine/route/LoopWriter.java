// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.route;

import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.chain.LoopPart;
import io.thalweg.engine.queue.Ring;

/** Sends within a loop: counts records, watermarks and barriers before they can be taken. */
class LoopWriter extends QueueWriter {
    private final LoopPart part;

    LoopWriter(Frame frame, Ring ring, LoopPart part) {
        super(frame, ring);
        this.part = part;
    }

    @Override
    void send(Object value) {
        part.send();
        super.send(value);
    }

    @Override
    void watermark(long watermark) {
        if (open()) {
            part.send();
        }
        super.watermark(watermark);
    }

    @Override
    void barrier(long checkpoint) {
        part.sendBarrier();
        super.barrier(checkpoint);
    }

    @Override
    void publish() {
        part.count();
        super.publish();
    }
}
