// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** Reads a record's event time, in milliseconds since 1970-01-01 UTC; null says that it has none, which makes the record a bad one. */
@FunctionalInterface
public interface EventTimeFunction<T> extends Serializable {
    @Nullable Long apply(T value) throws Exception;
}
