// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.util.List;

/**
 * A list per key; each call refers to the list of the current key, which is empty at first. Elements must not be
 * changed in place: {@link #set} a new list. The list must not be changed while it is being iterated over, and its
 * iterator does not support {@code remove}.
 *
 * <pre>{@code
 * private ListState<Reading> recent;
 *
 * public void open(KeyedContext context) {
 *     recent = context.listState("recent", Type.of(Reading.class));
 * }
 * }</pre>
 *
 * @param <E> elements
 */
public interface ListState<E> extends Iterable<E> {
    /**
     * Appends an element.
     *
     * @throws NullValueException if the element is null
     */
    void add(E element);

    /**
     * Replaces the list with a copy of this one; an empty list is the same as {@link #clear}.
     *
     * @throws NullValueException if the list is null or contains a null
     */
    void set(List<? extends E> elements);

    /** Whether the list of the current key is empty. */
    default boolean isEmpty() {
        return !iterator().hasNext();
    }

    /** Removes the list of the current key. */
    void clear();
}
