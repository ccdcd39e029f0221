// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.io.Serializable;

/** Looks at a record on its way. */
@FunctionalInterface
public interface PeekFunction<T> extends Serializable {
    void accept(T value) throws Exception;
}
