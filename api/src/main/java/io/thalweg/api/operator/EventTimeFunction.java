// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.io.Serializable;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Reads a record's event time, in milliseconds since 1970-01-01 UTC; null says that it has none, which makes the record a bad one. */
@FunctionalInterface
public interface EventTimeFunction<T> extends Serializable {
    @Nullable Long apply(T value) throws Exception;

    /** Of a function that gives an instant; one that does not fit into milliseconds makes the record a bad one. */
    static <T> EventTimeFunction<T> ofInstant(NullableFunction<? super T, Instant> function) {
        return value -> {
            Instant instant = function.apply(value);
            try {
                return instant == null ? null : instant.toEpochMilli();
            } catch (ArithmeticException e) {
                throw new BadRecordException(
                        "its time does not fit into milliseconds: " + instant, String.valueOf(value));
            }
        };
    }
}
