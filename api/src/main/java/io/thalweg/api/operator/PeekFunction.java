// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.io.Serializable;

/**
 * Is called for each record of a stream, for its side effect. One instance serves all tasks, on several threads.
 *
 * @param <T> records
 */
@FunctionalInterface
public interface PeekFunction<T> extends Serializable {
    /** Receives a record, which must not be changed. */
    void accept(T value) throws Exception;
}
