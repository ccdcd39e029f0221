// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.route;

import io.thalweg.api.codec.Codec;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.chain.Outlet;
import org.jspecify.annotations.Nullable;

/** Hands records to a carrier, which always has room, as a {@link Router} hands them to lanes. */
public abstract class Handover implements Outlet {
    /**
     * The edge, seen from one task.
     *
     * @param link number of the edge in the graph
     * @param tasks of the operator behind
     * @param stepMs as {@link Router} has it
     * @param copies where records are ones that their source reuses
     */
    public record Edge(
            int link, int tasks, long stepMs, @Nullable Codec<Object> copies) {}

    private final Carrier carrier;
    private final Frame frame;
    private final int link;
    private final @Nullable Codec<Object> copies;
    private final Passage passage;
    private long count;

    Handover(Carrier carrier, Frame frame, Edge edge) {
        this.carrier = carrier;
        this.frame = frame;
        link = edge.link();
        copies = edge.copies();
        passage = new Passage(edge.stepMs());
    }

    final void hand(int target, Object value) {
        count++;
        carrier.record(link, target, copies == null ? value : copies.copy(value), frame.time, frame.stamp);
    }

    /** One task behind: forward, or any grouping if there is no other. */
    public static final class Straight extends Handover {
        private final int target;

        public Straight(Carrier carrier, Frame frame, Edge edge, int target) {
            super(carrier, frame, edge);
            this.target = target;
        }

        @Override
        public void accept(Object value) {
            hand(target, value);
        }
    }

    /** The task that a chooser names. */
    public static final class Chosen extends Handover {
        private final Chooser chooser;

        public Chosen(Carrier carrier, Frame frame, Edge edge, Chooser chooser) {
            super(carrier, frame, edge);
            this.chooser = chooser;
        }

        @Override
        public void accept(Object value) throws Exception {
            int target = chooser.choose(value);
            if (target != Chooser.NONE) {
                hand(target, value);
            }
        }
    }

    /** Every task. */
    public static final class Broadcast extends Handover {
        private final int tasks;

        public Broadcast(Carrier carrier, Frame frame, Edge edge) {
            super(carrier, frame, edge);
            tasks = edge.tasks();
        }

        @Override
        public void accept(Object value) {
            for (int target = 0; target < tasks; target++) {
                hand(target, value);
            }
        }
    }

    @Override
    public final boolean makeRoom() {
        return true;
    }

    @Override
    public final void flush(boolean all) {}

    @Override
    public final void watermark(long watermark) {
        if (passage.lets(watermark)) {
            carrier.watermark(link, watermark);
        }
    }

    @Override
    public final void barrier(long checkpoint) {
        carrier.barrier(link, checkpoint);
    }

    @Override
    public final void end(boolean cancelled) {
        carrier.end(link, cancelled);
    }

    @Override
    public final long takeCount() {
        long taken = count;
        count = 0;
        return taken;
    }
}
