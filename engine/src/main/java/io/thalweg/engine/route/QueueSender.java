// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.route;

import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.queue.Ring;
import java.util.List;

/** Sends to tasks in this JVM, through queues. */
public final class QueueSender extends Sender {
    private final QueueWriter[] writers;

    /** @param rings to each downstream task, or to the one of the same number */
    public QueueSender(Frame frame, List<Ring> rings, long watermarkStepMs) {
        super(watermarkStepMs);
        writers = rings.stream().map(ring -> new QueueWriter(frame, ring)).toArray(QueueWriter[]::new);
    }

    @Override
    Target[] targets() {
        return writers;
    }

    @Override
    boolean makeRoom() {
        boolean room = true;
        for (QueueWriter writer : writers) {
            room &= writer.makeRoom();
        }
        return room;
    }

    @Override
    void flush(boolean all) {
        for (QueueWriter writer : writers) {
            writer.flush(all);
        }
    }

    @Override
    void pass(long watermark) {
        for (QueueWriter writer : writers) {
            writer.watermark(watermark);
        }
    }

    @Override
    void barrier(long checkpoint) {
        for (QueueWriter writer : writers) {
            writer.barrier(checkpoint);
        }
    }

    @Override
    void end(boolean cancelled) {
        for (QueueWriter writer : writers) {
            writer.end(cancelled);
        }
    }
}
