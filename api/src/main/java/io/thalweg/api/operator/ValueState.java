// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import org.jspecify.annotations.Nullable;

/**
 * One value per key; each call means the value of the current key. A value must not be changed in place: set a new one. What is
 * changed without {@link #set} may or may not be there later, because a road may keep the value as bytes.
 */
public interface ValueState<S> {
    /** Null if this key has none. */
    @Nullable S get();

    /** @throws NullValueException if the value is null: {@link #clear} removes one */
    void set(S value);

    void clear();
}
