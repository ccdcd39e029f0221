// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** Reads a value from a record that may not be there. */
@FunctionalInterface
public interface NullableFunction<T, R> extends Serializable {
    @Nullable R apply(T value) throws Exception;
}
