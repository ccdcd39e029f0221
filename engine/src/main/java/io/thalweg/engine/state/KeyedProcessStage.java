// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.Type;
import io.thalweg.api.graph.ExpiringStates;
import io.thalweg.api.graph.ProcessingTimers;
import io.thalweg.api.operator.KeyedAsyncContext;
import io.thalweg.api.operator.KeyedContext;
import io.thalweg.api.operator.KeyedLifecycle;
import io.thalweg.api.operator.KeyedOperator;
import io.thalweg.api.operator.KeyedTwoInputOperator;
import io.thalweg.api.operator.ListState;
import io.thalweg.api.operator.MapFunction;
import io.thalweg.api.operator.MapState;
import io.thalweg.api.operator.NullValueException;
import io.thalweg.api.operator.OperatorContext;
import io.thalweg.api.operator.TimeToLive;
import io.thalweg.api.operator.ValueState;
import io.thalweg.api.stats.StateStats;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.chain.OperatorException;
import io.thalweg.engine.chain.Receiver;
import io.thalweg.engine.chain.Specialiser;
import io.thalweg.engine.chain.Stage;
import io.thalweg.engine.checkpoint.Restored;
import io.thalweg.engine.checkpoint.StateFormat;
import io.thalweg.engine.checkpoint.StateName;
import io.thalweg.engine.checkpoint.TaskState;
import io.thalweg.run.Clock;
import io.thalweg.run.time.EventTimeRules;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A user's operator with keyed state and timers: opening, time, ending. Each of its inputs has an entry. */
final class KeyedProcessStage implements Stage {
    /** Timers in one turn: one that is set for now each time it fires does not keep the task from its input. */
    private static final int MOST_AT_ONCE = 1_024;

    private final Context context;
    private final Frame frame;
    private final KeyedLifecycle<Object, Object> operator;
    private final Emitter output;
    private final boolean windows;
    private boolean opened;

    /** @param windows the operator keeps windows in its state */
    record Parts(Context context, KeyedLifecycle<Object, Object> operator, Emitter output, boolean windows)
            implements Specialiser.Parts<Stage> {
        @Override
        public Class<KeyedProcessStage> type() {
            return KeyedProcessStage.class;
        }
    }

    KeyedProcessStage(KeyedProcessStage.Parts parts) {
        context = parts.context();
        operator = parts.operator();
        output = parts.output();
        windows = parts.windows();
        frame = context.frame;
    }

    /** The one input. */
    static final class Only implements Receiver {
        private final Context context;
        private final MapFunction<Object, Object> key;
        private final KeyedOperator<Object, Object, Object> operator;
        private final Emitter output;
        private final @Nullable Codec<Object> copies;

        /** @param copies where a record may be one that its source reuses */
        record Parts(
                Context context,
                MapFunction<Object, Object> key,
                KeyedOperator<Object, Object, Object> operator,
                Emitter output,
                @Nullable Codec<Object> copies)
                implements Specialiser.Parts<Receiver> {
            @Override
            public Class<Only> type() {
                return Only.class;
            }
        }

        Only(Only.Parts parts) {
            context = parts.context();
            key = parts.key();
            operator = parts.operator();
            output = parts.output();
            copies = parts.copies();
        }

        @Override
        public void accept(Object value) throws Exception {
            try {
                Object k = key.apply(value);
                context.enter(k, key, value);
                operator.process(k, copies == null ? value : copies.copy(value), output);
                context.returned();
            } catch (Throwable thrown) {
                context.onThrown(thrown);
            }
        }
    }

    /** One of two inputs. Such an operator begins a chain, so that its records are its own. */
    static final class OneOfTwo implements Receiver {
        private final Context context;
        private final boolean second;
        private final MapFunction<Object, Object> key;
        private final KeyedTwoInputOperator<Object, Object, Object, Object> operator;
        private final Emitter output;

        record Parts(
                Context context,
                boolean second,
                MapFunction<Object, Object> key,
                KeyedTwoInputOperator<Object, Object, Object, Object> operator,
                Emitter output)
                implements Specialiser.Parts<Receiver> {
            @Override
            public Class<OneOfTwo> type() {
                return OneOfTwo.class;
            }
        }

        OneOfTwo(OneOfTwo.Parts parts) {
            context = parts.context();
            second = parts.second();
            key = parts.key();
            operator = parts.operator();
            output = parts.output();
        }

