// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.io.Serializable;

/**
 * Reads a double from a record. One instance serves all tasks, on several threads.
 *
 * @param <T> records
 */
@FunctionalInterface
public interface ToDouble<T> extends Serializable {
    /** The value of a record. */
    double apply(T value) throws Exception;
}
