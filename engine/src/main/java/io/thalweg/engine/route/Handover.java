// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.route;

import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.StableHash;
import io.thalweg.api.operator.MapFunction;
import io.thalweg.api.operator.NullValueException;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.chain.Outlet;
import org.jspecify.annotations.Nullable;

/** Hands records to a carrier, which always has room; each grouping is a subclass that chooses the task, as {@link Router}'s do. */
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

    /** Each task in turn. */
    public static final class Shuffle extends Handover {
        private final int tasks;
        private int next;

        public Shuffle(Carrier carrier, Frame frame, Edge edge, int first) {
            super(carrier, frame, edge);
            tasks = edge.tasks();
            next = first % tasks;
        }

        @Override
        public void accept(Object value) {
            int target = next;
            next = target + 1 == tasks ? 0 : target + 1;
            hand(target, value);
        }
    }

    /** The task that owns the key's group. */
    public static final class ByKey extends Handover {
        private final Frame sender;
        private final int tasks;
        private final String operator;
        private final MapFunction<Object, Object> key;
        private final Codec<Object> keyCodec;

        public ByKey(
                Carrier carrier,
                Frame frame,
                Edge edge,
                String operator,
                MapFunction<Object, Object> key,
                Codec<Object> keyCodec) {
            super(carrier, frame, edge);
            sender = frame;
            tasks = edge.tasks();
            this.operator = operator;
            this.key = key;
            this.keyCodec = keyCodec;
        }

        @Override
        public void accept(Object value) throws Exception {
            int hash;
            try {
                Object k = key.apply(value);
                if (k == null) {
                    throw NullValueException.ofKey(key, value);
                }
                hash = keyCodec.hash(k);
            } catch (Throwable thrown) {
                sender.onThrown(operator, thrown);
                return;
            }
            hand(StableHash.taskOf(StableHash.keyGroup(hash), tasks), value);
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
