// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import org.jspecify.annotations.Nullable;

/** One value per key; each call means the value of the key in hand. */
public interface ValueState<S> {
    /** Null where this key has none. */
    @Nullable S get();

    void set(S value);

    void clear();
}
