// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import java.io.Serializable;

/**
 * Makes the record with a given index, for {@link Sources#generate(long, IndexFunction)}. Must be deterministic: the
 * same index always gives an equal record.
 *
 * @param <T> records
 */
@FunctionalInterface
public interface IndexFunction<T> extends Serializable {
    /**
     * The record with this index.
     *
     * @param index from 0
     * @return never null
     */
    T apply(long index) throws Exception;
}
