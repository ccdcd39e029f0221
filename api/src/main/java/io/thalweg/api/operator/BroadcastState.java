// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A map that is the same in every task of an operator, because only broadcast records change it, and every task is handed all of
 * them. A checkpoint saves it once; after a restore every task has it, also one that there was not before.
 *
 * <p>It may be read in any call, and changed in {@code processBroadcast} only: {@link #put}, {@link #remove} and {@link #clear}
 * throw an IllegalStateException elsewhere. What {@code processBroadcast} makes of a record must depend on that record and on
 * broadcast state alone, not on the task or the clock; and not on the order of broadcast records if several tasks emit them, since
 * that order may differ from task to task. Values must not be changed in place: {@link #put} a new one. A null throws {@link
 * NullValueException}. Entries come in no particular order.
 *
 * @param <F> keys of the map, found by {@code equals}
 * @param <V> values
 */
public interface BroadcastState<F, V> extends Iterable<Map.Entry<F, V>> {
    /** Null if the map has no such key. */
    @Nullable V get(F field);

    default boolean contains(F field) {
        return get(field) != null;
    }

    default boolean isEmpty() {
        return !iterator().hasNext();
    }

    /** Adds an entry, or replaces it. */
    void put(F field, V value);

    void remove(F field);

    /** Removes all entries. */
    void clear();
}
