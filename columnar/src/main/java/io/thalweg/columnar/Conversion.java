// SPDX-License-Identifier: Apache-2.0
package io.thalweg.columnar;

import io.thalweg.columnar.Declared.Scalar;
import io.thalweg.files.record.EpochForm;
import io.thalweg.files.record.MalformedException;
import io.thalweg.files.record.TextForm;
import io.thalweg.files.record.Utf8;
import java.lang.invoke.MethodType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Converts the values of a column to the type that a component declares. Any thread may call. */
@FunctionalInterface
public interface Conversion {
    /**
     * Converts one value.
     *
     * @param value of the class that {@link ColumnType.Kind} names; never null
     * @throws MalformedException if the component cannot hold the value: it is out of range, say; its offset means nothing
     */
    Object convert(Object value);

    /** The conversion from a column to a component; null if their types do not match. */
    static @Nullable Conversion of(ColumnType column, Scalar declared) {
        if (declared.form() != null) {
            return ofForm(column.kind(), declared.form());
        }
        return declared.epoch() != null ? ofEpoch(column.kind(), declared.epoch()) : of(column, declared.type());
    }

    private static @Nullable Conversion ofForm(ColumnType.Kind kind, TextForm form) {
        return switch (kind) {
            case TEXT -> value -> parsed(form, (String) value);
            case BYTES -> value -> parsed(form, text((byte[]) value));
            default -> null;
        };
    }

    private static Object parsed(TextForm form, String text) {
        Object parsed = form.parse(text);
        if (parsed == null) {
            throw new MalformedException(form.expected(text), 0);
        }
        return parsed;
    }

    private static @Nullable Conversion ofEpoch(ColumnType.Kind kind, EpochForm form) {
        return switch (kind) {
            case WHOLE, FLOATING, DECIMAL ->
                value -> {
                    Instant instant = value instanceof Number number && isFinite(number)
                            ? form.instant(new BigDecimal(number.toString()))
                            : null;
                    if (instant == null) {
                        throw new MalformedException(form.form() + " is expected, found " + value, 0);
                    }
                    return instant;
                };
            default -> null;
        };
    }

    private static boolean isFinite(Number number) {
        return !(number instanceof Double || number instanceof Float) || Double.isFinite(number.doubleValue());
    }

    private static @Nullable Conversion of(ColumnType column, Class<?> declared) {
        Class<?> to = MethodType.methodType(declared).wrap().returnType();
        return switch (column.kind()) {
            case BOOLEAN -> to == Boolean.class ? value -> value : null;
            case WHOLE -> ofWhole(to);
            case FLOATING -> ofFloating(to);
            case DECIMAL -> ofDecimal(to);
            case TEXT -> ofText(to);
            case BYTES -> ofBytes(to);
            case DATE -> to == LocalDate.class ? value -> time(() -> LocalDate.ofEpochDay((Long) value)) : null;
            case TIME ->
                to == LocalTime.class
                        ? value -> time(() -> LocalTime.ofNanoOfDay(
                                Math.multiplyExact((Long) value, Times.nanosPerUnit(column.digits()))))
                        : null;
            case INSTANT -> ofInstant(column.digits(), to);
            case LOCAL ->
                to == LocalDateTime.class
                        ? value -> time(() -> local(Times.instant((Long) value, column.digits())))
                        : null;
            case OLD_INSTANT -> ofInstant(to);
        };
    }

    private static @Nullable Conversion ofWhole(Class<?> to) {
        if (to == Long.class) {
            return value -> value instanceof Long ? value : outOfRange(value, "long");
        }
        if (to == Integer.class) {
            return value -> (int) within(value, Integer.MIN_VALUE, Integer.MAX_VALUE, "int");
        }
        if (to == Short.class) {
            return value -> (short) within(value, Short.MIN_VALUE, Short.MAX_VALUE, "short");
        }
        if (to == Byte.class) {
            return value -> (byte) within(value, Byte.MIN_VALUE, Byte.MAX_VALUE, "byte");
        }
        if (to == Double.class) {
            return value -> ((Number) value).doubleValue();
        }
        if (to == Float.class) {
            return value -> ((Number) value).floatValue();
        }
        if (to == BigInteger.class) {
            return Conversion::bigInteger;
        }
        return to == BigDecimal.class ? value -> new BigDecimal(bigInteger(value)) : null;
    }

