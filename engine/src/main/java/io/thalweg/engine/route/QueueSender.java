// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.route;

import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.chain.LoopPart;
import io.thalweg.engine.queue.Ring;
import java.util.List;
import java.util.function.Function;

/** Sends to tasks in this JVM, through queues. */
public final class QueueSender extends Sender {
    private final QueueWriter[] writers;

    private QueueSender(long watermarkStepMs, List<Ring> rings, Function<Ring, QueueWriter> writer) {
        super(watermarkStepMs);
        writers = rings.stream().map(writer).toArray(QueueWriter[]::new);
    }

    /** @param rings to each downstream task, or to the one of the same number */
    public QueueSender(Frame frame, List<Ring> rings, long watermarkStepMs) {
        this(watermarkStepMs, rings, ring -> new QueueWriter(frame, ring));
    }

    /** Along an edge within a loop. */
    public static QueueSender within(LoopPart loop, Frame frame, List<Ring> rings, long watermarkStepMs) {
        return new QueueSender(watermarkStepMs, rings, ring -> new LoopWriter(frame, ring, loop));
    }

    /**
     * Along an edge that leads back.
     *
     * @param operator that leads back, for messages
     */
    public static QueueSender back(LoopPart loop, Frame frame, List<Ring> rings, String operator) {
        return new QueueSender(0, rings, ring -> new FeedbackWriter(frame, ring, loop, operator));
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
