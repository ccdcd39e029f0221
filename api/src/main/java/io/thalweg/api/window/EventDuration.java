// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.window;

import java.time.Duration;

/** Checks durations between event times, which must be whole milliseconds. */
public final class EventDuration {
    /** So long that adding it to any event time does not overflow: over 70 million years. */
    private static final Duration LONGEST = Duration.ofMillis(Long.MAX_VALUE / 4);

    private EventDuration() {}

    /**
     * Converts a duration to milliseconds.
     *
     * @param what begins the message of the exception, such as {@code the size of a window}
     * @return milliseconds, possibly negative
     * @throws IllegalArgumentException if it is longer than any time between two records, or includes part of a
     *     millisecond
     */
    public static long millis(String what, Duration duration) {
        // abs() of the longest negative one overflows
        if (duration.compareTo(LONGEST) > 0 || duration.compareTo(LONGEST.negated()) < 0) {
            throw new IllegalArgumentException(
                    what + " is " + duration + ", which is too long; it may be 70 million years");
        }
        if (duration.toNanosPart() % 1_000_000 != 0) {
            throw new IllegalArgumentException(
                    what + " is " + duration + ", which is no whole number of milliseconds; event times are");
        }
        return duration.toMillis();
    }

    /**
     * The same as {@link #millis}, for a duration that must not be negative.
     *
     * @throws IllegalArgumentException if it is negative, too long, or includes part of a millisecond
     */
    public static long atLeastZero(String what, Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException(what + " is " + duration + "; it must not be negative");
        }
        return millis(what, duration);
    }
}
