// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.io.Serializable;

/** The part of an aggregate whose accumulator is one long that begins at 0 and is the result: count, sum. */
public interface LongFold<T> extends Serializable {
    long fold(long sofar, T value) throws Exception;

    long join(long sofar, long other);
}
