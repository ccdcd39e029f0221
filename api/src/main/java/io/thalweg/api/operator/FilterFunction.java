// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.io.Serializable;

/** Says whether a record stays in the stream. */
@FunctionalInterface
public interface FilterFunction<T> extends Serializable {
    boolean test(T value) throws Exception;
}