        @Override
        public void accept(Object value) throws Exception {
            try {
                Object k = key.apply(value);
                context.enter(k, key, value);
                if (second) {
                    operator.processSecond(k, value, output);
                } else {
                    operator.processFirst(k, value, output);
                }
                context.returned();
            } catch (Throwable thrown) {
                context.onThrown(thrown);
            }
        }
    }

    @Override
    public StateStats stateStats() {
        return context.stateStats();
    }

    /** State and timers of one task, by key. */
    static final class Context extends ProcessStage.Context
            implements KeyedContext, KeyedAsyncContext, ExpiringStates.Host {
        /** Begins the name, in a checkpoint, of what the operator declares. */
        private static final String DECLARED = "state ";

        final Map<String, UserState<?>> states = new TreeMap<>();
        final Timers timers;
        final Timers processingTimers;
        final Timers expiries;
        final Timers processingExpiries;
        final ExpiringStates expiring = new ExpiringStates(this, this);
        private final @Nullable Codec<Object> keyCopies;
        private final Type<Object> keyType;
        private final Clock clock;

        @Nullable Object current;

        /** The operator says what is to be done when a timer by the clock fires. */
        boolean firesByClock;

        /** @param keyCopies where a key may be part of a record that its source reuses */
        Context(
                String name,
                int task,
                int parallelism,
                boolean timed,
                Frame frame,
                @Nullable BroadcastStates broadcasts,
                @Nullable Codec<Object> keyCopies,
                Type<Object> keyType,
                Clock clock) {
            super(name, task, parallelism, timed, frame, broadcasts);
            this.keyCopies = keyCopies;
            this.keyType = keyType;
            this.clock = clock;
            timers = new Timers(name, "timers", keyType);
            processingTimers = new Timers(name, "processing timers", keyType);
            expiries = new Timers(name, "expiries", keyType);
            processingExpiries = new Timers(name, "processing expiries", keyType);
        }

        StateStats stateStats() {
            long keys = 0;
            long bytes = 0;
            for (UserState<?> state : states.values()) {
                keys = Math.max(keys, state.size());
                bytes += state.bytes();
            }
            return new StateStats(operator(), keys, bytes);
        }

        @Override
        void save(TaskState to) {
            super.save(to);
            for (UserState<?> state : states.values()) {
                state.save(to);
            }
            timers.save(to);
            processingTimers.save(to);
            expiries.save(to);
            processingExpiries.save(to);
        }

        @Override
        void restore(Restored from) {
            super.restore(from);
            from.saved().checkDeclared(operator(), DECLARED, states.keySet());
            for (UserState<?> state : states.values()) {
                state.restore(from);
            }
            timers.restore(from);
            processingTimers.restore(from);
            expiries.restore(from);
            processingExpiries.restore(from);
        }

        /** The key of the record in hand. */
        void enter(@Nullable Object k, MapFunction<Object, Object> key, Object value) {
            if (k == null) {
                throw NullValueException.ofKey(key, value);
            }
            current = k;
        }

        @Override
        void leaveKey() {
            current = null;
        }

        Object key() {
            if (current == null) {
                throw new IllegalStateException("state and timers belong to a key, and there is no current key");
            }
            return current;
        }

        /** The key in hand, to be kept. */
        Object keptKey() {
            return keyCopies == null ? key() : keyCopies.copy(key());
        }

        @Override
        public <S> ValueState<S> state(String name, Type<S> type) {
            return new UserState.OfValue<>(declare(name, "value", type));
        }

        @Override
        public <E> ListState<E> listState(String name, Type<E> element) {
            return new UserState.OfList<>(declare(name, "list", Type.list(element)));
        }

        @Override
        public <F, V> MapState<F, V> mapState(String name, Type<F> field, Type<V> value) {
            return new UserState.OfMap<>(declare(name, "map", Type.map(field, value)));
        }

        @Override
        public <S> ValueState<S> state(String name, Type<S> type, TimeToLive live) {
            return expiring.value(name, type, live);
        }

        @Override
        public <E> ListState<E> listState(String name, Type<E> element, TimeToLive live) {
            return expiring.list(name, element, live);
        }

        @Override
        public <F, V> MapState<F, V> mapState(String name, Type<F> field, Type<V> value, TimeToLive live) {
            return expiring.map(name, field, value, live);
        }

        @Override
        public long now(TimeToLive live) {
            return expiring.now(live);
        }

        @Override
        public boolean timed() {
            return timed;
        }

        @Override
        public void cleanByWatermark(long time) {
            expiries.add(time, keptKey());
        }

        @Override
        public void cleanByClock(long epochMs) {
            processingExpiries.add(epochMs, keptKey());
        }

        /** Removes what has expired by event time; false if the turn has lasted too long, and the next call must do the rest. */
        boolean cleanTo(long reached) {
            while (reached != Long.MAX_VALUE && expiries.dueAt() <= reached) {
                if (frame.pauses()) {
                    return false;
                }
                current = expiries.removeFirst();
                expiring.clean(true, reached);
            }
            return true;
        }

        /** Removes what has expired by processing time, as far as the turn has time for it. */
        void cleanAt(long epochMs) {
            while (processingExpiries.dueAt() <= epochMs && !frame.turn.isReached()) {
                current = processingExpiries.removeFirst();
                expiring.clean(false, epochMs);
            }
        }

        private <S> UserState<S> declare(String name, String kind, Type<S> type) {
            checkOpening(name);
            KeyedState saved = new KeyedState(
                    new StateName(operator(), DECLARED + name), StateFormat.of(kind, keyType, type), keyType.codec());
            UserState<S> state = new UserState<>(name, this, saved, type);
            if (states.put(name, state) != null) {
                throw new IllegalStateException("state '" + name + "' is declared twice");
            }
            return state;
        }

        @Override
        public void setTimer(long time) {
            timers.add(time, keptKey());
        }

        @Override
        public void cancelTimer(long time) {
            timers.remove(time, key());
        }

        @Override
        public void setProcessingTimer(long epochMs) {
            ProcessingTimers.check(firesByClock);
            processingTimers.add(epochMs, keptKey());
        }

        @Override
        public void cancelProcessingTimer(long epochMs) {
            processingTimers.remove(epochMs, key());
        }

        @Override
        public long processingTime() {
            return clock.epochMs();
        }
    }

