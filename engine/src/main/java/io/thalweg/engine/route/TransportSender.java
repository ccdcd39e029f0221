// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.route;

import io.thalweg.engine.chain.Frame;
import java.util.stream.IntStream;

/** Sends to tasks that another engine runs, through a carrier, which always has room. */
public final class TransportSender extends Sender {
    private final Transport carrier;
    private final int link;
    private final Carried[] targets;

    /**
     * @param link number of the edge in the graph
     * @param tasks numbers of the downstream tasks
     */
    public TransportSender(Transport carrier, Frame frame, int link, IntStream tasks, long watermarkStepMs) {
        super(watermarkStepMs);
        this.carrier = carrier;
        this.link = link;
        targets =
                tasks.mapToObj(task -> new Carried(carrier, frame, link, task)).toArray(Carried[]::new);
    }

    private static final class Carried extends Target {
        private final Transport carrier;
        private final Frame frame;
        private final int link;
        private final int task;

        Carried(Transport carrier, Frame frame, int link, int task) {
            this.carrier = carrier;
            this.frame = frame;
            this.link = link;
            this.task = task;
        }

        @Override
        void send(Object value) {
            count++;
            carrier.record(link, task, value, frame.time, frame.stamp);
        }
    }

    @Override
    Target[] targets() {
        return targets;
    }

    @Override
    boolean makeRoom() {
        return true;
    }

    @Override
    void flush(boolean all) {}

    @Override
    void pass(long watermark) {
        carrier.watermark(link, watermark);
    }

    @Override
    void barrier(long checkpoint) {
        carrier.barrier(link, checkpoint);
    }

    @Override
    void end(boolean cancelled) {
        carrier.end(link, cancelled);
    }
}
