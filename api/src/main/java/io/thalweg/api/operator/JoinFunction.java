// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** Joins a record with the table's row for its key, or with null if the table has none. Returning null drops the record. */
@FunctionalInterface
public interface JoinFunction<T, U, R> extends Serializable {
    @Nullable R apply(T value, @Nullable U row) throws Exception;
}
