// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.io.Serializable;

/** Turns one record into one other. Must not return null: leave records out with a filter. */
@FunctionalInterface
public interface MapFunction<T, R> extends Serializable {
    R apply(T value) throws Exception;
}
