// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.route;

import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.StableHash;
import io.thalweg.api.operator.MapFunction;
import io.thalweg.api.operator.NullValueException;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.chain.Outlet;
import io.thalweg.engine.queue.Ring;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Hands records to the lanes of one edge; each grouping is a subclass that chooses among them. */
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

    /** One lane: forward, or any grouping with one task behind it. */
    public static final class Straight extends Router {
        private final Lane lane;

        public Straight(Frame frame, List<Ring> rings, long stepMs, @Nullable Codec<Object> copies, int target) {
            super(frame, rings, stepMs, copies);
            lane = lanes[target];
        }

        @Override
        public void accept(Object value) {
            lane.append(kept(value));
        }
    }

    /** Each lane in turn. */
    public static final class Shuffle extends Router {
        private int next;

        public Shuffle(Frame frame, List<Ring> rings, long stepMs, @Nullable Codec<Object> copies, int first) {
            super(frame, rings, stepMs, copies);
            next = first % lanes.length;
        }

        @Override
        public void accept(Object value) {
            int lane = next;
            next = lane + 1 == lanes.length ? 0 : lane + 1;
            lanes[lane].append(kept(value));
        }
    }

    /** The lane of the task that owns the key's group. */
    public static final class ByKey extends Router {
        private final Frame frame;
        private final String operator;
        private final MapFunction<Object, Object> key;
        private final Codec<Object> keyCodec;

        public ByKey(
                Frame frame,
                List<Ring> rings,
                long stepMs,
                @Nullable Codec<Object> copies,
                String operator,
                MapFunction<Object, Object> key,
                Codec<Object> keyCodec) {
            super(frame, rings, stepMs, copies);
            this.frame = frame;
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
                frame.onThrown(operator, thrown);
                return;
            }
            lanes[StableHash.taskOf(StableHash.keyGroup(hash), lanes.length)].append(kept(value));
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
