// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.io.Serializable;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Reads the event time of a record.
 *
 * @param <T> records
 */
@FunctionalInterface
public interface EventTimeFunction<T> extends Serializable {
    /**
     * The event time.
     *
     * @return milliseconds since 1970-01-01 UTC; null if the record has none, which makes it a bad record
     */
    @Nullable Long apply(T value) throws Exception;

    /**
     * A function that reads an {@link Instant}. An instant that does not fit into milliseconds makes the record a bad
     * one, as null does.
     */
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
