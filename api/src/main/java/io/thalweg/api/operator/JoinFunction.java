// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Combines a record with what was looked up for it: the table's row for its key, or the result of a request. One
 * instance serves all tasks, on several threads.
 *
 * @param <T> records in
 * @param <U> rows or results
 * @param <R> records out
 */
@FunctionalInterface
public interface JoinFunction<T, U, R> extends Serializable {
    /**
     * The joined record.
     *
     * @param row null if there is none for the record; must not be changed, since other records may share it
     * @return null to drop the record
     */
    @Nullable R apply(T value, @Nullable U row) throws Exception;
}
