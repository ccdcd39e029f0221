// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.io.Serializable;

/** Reads a long from a record. */
@FunctionalInterface
public interface ToLong<T> extends Serializable {
    long apply(T value) throws Exception;
}
