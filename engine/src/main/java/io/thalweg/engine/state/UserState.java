// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.Type;
import io.thalweg.api.operator.ListState;
import io.thalweg.api.operator.MapState;
import io.thalweg.api.operator.NullValueException;
import io.thalweg.api.operator.ValueState;
import io.thalweg.engine.checkpoint.Restored;
import io.thalweg.engine.checkpoint.SavedState;
import io.thalweg.engine.checkpoint.TaskState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A state that a user's operator declared: what it keeps for each key. */
final class UserState<S> {
    private final Map<Object, S> values = new HashMap<>();
    private final String name;
    private final KeyedProcessStage.Context context;
    private final KeyedState saved;
    private final Type<S> type;
    private final Codec<S> codec;

    UserState(String name, KeyedProcessStage.Context context, KeyedState saved, Type<S> type) {
        this.name = name;
        this.context = context;
        this.saved = saved;
        this.type = type;
        codec = type.codec(); // one that cannot be saved is a mistake from the start
    }

    void save(TaskState to) {
        to.declare(saved.name(), saved.format());
        values.forEach((key, value) -> codec.encode(value, saved.entry(key, to)));
    }

    void restore(Restored from) {
        Codec<S> written = from.saved().reader(saved.name(), type);
        for (SavedState.Piece piece : saved.pieces(from)) {
            ByteReader in = piece.in();
            while (in.remaining() > 0) {
                Object key = saved.key(piece);
                values.put(key, written.decode(in));
            }
        }
    }

    int size() {
        return values.size();
    }

    /** Bytes of heap; a few entries are looked at. */
    long bytes() {
        return HeapSize.of(values);
    }

    private @Nullable S get() {
        return values.get(context.key());
    }

    private void put(S value) {
        if (values.replace(context.key(), value) == null) {
            values.put(context.keptKey(), value);
        }
    }

    private void remove() {
        values.remove(context.key());
    }

    private void checkNotNull(@Nullable Object value) {
        if (value == null) {
            throw NullValueException.ofState(name);
        }
    }

    record OfValue<S>(UserState<S> state) implements ValueState<S> {
        @Override
        public @Nullable S get() {
            return state.get();
        }

        @Override
        public void set(S value) {
            state.checkNotNull(value);
            state.put(value);
        }

        @Override
        public void clear() {
            state.remove();
        }
    }

    record OfList<E>(UserState<List<E>> state) implements ListState<E> {
        @Override
        public Iterator<E> iterator() {
            List<E> list = state.get();
            return list == null ? Collections.emptyIterator() : new Elements<>(list.iterator());
        }

        /** Removes nothing. */
        private record Elements<E>(Iterator<E> of) implements Iterator<E> {
            @Override
            public boolean hasNext() {
                return of.hasNext();
            }

            @Override
            public E next() {
                return of.next();
            }
        }

        @Override
        public void add(E element) {
            state.checkNotNull(element);
            List<E> list = state.get();
            if (list == null) {
                list = new ArrayList<>();
                state.put(list);
            }
            list.add(element);
        }

        @Override
        public void set(List<? extends E> elements) {
            state.checkNotNull(elements);
            elements.forEach(state::checkNotNull);
            if (elements.isEmpty()) {
                state.remove();
            } else {
                state.put(new ArrayList<>(elements));
            }
        }

        @Override
        public void clear() {
            state.remove();
        }
    }

    record OfMap<F, V>(UserState<Map<F, V>> state) implements MapState<F, V> {
        @Override
        public Iterator<Map.Entry<F, V>> iterator() {
            Map<F, V> map = state.get();
            if (map == null) {
                return Collections.emptyIterator();
            }
            Iterator<Map.Entry<F, V>> entries = map.entrySet().iterator();
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
                    removeIfEmpty(map);
                }
            };
        }

        @Override
        public @Nullable V get(F field) {
            state.checkNotNull(field);
            Map<F, V> map = state.get();
            return map == null ? null : map.get(field);
        }

        @Override
        public void put(F field, V value) {
            state.checkNotNull(field);
            state.checkNotNull(value);
            Map<F, V> map = state.get();
            if (map == null) {
                map = new LinkedHashMap<>();
                state.put(map);
            }
            map.put(field, value);
        }

        @Override
        public void remove(F field) {
            state.checkNotNull(field);
            Map<F, V> map = state.get();
            if (map != null) {
                map.remove(field);
                removeIfEmpty(map);
            }
        }

        private void removeIfEmpty(Map<F, V> map) {
            if (map.isEmpty()) {
                state.remove();
            }
        }

        @Override
        public void clear() {
            state.remove();
        }
    }
}
