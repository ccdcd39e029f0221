// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import io.thalweg.api.codec.Type;
import io.thalweg.api.operator.KeyedContext;
import io.thalweg.api.operator.ListState;
import io.thalweg.api.operator.MapState;
import io.thalweg.api.operator.NullValueException;
import io.thalweg.api.operator.TimeToLive;
import io.thalweg.api.operator.ValueState;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The states with a {@link TimeToLive} of one task of an operator, stored in ordinary states: each value is stored
 * together with the time at which it expires. An expired value is no longer visible, and is removed when the runner
 * calls {@link #clean}. Called by one thread at a time.
 */
public final class ExpiringStates {
    /** Expired values are looked for so often within a time to live. */
    private static final int LOOKS = 4;

    /** The time of a call that has none: of a timer by the clock, before the first watermark. */
    private static final long UNKNOWN = KeyedContext.NO_TIME + 1;

    /** What a runner must do for expiring states. */
    public interface Host {
        /** Whether the operator's records have event times. */
        boolean timed();

        /**
         * Must call {@link #clean} with the current key once the watermark has reached {@code time}, after all timers
         * up to it.
         */
        void cleanByWatermark(long time);

        /** Must call {@link #clean} with the current key once the clock has reached {@code epochMs}. */
        void cleanByClock(long epochMs);
    }

    /** A value and when it expires. There is a class for each kind of time, whose name in a checkpoint tells them apart. */
    private interface Kept<V> {
        V value();

        /** Exclusive. */
        long until();
    }

    /** By event time. */
    record Expiring<V>(V value, long until) implements Kept<V> {}

    /** By processing time. */
    record ExpiringByClock<V>(V value, long until) implements Kept<V> {}

    @SuppressWarnings("unchecked") // both classes are of values of this type
    private static <V> Type<Kept<V>> typeOf(Type<V> value, TimeToLive live) {
        Class<?> raw = live.eventTime() ? Expiring.class : ExpiringByClock.class;
        return Type.of((Class<? super Kept<V>>) raw, value);
    }

    private static <V> Kept<V> expiring(V value, long until, TimeToLive live) {
        return live.eventTime() ? new Expiring<>(value, until) : new ExpiringByClock<>(value, until);
    }

    /** Removes what has expired of the current key. */
    private interface Cleaned {
        void clean(long now);
    }

    private final KeyedContext context;
    private final Host host;
    private final List<Cleaned> byWatermark = new ArrayList<>();
    private final List<Cleaned> byClock = new ArrayList<>();

    /**
     * Expiring states of one task.
     *
     * @param context where the ordinary states are declared
     * @param host calls back to remove what has expired
     */
    public ExpiringStates(KeyedContext context, Host host) {
        this.context = context;
        this.host = host;
    }

    /**
     * Declares a value that expires.
     *
     * @throws IllegalStateException if it expires by event time and the operator's records have none
     */
    public <S> ValueState<S> value(String name, Type<S> type, TimeToLive live) {
        check(name, live);
        Value<S> state = new Value<>(name, context.state(name, typeOf(type, live)), live);
        return added(state, live);
    }

    /**
     * Declares a list whose elements expire one by one.
     *
     * @throws IllegalStateException if they expire by event time and the operator's records have none
     */
    public <E> ListState<E> list(String name, Type<E> element, TimeToLive live) {
        check(name, live);
        Elements<E> state = new Elements<>(name, context.listState(name, typeOf(element, live)), live);
        return added(state, live);
    }

    /**
     * Declares a map whose entries expire one by one.
     *
     * @throws IllegalStateException if they expire by event time and the operator's records have none
     */
    public <F, V> MapState<F, V> map(String name, Type<F> field, Type<V> value, TimeToLive live) {
        check(name, live);
        Entries<F, V> state = new Entries<>(name, context.mapState(name, field, typeOf(value, live)), live);
        return added(state, live);
    }

    private static <T> T notNull(String state, @Nullable T given) {
        if (given == null) {
            throw NullValueException.ofState(state);
        }
        return given;
    }

    private <S extends Cleaned> S added(S state, TimeToLive live) {
        (live.eventTime() ? byWatermark : byClock).add(state);
        return state;
    }

    private void check(String name, TimeToLive live) {
        if (live.eventTime() && !host.timed()) {
            throw new IllegalStateException("state '" + name
                    + "' has a time to live by event time, and the records of operator '" + context.operator()
                    + "' have none; call eventTime(…) before, or use TimeToLive.ofProcessingTime");
        }
    }

    /**
     * Removes what has expired for the current key.
     *
     * @param eventTime true for states that expire by event time, false for those that expire by processing time
     * @param reached the watermark, or the clock in epoch milliseconds
     */
    public void clean(boolean eventTime, long reached) {
        long now = eventTime && reached != Long.MAX_VALUE ? reached + 1 : reached;
        for (Cleaned state : eventTime ? byWatermark : byClock) {
            state.clean(now);
        }
    }

    /** The time of a call. */
    public long now(TimeToLive live) {
        if (!live.eventTime()) {
            return context.processingTime();
        }
        long stamp = Math.max(
                context.stamp(), context.eventTime() == KeyedContext.NO_TIME ? context.watermark() : Long.MIN_VALUE);
        return Math.max(context.eventTime(), stamp == Long.MAX_VALUE ? stamp : stamp + 1);
    }

    /** When what is written now expires, which is never if it is not known when now is; asks for it to be looked for then. */
    private long until(TimeToLive live) {
        long liveMs = live.after().toMillis();
        long now = now(live);
        long until = now == UNKNOWN || now > Long.MAX_VALUE - liveMs ? Long.MAX_VALUE : now + liveMs;
        long apartMs = Math.max(1, liveMs / LOOKS);
        long look = Math.floorDiv(until, apartMs) * apartMs + apartMs; // few times, so that a key has few timers
        if (look > until && live.eventTime()) {
            host.cleanByWatermark(look);
        } else if (look > until) {
            host.cleanByClock(look);
        }
        return until;
    }

    private final class Value<S> implements ValueState<S>, Cleaned {
        private final String name;
        private final ValueState<Kept<S>> kept;
        private final TimeToLive live;

        Value(String name, ValueState<Kept<S>> kept, TimeToLive live) {
            this.name = name;
            this.kept = kept;
            this.live = live;
        }

        @Override
        public @Nullable S get() {
            Kept<S> found = kept.get();
            return found == null || found.until() <= now(live) ? null : found.value();
        }

        @Override
        public void set(S value) {
            kept.set(expiring(notNull(name, value), until(live), live));
        }

        @Override
        public void clear() {
            kept.clear();
        }

        @Override
        public void clean(long now) {
            Kept<S> found = kept.get();
            if (found != null && found.until() <= now) {
                kept.clear();
            }
        }
    }

    private final class Elements<E> implements ListState<E>, Cleaned {
        private final String name;
        private final ListState<Kept<E>> kept;
        private final TimeToLive live;

        Elements(String name, ListState<Kept<E>> kept, TimeToLive live) {
            this.name = name;
            this.kept = kept;
            this.live = live;
        }

        @Override
        public Iterator<E> iterator() {
            long now = now(live);
            List<E> seen = new ArrayList<>();
            for (Kept<E> each : kept) {
                if (each.until() > now) {
                    seen.add(each.value());
                }
            }
            return List.copyOf(seen).iterator();
        }

        @Override
        public void add(E element) {
            kept.add(expiring(notNull(name, element), until(live), live));
        }

        @Override
        public void set(List<? extends E> elements) {
            long until = until(live);
            List<Kept<E>> all = new ArrayList<>();
            for (E element : notNull(name, elements)) {
                all.add(expiring(notNull(name, element), until, live));
            }
            kept.set(all);
        }

        @Override
        public void clear() {
            kept.clear();
        }

        @Override
        public void clean(long now) {
            List<Kept<E>> left = new ArrayList<>();
            boolean any = false;
            for (Kept<E> each : kept) {
                if (each.until() > now) {
                    left.add(each);
                } else {
                    any = true;
                }
            }
            if (any) {
                kept.set(left);
            }
        }
    }

    private final class Entries<F, V> implements MapState<F, V>, Cleaned {
        private final String name;
        private final MapState<F, Kept<V>> kept;
        private final TimeToLive live;

        Entries(String name, MapState<F, Kept<V>> kept, TimeToLive live) {
            this.name = name;
            this.kept = kept;
            this.live = live;
        }

        @Override
        public @Nullable V get(F field) {
            Kept<V> found = kept.get(field);
            return found == null || found.until() <= now(live) ? null : found.value();
        }

        @Override
        public void put(F field, V value) {
            kept.put(field, expiring(notNull(name, value), until(live), live));
        }

        @Override
        public void remove(F field) {
            kept.remove(field);
        }

        @Override
        public void clear() {
            kept.clear();
        }

        @Override
        public Iterator<Map.Entry<F, V>> iterator() {
            long now = now(live);
            List<Map.Entry<F, V>> seen = new ArrayList<>();
            for (Map.Entry<F, Kept<V>> each : kept) {
                if (each.getValue().until() > now) {
                    seen.add(Map.entry(each.getKey(), each.getValue().value()));
                }
            }
            Iterator<Map.Entry<F, V>> entries = seen.iterator();
            return new Iterator<>() {
                private @Nullable F last;

                @Override
                public boolean hasNext() {
                    return entries.hasNext();
                }

                @Override
                public Map.Entry<F, V> next() {
                    Map.Entry<F, V> entry = entries.next();
                    last = entry.getKey();
                    return entry;
                }

                @Override
                public void remove() {
                    if (last == null) {
                        throw new IllegalStateException("next was not called");
                    }
                    kept.remove(last);
                    last = null;
                }
            };
        }

        @Override
        public void clean(long now) {
            for (Iterator<Map.Entry<F, Kept<V>>> each = kept.iterator(); each.hasNext(); ) {
                if (each.next().getValue().until() <= now) {
                    each.remove();
                }
            }
        }
    }
}
