// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A map per key; each call means the map of the current key. A key that has none yet has an empty map. Values must not be changed
 * in place: {@link #put} a new one. Entries come in no particular order, which may differ from road to road. Do not change the map
 * while iterating over it, except through the iterator's {@code remove}. A null throws {@link NullValueException}.
 *
 * <pre>{@code
 * private MapState<String, Long> visits;
 *
 * public void open(KeyedContext context) {
 *     visits = context.mapState("visits", Type.of(String.class), Type.of(Long.class));
 * }
 * }</pre>
 *
 * @param <F> keys of the map, found by {@code equals}; not those of the stream
 * @param <V> values
 */
public interface MapState<F, V> extends Iterable<Map.Entry<F, V>> {
    /** Null if the map has no such key. */
    @Nullable V get(F field);

    default boolean contains(F field) {
        return get(field) != null;
    }

    /** Adds an entry, or replaces it. */
    void put(F field, V value);

    void remove(F field);

    default boolean isEmpty() {
        return !iterator().hasNext();
    }

    /** Removes all entries. */
    void clear();
}
