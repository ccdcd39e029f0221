// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A map that is identical in every task of an operator: only broadcast records change it, and every task receives all
 * of them. A checkpoint saves it once; after a restore every task has it, also if there are more tasks than before.
 *
 * <p>It may be read in any call, but changed only in {@code processBroadcast}: elsewhere {@link #put}, {@link #remove}
 * and {@link #clear} throw an {@link IllegalStateException}. To keep the tasks identical, what {@code processBroadcast}
 * does must depend only on the record and on broadcast state, not on the task or the clock; and, if several tasks emit
 * broadcast records, not on their order, which may differ between tasks. Values must not be changed in place: {@link
 * #put} a new one. A null throws {@link NullValueException}. Entries are in no particular order.
 *
 * @param <F> keys of the map, compared by {@code equals}
 * @param <V> values
 */
public interface BroadcastState<F, V> extends Iterable<Map.Entry<F, V>> {
    /** The value of a key; null if there is none. */
    @Nullable V get(F field);

    /** Whether the map has an entry for the key. */
    default boolean contains(F field) {
        return get(field) != null;
    }

    /** Whether the map has no entries. */
    default boolean isEmpty() {
        return !iterator().hasNext();
    }

    /**
     * Adds or replaces an entry. Only in {@code processBroadcast}.
     *
     * @throws IllegalStateException in any other call
     * @throws NullValueException if the value is null
     */
    void put(F field, V value);

    /**
     * Removes an entry if it exists. Only in {@code processBroadcast}.
     *
     * @throws IllegalStateException in any other call
     */
    void remove(F field);

    /**
     * Removes all entries. Only in {@code processBroadcast}.
     *
     * @throws IllegalStateException in any other call
     */
    void clear();
}
