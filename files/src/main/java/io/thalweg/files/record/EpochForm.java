// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.record;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Instants as numbers.
 *
 * @param unit SECONDS, MILLIS, MICROS or NANOS
 * @param decimals of a second that the unit has: 3 for milliseconds
 */
public record EpochForm(ChronoUnit unit, int decimals) {
    private static final int NANO_DECIMALS = 9;

    /** @throws IllegalArgumentException if instants are not counted in the unit */
    static EpochForm of(ChronoUnit unit) {
        return new EpochForm(
                unit,
                switch (unit) {
                    case SECONDS -> 0;
                    case MILLIS -> 3;
                    case MICROS -> 6;
                    case NANOS -> NANO_DECIMALS;
                    default ->
                        throw new IllegalArgumentException(
                                "@Epoch counts SECONDS, MILLIS, MICROS or NANOS, not " + unit);
                });
    }

    /** {@code a number of MILLIS since 1970}. */
    public String form() {
        return "a number of " + unit + " since 1970";
    }

    /** Null if it is beyond what an Instant holds, or finer than nanoseconds. */
    public @Nullable Instant instant(BigDecimal number) {
        try {
            BigDecimal seconds = number.movePointLeft(decimals);
            BigDecimal whole = seconds.setScale(0, java.math.RoundingMode.FLOOR);
            return Instant.ofEpochSecond(
                    whole.longValueExact(),
                    seconds.subtract(whole).movePointRight(NANO_DECIMALS).longValueExact());
        } catch (ArithmeticException | DateTimeException e) {
            return null;
        }
    }

    /** A Long if it has no decimals. */
    public Number number(Instant instant) {
        BigDecimal number = BigDecimal.valueOf(instant.getEpochSecond())
                .add(BigDecimal.valueOf(instant.getNano(), NANO_DECIMALS))
                .movePointRight(decimals)
                .stripTrailingZeros();
        if (number.scale() > 0) {
            return number;
        }
        BigDecimal whole = number.setScale(0);
        return whole.precision() <= 18 ? (Number) whole.longValueExact() : whole;
    }
}
