// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import org.jspecify.annotations.Nullable;

/**
 * A mutable reference: the accumulator of minimum, maximum, first, last and reduce. Not thread-safe.
 *
 * @param <V> values
 */
public final class ValueCell<V> {
    /** The current value; null before the first. */
    public @Nullable V value;
}
