// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.stage;

import io.thalweg.api.operator.ListState;
import io.thalweg.api.operator.MapState;
import io.thalweg.api.operator.NullValueException;
import io.thalweg.api.operator.ValueState;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.flink.util.function.SupplierWithException;
import org.apache.flink.util.function.ThrowingRunnable;
import org.jspecify.annotations.Nullable;

/** A state that a user's operator declared, kept in Flink's keyed state. */
record UserState(String name, Keys keys) {
    /** Says whether there is a current key. */
    interface Keys {
        /** @throws IllegalStateException if there is none */
        void checkKey();
    }

    private void checkNotNull(@Nullable Object value) {
        if (value == null) {
            throw NullValueException.ofState(name);
        }
    }

    private <R extends @Nullable Object> R read(SupplierWithException<R, Exception> access) {
        keys.checkKey();
        try {
            return access.get();
        } catch (Exception e) {
            throw failure(e);
        }
    }

    private void write(ThrowingRunnable<Exception> access) {
        keys.checkKey();
        try {
            access.run();
        } catch (Exception e) {
            throw failure(e);
        }
    }

    private IllegalStateException failure(Exception e) {
        return new IllegalStateException("state '" + name + "' cannot be accessed: " + e.getMessage(), e);
    }

    record OfValue<S>(UserState state, org.apache.flink.api.common.state.ValueState<S> values)
            implements ValueState<S> {
        @Override
        public @Nullable S get() {
            return state.<@Nullable S>read(values::value);
        }

        @Override
        public void set(S value) {
            state.checkNotNull(value);
            state.write(() -> values.update(value));
        }

        @Override
        public void clear() {
            state.write(values::clear);
        }
    }

    record OfList<E>(UserState state, org.apache.flink.api.common.state.ListState<E> lists) implements ListState<E> {
        @Override
        public Iterator<E> iterator() {
            Iterable<E> list = state.<@Nullable Iterable<E>>read(lists::get);
            if (list == null) {
                return Collections.emptyIterator();
            }
            Iterator<E> elements = list.iterator();
            return new Iterator<>() {
                @Override
                public boolean hasNext() {
                    return elements.hasNext();
                }

                @Override
                public E next() {
                    return elements.next();
                }
            };
        }

        @Override
        public void add(E element) {
            state.checkNotNull(element);
            state.write(() -> lists.add(element));
        }

        @Override
        public void set(List<? extends E> elements) {
            state.checkNotNull(elements);
            elements.forEach(state::checkNotNull);
            state.write(() -> lists.update(List.copyOf(elements)));
        }

        @Override
        public void clear() {
            state.write(lists::clear);
        }
    }

    record OfMap<F, V>(UserState state, org.apache.flink.api.common.state.MapState<F, V> maps)
            implements MapState<F, V> {
        @Override
        public Iterator<Map.Entry<F, V>> iterator() {
            Iterator<Map.Entry<F, V>> entries = state.<@Nullable Iterator<Map.Entry<F, V>>>read(maps::iterator);
            if (entries == null) {
                return Collections.emptyIterator();
            }
            return new Iterator<>() {
                @Override
                public boolean hasNext() {
                    return entries.hasNext();
                }

                @Override
                public Map.Entry<F, V> next() {
                    Map.Entry<F, V> entry = entries.next();
                    return Map.entry(entry.getKey(), entry.getValue());
                }

                @Override
                public void remove() {
                    entries.remove();
                }
            };
        }

        @Override
        public @Nullable V get(F field) {
            state.checkNotNull(field);
            return state.<@Nullable V>read(() -> maps.get(field));
        }

        @Override
        public void put(F field, V value) {
            state.checkNotNull(field);
            state.checkNotNull(value);
            state.write(() -> maps.put(field, value));
        }

        @Override
        public void remove(F field) {
            state.checkNotNull(field);
            state.write(() -> maps.remove(field));
        }

        @Override
        public void clear() {
            state.write(maps::clear);
        }
    }
}
