// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.record;

import java.time.Instant;
import java.time.LocalDate;
import java.time.Year;
import org.jspecify.annotations.Nullable;

/**
 * Instants and dates in the form that nearly all files have, {@code 2024-02-29T12:30:00.123Z} and {@code 2024-02-29}. java.time,
 * which is to be asked for all other forms, reads the same from it.
 */
public final class IsoTimes {
    private static final int DATE_LENGTH = 10;
    private static final int SECONDS_LENGTH = 19;
    private static final int NANO_DIGITS = 9;
    private static final int NONE = -1;

    private IsoTimes() {}

    /** Null if it has another form, or is no day. */
    public static @Nullable LocalDate date(byte[] bytes, int from, int to) {
        if (to - from != DATE_LENGTH || bytes[from + 4] != '-' || bytes[from + 7] != '-') {
            return null;
        }
        int century = two(bytes, from);
        int year = 100 * century + two(bytes, from + 2);
        int month = two(bytes, from + 5);
        int day = two(bytes, from + 8);
        if (century < 0 || two(bytes, from + 2) < 0 || year == 0 || month < 1 || month > 12 || day < 1) {
            return null;
        }
        return day <= days(year, month) ? LocalDate.of(year, month, day) : null;
    }

    private static int days(int year, int month) {
        return switch (month) {
            case 2 -> Year.isLeap(year) ? 29 : 28;
            case 4, 6, 9, 11 -> 30;
            default -> 31;
        };
    }

    /** Null if it has another form, or is no time; also for a leap second and the end of a day. */
    public static @Nullable Instant instant(byte[] bytes, int from, int to) {
        int point = from + SECONDS_LENGTH;
        if (to <= point || bytes[from + DATE_LENGTH] != 'T' || bytes[to - 1] != 'Z') {
            return null;
        }
        LocalDate date = date(bytes, from, from + DATE_LENGTH);
        int hour = two(bytes, from + 11);
        int minute = two(bytes, from + 14);
        int second = two(bytes, from + 17);
        boolean time = hour >= 0 && minute >= 0 && second >= 0 && hour < 24 && minute < 60 && second < 60;
        if (date == null || !time || bytes[from + 13] != ':' || bytes[from + 16] != ':') {
            return null;
        }
        int nanos = to - 1 == point ? 0 : nanos(bytes, point, to - 1);
        return nanos < 0
                ? null
                : Instant.ofEpochSecond(date.toEpochDay() * 86_400 + hour * 3_600L + minute * 60L + second, nanos);
    }

    private static int nanos(byte[] bytes, int point, int end) {
        int digits = end - point - 1;
        if (bytes[point] != '.' || digits < 1 || digits > NANO_DIGITS) {
            return NONE;
        }
        int nanos = 0;
        for (int i = 1; i <= NANO_DIGITS; i++) {
            int digit = i <= digits ? bytes[point + i] - '0' : 0;
            if (digit < 0 || digit > 9) {
                return NONE;
            }
            nanos = nanos * 10 + digit;
        }
        return nanos;
    }

    private static int two(byte[] bytes, int at) {
        int tens = bytes[at] - '0';
        int ones = bytes[at + 1] - '0';
        return tens < 0 || tens > 9 || ones < 0 || ones > 9 ? NONE : tens * 10 + ones;
    }
}
