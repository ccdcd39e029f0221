// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import java.io.Serializable;

/** Makes the record with a given index; the same index always gives an equal record. */
@FunctionalInterface
public interface IndexFunction<T> extends Serializable {
    T apply(long index) throws Exception;
}
