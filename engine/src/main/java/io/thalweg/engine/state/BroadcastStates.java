// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.Type;
import io.thalweg.api.operator.BroadcastState;
import io.thalweg.api.operator.NullValueException;
import io.thalweg.engine.checkpoint.Restored;
import io.thalweg.engine.checkpoint.StateFormat;
import io.thalweg.engine.checkpoint.StateName;
import io.thalweg.engine.checkpoint.TaskState;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The broadcast states of one task. They are the same in every task, so that the first task saves them for all. */
final class BroadcastStates {
    /** Begins the name of such a state in a checkpoint. */
    private static final String DECLARED = "broadcast ";

    private final String operator;
    private final boolean saves;
    private final Map<String, OfMap<?, ?>> states = new TreeMap<>();
    private boolean changing;

    BroadcastStates(String operator, int task) {
        this.operator = operator;
        saves = task == 0;
    }

    /** The current record is, or no longer is, a broadcast record. */
    void changing(boolean now) {
        changing = now;
    }

    <F, V> BroadcastState<F, V> declare(String name, Type<F> field, Type<V> value) {
        OfMap<F, V> state = new OfMap<>(name, Type.map(field, value));
        if (states.put(name, state) != null) {
            throw new IllegalStateException("broadcast state '" + name + "' is declared twice");
        }
        return state;
    }

    void save(TaskState to) {
        if (saves) {
            states.values().forEach(state -> state.save(to));
        }
    }

    void restore(Restored from) {
        from.saved().checkDeclared(operator, DECLARED, states.keySet());
        states.values().forEach(state -> state.restore(from));
    }

    private final class OfMap<F, V> implements BroadcastState<F, V> {
        private final Map<F, V> entries = new HashMap<>();
        private final String name;
        private final Type<Map<F, V>> type;
        private final Codec<Map<F, V>> codec;
        private final StateName saved;
        private final StateFormat format;

        OfMap(String name, Type<Map<F, V>> type) {
            this.name = name;
            this.type = type;
            codec = type.codec(); // one that cannot be saved is a mistake from the start
            saved = new StateName(operator, DECLARED + name);
            format = StateFormat.ofWhole("broadcast", type);
        }

        void save(TaskState to) {
            codec.encode(entries, to.whole(saved, format));
        }

        void restore(Restored from) {
            Codec<Map<F, V>> written = from.saved().reader(saved, type);
            for (ByteReader each : from.saved().whole(saved, format)) {
                entries.putAll(written.decode(each));
            }
        }

        private void checkChanging() {
            if (!changing) {
                throw new IllegalStateException("broadcast state '" + name + "' is changed outside of processBroadcast;"
                        + " it would no longer be the same in every task");
            }
        }

        private <T> T notNull(@Nullable T given) {
            if (given == null) {
                throw NullValueException.ofState(name);
            }
            return given;
        }

        @Override
        public @Nullable V get(F field) {
            return entries.get(notNull(field));
        }

        @Override
        public void put(F field, V value) {
            checkChanging();
            entries.put(notNull(field), notNull(value));
        }

        @Override
        public void remove(F field) {
            checkChanging();
            entries.remove(notNull(field));
        }

        @Override
        public void clear() {
            checkChanging();
            entries.clear();
        }

        @Override
        public Iterator<Map.Entry<F, V>> iterator() {
            Iterator<Map.Entry<F, V>> each = entries.entrySet().iterator();
            return new Iterator<>() {
                @Override
                public boolean hasNext() {
                    return each.hasNext();
                }

                @Override
                public Map.Entry<F, V> next() {
                    Map.Entry<F, V> entry = each.next();
                    return Map.entry(entry.getKey(), entry.getValue());
                }

                @Override
                public void remove() {
                    checkChanging();
                    each.remove();
                }
            };
        }
    }
}
