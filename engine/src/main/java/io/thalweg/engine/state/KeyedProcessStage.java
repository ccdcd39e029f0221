// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.Type;
import io.thalweg.api.operator.KeyedContext;
import io.thalweg.api.operator.KeyedLifecycle;
import io.thalweg.api.operator.KeyedOperator;
import io.thalweg.api.operator.KeyedTwoInputOperator;
import io.thalweg.api.operator.ListState;
import io.thalweg.api.operator.MapFunction;
import io.thalweg.api.operator.MapState;
import io.thalweg.api.operator.NullValueException;
import io.thalweg.api.operator.ValueState;
import io.thalweg.api.stats.StateStats;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.chain.OperatorException;
import io.thalweg.engine.chain.Receiver;
import io.thalweg.engine.chain.Stage;
import io.thalweg.engine.checkpoint.Restored;
import io.thalweg.engine.checkpoint.SavedState;
import io.thalweg.engine.checkpoint.StateFormat;
import io.thalweg.engine.checkpoint.StateName;
import io.thalweg.engine.checkpoint.TaskState;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A user's operator with keyed state and timers: opening, time, ending. Each of its inputs has an entry. */
public final class KeyedProcessStage implements Stage {
    private final Context context;
    private final Frame frame;
    private final KeyedLifecycle<Object, Object> operator;
    private final Emitter output;
    private final boolean windows;
    private boolean opened;

    /** @param windows the operator keeps windows in its state */
    public KeyedProcessStage(
            Context context, KeyedLifecycle<Object, Object> operator, Emitter output, boolean windows) {
        this.context = context;
        this.operator = operator;
        this.output = output;
        this.windows = windows;
        frame = context.frame;
    }

    /** The one input. */
    public static final class Only implements Receiver {
        private final Context context;
        private final MapFunction<Object, Object> key;
        private final KeyedOperator<Object, Object, Object> operator;
        private final Emitter output;
        private final @Nullable Codec<Object> copies;

        /** @param copies where a record may be one that its source reuses */
        public Only(
                Context context,
                MapFunction<Object, Object> key,
                KeyedOperator<Object, Object, Object> operator,
                Emitter output,
                @Nullable Codec<Object> copies) {
            this.context = context;
            this.key = key;
            this.operator = operator;
            this.output = output;
            this.copies = copies;
        }

        @Override
        public void accept(Object value) throws Exception {
            try {
                Object k = key.apply(value);
                context.enter(k, key, value);
                operator.process(k, copies == null ? value : copies.copy(value), output);
            } catch (Throwable thrown) {
                context.onThrown(thrown);
            }
        }
    }

    /** One of two inputs. Such an operator begins a chain, so that its records are its own. */
    public static final class OneOfTwo implements Receiver {
        private final Context context;
        private final boolean second;
        private final MapFunction<Object, Object> key;
        private final KeyedTwoInputOperator<Object, Object, Object, Object> operator;
        private final Emitter output;

        public OneOfTwo(
                Context context,
                boolean second,
                MapFunction<Object, Object> key,
                KeyedTwoInputOperator<Object, Object, Object, Object> operator,
                Emitter output) {
            this.context = context;
            this.second = second;
            this.key = key;
            this.operator = operator;
            this.output = output;
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
            } catch (Throwable thrown) {
                context.onThrown(thrown);
            }
        }
    }

    @Override
    public StateStats stateStats() {
        long keys = 0;
        long bytes = 0;
        for (UserState<?> state : context.states.values()) {
            keys = Math.max(keys, state.size());
            bytes += state.bytes();
        }
        return new StateStats(context.operator(), keys, bytes);
    }

    /** State and timers of one task, by key. */
    public static final class Context extends ProcessStage.Context implements KeyedContext {
        /** Begins the name, in a checkpoint, of what the operator declares. */
        private static final String DECLARED = "state ";

        final Map<String, UserState<?>> states = new TreeMap<>();
        final TreeMap<Long, Set<Object>> timers = new TreeMap<>();
        private final @Nullable Codec<Object> keyCopies;
        private final Type<Object> keyType;
        private final KeyedState timerState;

        @Nullable Object current;

        /** @param keyCopies where a key may be part of a record that its source reuses */
        public Context(
                String name,
                int task,
                int parallelism,
                boolean timed,
                Frame frame,
                @Nullable BroadcastStates broadcasts,
                @Nullable Codec<Object> keyCopies,
                Type<Object> keyType) {
            super(name, task, parallelism, timed, frame, broadcasts);
            this.keyCopies = keyCopies;
            this.keyType = keyType;
            timerState = new KeyedState(
                    new StateName(name, "timers"), StateFormat.ofKeys("times", keyType), keyType.codec());
        }

        @Override
        void save(TaskState to) {
            super.save(to);
            for (UserState<?> state : states.values()) {
                state.save(to);
            }
            to.declare(timerState.name(), timerState.format());
            timers.forEach((time, keys) ->
                    keys.forEach(key -> timerState.entry(key, to).writeVarLong(time)));
        }

        @Override
        void restore(Restored from) {
            super.restore(from);
            from.saved().checkDeclared(operator(), DECLARED, states.keySet());
            for (UserState<?> state : states.values()) {
                state.restore(from);
            }
            for (SavedState.Piece piece : timerState.pieces(from)) {
                ByteReader in = piece.in();
                while (in.remaining() > 0) {
                    Object key = timerState.key(piece);
                    timers.computeIfAbsent(in.readVarLong(), t -> new LinkedHashSet<>())
                            .add(key);
                }
            }
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
            timers.computeIfAbsent(time, t -> new LinkedHashSet<>()).add(keptKey());
        }

        @Override
        public void cancelTimer(long time) {
            Set<Object> keys = timers.get(time);
            if (keys != null && keys.remove(key()) && keys.isEmpty()) {
                timers.remove(time);
            }
        }
    }

    @Override
    public String operator() {
        return context.operator();
    }

    @Override
    public void open() throws Exception {
        opened = true;
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
        while (!context.timers.isEmpty() && context.timers.firstKey() <= watermark) {
            if (frame.blocked) {
                return false;
            }
            long time = context.timers.firstKey();
            Set<Object> keys = context.timers.firstEntry().getValue();
            Object first = keys.iterator().next();
            keys.remove(first);
            if (keys.isEmpty()) {
                context.timers.remove(time);
            }
            fire(first, time);
        }
        return true;
    }

    private void fire(Object first, long time) throws Exception {
        context.current = first;
        frame.time = time;
        frame.stamp = Math.max(time - 1, frame.watermark); // a timer may have been set for a time long gone
        try {
            operator.onTimer(first, time, output);
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
        Set<Object> keys = windows ? context.timers.get(Long.MAX_VALUE) : null;
        return keys == null ? 0 : keys.size();
    }

    @Override
    public void close() throws Exception {
        if (opened) {
            operator.close();
        }
    }
}