    private static BigInteger bigInteger(Object value) {
        return value instanceof BigInteger big ? big : BigInteger.valueOf((Long) value);
    }

    private static long within(Object value, long least, long greatest, String type) {
        if (value instanceof Long number && number >= least && number <= greatest) {
            return number;
        }
        throw outOfRange(value, type);
    }

    private static MalformedException outOfRange(Object value, String type) {
        throw new MalformedException(value + " is out of the range of " + type, 0);
    }

    private static @Nullable Conversion ofFloating(Class<?> to) {
        if (to == Double.class) {
            return value -> ((Number) value).doubleValue();
        }
        if (to == Float.class) {
            return value -> {
                float near = ((Number) value).floatValue();
                if (Float.isInfinite(near) && !Double.isInfinite(((Number) value).doubleValue())) {
                    throw outOfRange(value, "float");
                }
                return near;
            };
        }
        return null;
    }

    private static @Nullable Conversion ofDecimal(Class<?> to) {
        if (to == BigDecimal.class) {
            return value -> value;
        }
        if (to == Double.class) {
            return value -> ((BigDecimal) value).doubleValue();
        }
        if (to == BigInteger.class) {
            return value -> {
                try {
                    return ((BigDecimal) value).toBigIntegerExact();
                } catch (ArithmeticException e) {
                    throw new MalformedException(value + " is not a whole number", 0);
                }
            };
        }
        return null;
    }

    private static @Nullable Conversion ofText(Class<?> to) {
        if (to == String.class) {
            return value -> value;
        }
        TextForm form = TextForm.of(to);
        return form == null ? null : value -> parsed(form, (String) value);
    }

    private static @Nullable Conversion ofBytes(Class<?> to) {
        if (to == byte[].class) {
            return value -> value;
        }
        return to == String.class ? value -> text((byte[]) value) : null;
    }

    /** @throws MalformedException if it is no UTF-8 */
    static String text(byte[] utf8) {
        int invalid = Utf8.firstInvalid(utf8, 0, utf8.length);
        if (invalid >= 0) {
            throw new MalformedException("byte " + invalid + " of the text is invalid UTF-8", invalid);
        }
        return new String(utf8, StandardCharsets.UTF_8);
    }

    /**
     * A decimal by its unscaled value in two's complement, the highest byte first.
     *
     * @throws MalformedException if there are no bytes
     */
    static BigDecimal decimal(byte[] unscaled, int scale) {
        if (unscaled.length == 0) {
            throw new MalformedException("a decimal has no bytes", 0);
        }
        return new BigDecimal(new BigInteger(unscaled), scale);
    }

    private static @Nullable Conversion ofInstant(int digits, Class<?> to) {
        if (to == Instant.class) {
            return value -> time(() -> Times.instant((Long) value, digits));
        }
        return to == OffsetDateTime.class
                ? value -> time(() -> Times.instant((Long) value, digits).atOffset(ZoneOffset.UTC))
                : null;
    }

    private static @Nullable Conversion ofInstant(Class<?> to) {
        if (to == Instant.class) {
            return value -> value;
        }
        return to == LocalDateTime.class ? value -> local((Instant) value) : null;
    }

    private static LocalDateTime local(Instant instant) {
        return LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
    }

    private static Object time(Supplier<Object> made) {
        try {
            return made.get();
        } catch (DateTimeException | ArithmeticException e) {
            throw new MalformedException("the time is out of range", 0);
        }
    }
}
