// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.route;

import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.queue.Ring;
import java.util.List;

/** Sends to tasks in this JVM, through queues. */
public final class LaneSender extends Sender {
    private final Lane[] lanes;

    /** @param rings to each downstream task, or to the one of the same number */
    public LaneSender(Frame frame, List<Ring> rings, long watermarkStepMs) {
        super(watermarkStepMs);
        lanes = rings.stream().map(ring -> new Lane(frame, ring)).toArray(Lane[]::new);
    }

    @Override
    Target[] targets() {
        return lanes;
    }

    @Override
    boolean makeRoom() {
        boolean room = true;
        for (Lane lane : lanes) {
            room &= lane.makeRoom();
        }
        return room;
    }

    @Override
    void flush(boolean all) {
        for (Lane lane : lanes) {
            lane.flush(all);
        }
    }

    @Override
    void pass(long watermark) {
        for (Lane lane : lanes) {
            lane.watermark(watermark);
        }
    }

    @Override
    void barrier(long checkpoint) {
        for (Lane lane : lanes) {
            lane.barrier(checkpoint);
        }
    }

    @Override
    void end(boolean cancelled) {
        for (Lane lane : lanes) {
            lane.end(cancelled);
        }
    }
}
