// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.stage;

import io.thalweg.api.codec.Type;
import io.thalweg.api.operator.BroadcastState;
import io.thalweg.api.operator.NullValueException;
import io.thalweg.flink.record.CodecSerializer;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.util.function.SupplierWithException;
import org.apache.flink.util.function.ThrowingRunnable;
import org.jspecify.annotations.Nullable;

/** The broadcast state of a user's operator, kept as Flink's broadcast state. */
final class BroadcastStates {
    private static final String PREFIX = "broadcast ";

    private final OperatorStateStore store;
    private final Set<String> names = new HashSet<>();
    private boolean changing;

    BroadcastStates(OperatorStateStore store) {
        this.store = store;
    }

    /** The names of the states, as in checkpoints. */
    Set<String> names() {
        return names.stream().map(name -> PREFIX + name).collect(Collectors.toSet());
    }

    /** Sets whether the current record is a broadcast record, which may change the state. */
    void changing(boolean now) {
        changing = now;
    }

    <F, V> BroadcastState<F, V> declare(String name, Type<F> field, Type<V> value) {
        if (!names.add(name)) {
            throw new IllegalStateException("broadcast state '" + name + "' is declared twice");
        }
        return new OfMap<>(
                name,
                read(
                        name,
                        () -> store.getBroadcastState(new MapStateDescriptor<>(
                                PREFIX + name, new CodecSerializer<>(field), new CodecSerializer<>(value)))));
    }

    private static <R extends @Nullable Object> R read(String name, SupplierWithException<R, Exception> access) {
        try {
            return access.get();
        } catch (Exception e) {
            throw failure(name, e);
        }
    }

    private static IllegalStateException failure(String name, Exception e) {
        return new IllegalStateException("broadcast state '" + name + "' cannot be accessed: " + e.getMessage(), e);
    }

    private final class OfMap<F, V> implements BroadcastState<F, V> {
        private final String name;
        private final org.apache.flink.api.common.state.BroadcastState<F, V> state;

        OfMap(String name, org.apache.flink.api.common.state.BroadcastState<F, V> state) {
            this.name = name;
            this.state = state;
        }

        private <T> T notNull(@Nullable T given) {
            if (given == null) {
                throw NullValueException.ofState(name);
            }
            return given;
        }

        private void change(ThrowingRunnable<Exception> access) {
            if (!changing) {
                throw new IllegalStateException("broadcast state '" + name + "' is changed outside of processBroadcast;"
                        + " it would no longer be the same in every task");
            }
            try {
                access.run();
            } catch (Exception e) {
                throw failure(name, e);
            }
        }

        @Override
        public @Nullable V get(F field) {
            F of = notNull(field);
            return BroadcastStates.<@Nullable V>read(name, () -> state.get(of));
        }

        @Override
        public void put(F field, V value) {
            F of = notNull(field);
            V given = notNull(value);
            change(() -> state.put(of, given));
        }

        @Override
        public void remove(F field) {
            F of = notNull(field);
            change(() -> state.remove(of));
        }

        @Override
        public void clear() {
            change(state::clear);
        }

        @Override
        public Iterator<Map.Entry<F, V>> iterator() {
            Iterator<Map.Entry<F, V>> each = read(name, state::iterator);
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
                    change(each::remove);
                }
            };
        }
    }
}
