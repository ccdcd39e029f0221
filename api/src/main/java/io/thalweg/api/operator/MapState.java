// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A map per key; each call refers to the map of the current key, which is empty at first. Values must not be changed in
 * place: {@link #put} a new one. Entries are in no particular order, which may differ between runners. The map must not
 * be changed while it is being iterated over, except through the iterator's {@code remove}. A null throws {@link
 * NullValueException}.
 *
 * <pre>{@code
 * private MapState<String, Long> visits;
 *
 * public void open(KeyedContext context) {
 *     visits = context.mapState("visits", Type.of(String.class), Type.of(Long.class));
 * }
 * }</pre>
 *
 * @param <F> keys of the map, compared by {@code equals}; not the keys of the stream
 * @param <V> values
 */
public interface MapState<F, V> extends Iterable<Map.Entry<F, V>> {
    /** The value of an entry; null if there is none. */
    @Nullable V get(F field);

    /** Whether there is an entry for this key of the map. */
    default boolean contains(F field) {
        return get(field) != null;
    }

    /**
     * Adds or replaces an entry.
     *
     * @throws NullValueException if the key or the value is null
     */
    void put(F field, V value);

    /** Removes an entry if it exists. */
    void remove(F field);

    /** Whether the map of the current key is empty. */
    default boolean isEmpty() {
        return !iterator().hasNext();
    }

    /** Removes all entries of the current key. */
    void clear();
}
