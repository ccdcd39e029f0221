// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.record;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The form that a date or time has in files, instead of ISO 8601: {@code @Pattern("dd.MM.yyyy HH:mm") LocalDateTime at}. What
 * is read must have just this form and exist: the 31st of April is bad. What the pattern leaves out is not written, and
 * lost.
 *
 * <p>For Instant, LocalDate, LocalTime, LocalDateTime, OffsetDateTime and ZonedDateTime.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Pattern {
    /** As {@link java.time.format.DateTimeFormatter} has it. */
    String value();

    /**
     * The zone that the text is in, such as {@code Europe/Berlin} or {@code UTC}, if the pattern itself has none; needed for
     * an Instant, an OffsetDateTime and a ZonedDateTime. Where clocks are set back, the first of two equal times is meant.
     */
    String zone() default "";

    /** The language of the names of months and days, such as {@code de}. */
    String locale() default "en";
}
