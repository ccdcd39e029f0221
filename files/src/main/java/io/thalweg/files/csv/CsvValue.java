// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.csv;

import io.thalweg.files.record.Decimal;
import io.thalweg.files.record.EpochForm;
import io.thalweg.files.record.IsoTimes;
import io.thalweg.files.record.Part;
import io.thalweg.files.record.TextForm;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes a value of a field that is not null.
 *
 * @param form what is expected, for messages
 */
record CsvValue(String form, Parse parse) {
    static final CsvValue LONG = whole("a long", Long.MIN_VALUE, Long.MAX_VALUE, value -> value);
    static final CsvValue DOUBLE = new CsvValue("a number that fits a double", CsvValue::toDouble);

    private static final Map<Class<?>, CsvValue> BY_CLASS = byClass();

    private static final Map<Class<?>, Parse> USUAL_TIMES =
            Map.of(Instant.class, IsoTimes::instant, LocalDate.class, IsoTimes::date);

    @FunctionalInterface
    interface Parse {
        /** Null if the bytes, which are valid UTF-8, have another form. */
        @Nullable Object value(byte[] bytes, int from, int to);
    }

    /** Null if values of the component cannot be read. */
    static @Nullable CsvValue of(Part part) {
        EpochForm epoch = part.epoch();
        if (epoch != null) {
            return new CsvValue(epoch.form(), (bytes, from, to) -> {
                BigDecimal number = isNumber(bytes, from, to) ? Decimal.toBigDecimal(bytes, from, to) : null;
                return number == null ? null : epoch.instant(number);
            });
        }
        CsvValue known = part.form() == null ? BY_CLASS.get(part.raw()) : null;
        if (known != null) {
            return known;
        }
        TextForm form = part.form() == null ? TextForm.of(part.raw()) : part.form();
        if (form == null) {
            return null;
        }
        Parse any = (bytes, from, to) -> form.parse(text(bytes, from, to));
        Parse usual = part.form() == null ? USUAL_TIMES.get(part.raw()) : null;
        return new CsvValue(
                form.form(),
                usual == null
                        ? any
                        : (bytes, from, to) -> {
                            Object value = usual.value(bytes, from, to);
                            return value != null ? value : any.value(bytes, from, to);
                        });
    }

    private static Map<Class<?>, CsvValue> byClass() {
        Map<Class<?>, CsvValue> values = new HashMap<>();
        values.put(String.class, new CsvValue("a text", CsvValue::text));
        values.put(long.class, LONG);
        values.put(Long.class, LONG);
        CsvValue anInt = whole("an int", Integer.MIN_VALUE, Integer.MAX_VALUE, value -> (int) value);
        values.put(int.class, anInt);
        values.put(Integer.class, anInt);
        CsvValue aShort = whole("a short", Short.MIN_VALUE, Short.MAX_VALUE, value -> (short) value);
        values.put(short.class, aShort);
        values.put(Short.class, aShort);
        CsvValue aByte = whole("a byte", Byte.MIN_VALUE, Byte.MAX_VALUE, value -> (byte) value);
        values.put(byte.class, aByte);
        values.put(Byte.class, aByte);
        values.put(double.class, DOUBLE);
        values.put(Double.class, DOUBLE);
        CsvValue aFloat = new CsvValue("a number that fits a float", CsvValue::toFloat);
        values.put(float.class, aFloat);
        values.put(Float.class, aFloat);
        CsvValue truth = new CsvValue("true or false", CsvValue::toBoolean);
        values.put(boolean.class, truth);
        values.put(Boolean.class, truth);
        values.put(
                BigDecimal.class,
                new CsvValue(
                        "a number that fits a BigDecimal",
                        (bytes, from, to) -> isNumber(bytes, from, to) ? Decimal.toBigDecimal(bytes, from, to) : null));
        values.put(
                BigInteger.class,
                new CsvValue(
                        "a whole number of at most " + Decimal.MAX_BIG_LENGTH + " characters", CsvValue::toBigInteger));
        return values;
    }

    private interface Narrow {
        Object of(long value);
    }

    private static CsvValue whole(String type, long least, long greatest, Narrow narrow) {
        return new CsvValue("a whole number that fits " + type, (bytes, from, to) -> {
            int at = from < to && bytes[from] == '-' ? from + 1 : from;
            if (at == to) {
                return null;
            }
            // Negative, for there is one more of those.
            long value = 0;
            for (int i = at; i < to; i++) {
                int digit = bytes[i] - '0';
                if (digit < 0 || digit > 9 || value < Long.MIN_VALUE / 10 || value * 10 < Long.MIN_VALUE + digit) {
                    return null;
                }
                value = value * 10 - digit;
            }
            if (at == from) {
                if (value == Long.MIN_VALUE) {
                    return null;
                }
                value = -value;
            }
            return value < least || value > greatest ? null : narrow.of(value);
        });
    }

    private static @Nullable Object toDouble(byte[] bytes, int from, int to) {
        if (!isNumber(bytes, from, to)) {
            return notFinite(bytes, from, to);
        }
        double value = Decimal.toDouble(bytes, from, to);
        return Double.isInfinite(value) ? null : (Object) value;
    }

    private static @Nullable Object toFloat(byte[] bytes, int from, int to) {
        if (!isNumber(bytes, from, to)) {
            Double value = notFinite(bytes, from, to);
            return value == null ? null : (Object) value.floatValue();
        }
        float value = Decimal.toFloat(bytes, from, to);
        return Float.isInfinite(value) ? null : (Object) value;
    }

    /** As Java prints them. */
    private static @Nullable Double notFinite(byte[] bytes, int from, int to) {
        return switch (to - from > 9 ? "" : text(bytes, from, to)) {
            case "NaN" -> Double.NaN;
            case "Infinity" -> Double.POSITIVE_INFINITY;
            case "-Infinity" -> Double.NEGATIVE_INFINITY;
            default -> null;
        };
    }

    private static @Nullable Object toBoolean(byte[] bytes, int from, int to) {
        return switch (to - from > 5 ? "" : text(bytes, from, to)) {
            case "true" -> true;
            case "false" -> false;
            default -> null;
        };
    }

    private static @Nullable Object toBigInteger(byte[] bytes, int from, int to) {
        int at = from < to && bytes[from] == '-' ? from + 1 : from;
        return at < to && to - from <= Decimal.MAX_BIG_LENGTH && digitsEnd(bytes, at, to) == to
                ? new BigInteger(text(bytes, from, to))
                : null;
    }

    /** As in JSON, save that zeros may lead. */
    private static boolean isNumber(byte[] bytes, int from, int to) {
        int at = from < to && bytes[from] == '-' ? from + 1 : from;
        int end = digitsEnd(bytes, at, to);
        if (end == at) {
            return false;
        }
        if (end < to && bytes[end] == '.') {
            at = end + 1;
            end = digitsEnd(bytes, at, to);
            if (end == at) {
                return false;
            }
        }
        if (end < to && (bytes[end] | 0x20) == 'e') {
            at = end + 1;
            at += at < to && (bytes[at] == '+' || bytes[at] == '-') ? 1 : 0;
            end = digitsEnd(bytes, at, to);
            return end > at && end == to;
        }
        return end == to;
    }

    private static int digitsEnd(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && bytes[at] >= '0' && bytes[at] <= '9') {
            at++;
        }
        return at;
    }

    static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }
}
