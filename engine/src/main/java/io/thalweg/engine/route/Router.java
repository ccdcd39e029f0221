// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.route;

import io.thalweg.api.codec.Codec;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.chain.Outlet;
import io.thalweg.engine.queue.Ring;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Hands records to the lanes of one edge. */
public abstract class Router implements Outlet {
    final Lane[] lanes;
    private final @Nullable Codec<Object> copies;
    private final Passage passage;

    /**
     * @param watermarkStepMs watermarks matter downstream only when they pass a multiple of this; 0 if none matters
     * @param copies where records are ones that their source reuses
     */
    Router(Frame frame, List<Ring> rings, long watermarkStepMs, @Nullable Codec<Object> copies) {
        lanes = rings.stream().map(ring -> new Lane(frame, ring)).toArray(Lane[]::new);
        passage = new Passage(watermarkStepMs);
        this.copies = copies;
    }

    final Object kept(Object value) {
        return copies == null ? value : copies.copy(value);
    }

    /** The first lane: forward, global, or any grouping with one task behind it. */
    public static final class Straight extends Router {
        private final Lane lane;

        public Straight(Frame frame, List<Ring> rings, long stepMs, @Nullable Codec<Object> copies) {
            super(frame, rings, stepMs, copies);
            lane = lanes[0];
        }

        @Override
        public void accept(Object value) {
            lane.append(kept(value));
        }
    }

    /** The lane that a chooser names. */
    public static final class Chosen extends Router {
        private final Chooser chooser;

        public Chosen(Frame frame, List<Ring> rings, long stepMs, @Nullable Codec<Object> copies, Chooser chooser) {
            super(frame, rings, stepMs, copies);
            this.chooser = chooser;
        }

        @Override
        public void accept(Object value) throws Exception {
            int lane = chooser.choose(value);
            if (lane != Chooser.NONE) {
                lanes[lane].append(kept(value));
            }
        }
    }

    /** Every lane. */
    public static final class Broadcast extends Router {
        public Broadcast(Frame frame, List<Ring> rings, long stepMs, @Nullable Codec<Object> copies) {
            super(frame, rings, stepMs, copies);
        }

        @Override
        public void accept(Object value) {
            for (Lane lane : lanes) {
                lane.append(kept(value));
            }
        }
    }

    @Override
    public final boolean makeRoom() {
        boolean room = true;
        for (Lane lane : lanes) {
            room &= lane.makeRoom();
        }
        return room;
    }

    @Override
    public final void flush(boolean all) {
        for (Lane lane : lanes) {
            lane.flush(all);
        }
    }

    @Override
    public final void watermark(long watermark) {
        if (passage.lets(watermark)) {
            for (Lane lane : lanes) {
                lane.watermark(watermark);
            }
        }
    }

    @Override
    public final void barrier(long checkpoint) {
        for (Lane lane : lanes) {
            lane.barrier(checkpoint);
        }
    }

    @Override
    public final void end(boolean cancelled) {
        for (Lane lane : lanes) {
            lane.end(cancelled);
        }
    }

    @Override
    public final long takeCount() {
        long taken = 0;
        for (Lane lane : lanes) {
            taken += lane.count;
            lane.count = 0;
        }
        return taken;
    }
}
