// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.record;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.temporal.ChronoUnit;

/**
 * An Instant that is a number in files, counted from 1970-01-01T00:00:00Z: {@code @Epoch(ChronoUnit.MILLIS) Instant at}. It may
 * have decimals, down to nanoseconds, and is written with as many as it needs.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Epoch {
    /** SECONDS, MILLIS, MICROS or NANOS. */
    ChronoUnit value();
}
