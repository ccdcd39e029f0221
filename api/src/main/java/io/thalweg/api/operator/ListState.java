// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.util.List;

/**
 * A list per key; each call means the list of the current key. A key that has none yet has an empty list. Elements must not be
 * changed in place: {@link #set} a new list. Iterate over it before or after adding, not meanwhile; its iterator does not remove.
 *
 * <pre>{@code
 * private ListState<Reading> recent;
 *
 * public void open(KeyedContext context) {
 *     recent = context.listState("recent", Type.of(Reading.class));
 * }
 * }</pre>
 */
public interface ListState<E> extends Iterable<E> {
    /**
     * Appends an element.
     *
     * @throws NullValueException if the element is null
     */
    void add(E element);

    /**
     * Replaces the list; an empty one is the same as {@link #clear}. The list is copied.
     *
     * @throws NullValueException if the list is null, or holds a null
     */
    void set(List<? extends E> elements);

    default boolean isEmpty() {
        return !iterator().hasNext();
    }

    /** Removes the list. */
    void clear();
}
