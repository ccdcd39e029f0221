// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import org.jspecify.annotations.Nullable;

/**
 * One value per key; each call refers to the value of the current key. A value must not be changed in place: {@link
 * #set} a new one. A change without {@link #set} may be lost, because a runner may keep the value serialized.
 *
 * @param <S> values
 */
public interface ValueState<S> {
    /** The value of the current key; null if there is none. */
    @Nullable S get();

    /**
     * Replaces the value of the current key.
     *
     * @throws NullValueException if the value is null; {@link #clear} removes a value
     */
    void set(S value);

    /** Removes the value of the current key. */
    void clear();
}
