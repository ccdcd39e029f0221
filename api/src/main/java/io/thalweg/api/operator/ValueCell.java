// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import org.jspecify.annotations.Nullable;

/** A value that changes; null before the first. */
public final class ValueCell<V> {
    public @Nullable V value;
}