    @Override
    public String operator() {
        return context.operator();
    }

    @Override
    public void open() throws Exception {
        opened = true;
        context.firesByClock = ProcessingTimers.usedBy(operator);
        try {
            operator.open(context);
        } catch (Exception e) {
            throw new OperatorException(context.operator(), frame.split, frame.offset, e);
        }
        context.opening = false;
    }

    @Override
    public boolean advance(long watermark) throws Exception {
        if (!context.advance(watermark)) {
            return true;
        }
        while (context.timers.dueAt() <= watermark && !context.timers.isEmpty()) {
            if (frame.pauses()) {
                return false;
            }
            long time = context.timers.dueAt();
            fire(context.timers.removeFirst(), time);
        }
        return context.cleanTo(watermark);
    }

    @Override
    public void endRound() {
        context.endRound();
    }

    @Override
    public long dueMs() {
        return Math.min(context.processingTimers.dueAt(), context.processingExpiries.dueAt());
    }

    /** Where the turn has lasted too long it stops, and the frame is not blocked: timers that are always due leave turns to the input. */
    @Override
    public void onClock(long epochMs) throws Exception {
        context.cleanAt(epochMs);
        for (int i = 0; i < MOST_AT_ONCE && context.processingTimers.dueAt() <= epochMs && !frame.blocked; i++) {
            long time = context.processingTimers.dueAt();
            Object key = context.processingTimers.removeFirst();
            context.current = key;
            frame.time = OperatorContext.NO_TIME;
            frame.stamp = OperatorContext.NO_TIME;
            try {
                operator.onProcessingTimer(key, time, output);
                context.returned();
            } catch (Throwable thrown) {
                context.onThrown(thrown);
            }
            if (frame.turn.isReached()) {
                return;
            }
        }
    }

    private void fire(Object first, long time) throws Exception {
        context.current = first;
        frame.time = time;
        frame.stamp = EventTimeRules.stampAt(time, frame.watermark); // a timer may have been set for a time long gone
        try {
            operator.onTimer(first, time, output);
            context.returned();
        } catch (Throwable thrown) {
            context.onThrown(thrown);
        }
    }

    @Override
    public void save(TaskState to) {
        context.save(to);
    }

    @Override
    public void restore(Restored from) {
        context.restore(from);
    }

    /** Keys that wait for the end of the input: of windows by count, those with a window that is not full. */
    @Override
    public long windowsOpen() {
        return windows ? context.timers.count(Long.MAX_VALUE) : 0;
    }

    @Override
    public void close() throws Exception {
        if (opened) {
            operator.close();
        }
    }
}
