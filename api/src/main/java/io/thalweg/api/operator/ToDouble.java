// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.io.Serializable;

/** Reads a double from a record. */
@FunctionalInterface
public interface ToDouble<T> extends Serializable {
    double apply(T value) throws Exception;
}
