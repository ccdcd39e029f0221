// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Reads a value from a record that may have none. One instance serves all tasks, on several threads.
 *
 * @param <T> records
 * @param <R> values
 */
@FunctionalInterface
public interface NullableFunction<T, R> extends Serializable {
    /** The value; null if there is none. */
    @Nullable R apply(T value) throws Exception;
}
