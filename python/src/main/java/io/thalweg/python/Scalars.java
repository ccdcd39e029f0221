// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import io.thalweg.python.text.MalformedTextException;
import io.thalweg.python.text.Utf8;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.msgpack.core.MessageFormat;
import org.msgpack.core.MessageUnpacker;
import org.msgpack.value.ValueType;

/** Single values. */
final class Scalars {
    private static final int DOUBLE_BITS = 53;
    private static final int FLOAT_BITS = 24;

    private Scalars() {}

    private static final Map<Class<?>, Function<String, Object>> TEXTS = Map.of(
            Instant.class, text -> OffsetDateTime.parse(text).toInstant(),
            LocalDate.class, LocalDate::parse,
            LocalTime.class, LocalTime::parse,
            LocalDateTime.class, LocalDateTime::parse,
            OffsetDateTime.class, OffsetDateTime::parse,
            Duration.class, Duration::parse,
            UUID.class, Scalars::uuid);

    private static final Map<Class<?>, Shape> SHAPES = Map.of(
            String.class,
            Scalars::text,
            Boolean.class,
            Scalars::truth,
            Byte.class,
            in -> (byte) whole(in, Byte.MIN_VALUE, Byte.MAX_VALUE),
            Short.class,
            in -> (short) whole(in, Short.MIN_VALUE, Short.MAX_VALUE),
            Integer.class,
            in -> (int) whole(in, Integer.MIN_VALUE, Integer.MAX_VALUE),
            Long.class,
            in -> whole(in, Long.MIN_VALUE, Long.MAX_VALUE),
            Float.class,
            Scalars::smallReal,
            Double.class,
            Scalars::real,
            BigInteger.class,
            Scalars::bigInteger,
            byte[].class,
            Scalars::bytes);

    /** Null if values of this class are not single ones. */
    static @Nullable Shape of(Class<?> raw) {
        Shape known = SHAPES.get(raw);
        if (known != null) {
            return known;
        }
        if (raw == BigDecimal.class) {
            return Scalars::bigDecimal;
        }
        if (raw == Character.class) {
            return in -> character(text(in));
        }
        if (raw.isEnum()) {
            return in -> constant(raw, text(in));
        }
        Function<String, Object> parse = TEXTS.get(raw);
        return parse == null ? null : in -> parsed(raw, parse, text(in));
    }

    private static String text(MessageUnpacker in) throws IOException, MisfitException {
        if (type(in) != ValueType.STRING) {
            throw Shape.unexpected(in, "text");
        }
        byte[] bytes = in.readPayload(in.unpackRawStringHeader());
        try {
            return Utf8.text(bytes, 0, bytes.length);
        } catch (MalformedTextException e) {
            throw new MisfitException("a text that is no UTF-8: " + e.getMessage());
        }
    }

    private static Boolean truth(MessageUnpacker in) throws IOException, MisfitException {
        if (type(in) != ValueType.BOOLEAN) {
            throw Shape.unexpected(in, "True or False");
        }
        return in.unpackBoolean();
    }

    private static long whole(MessageUnpacker in, long least, long most) throws IOException, MisfitException {
        if (in.getNextFormat() != MessageFormat.UINT64) { // anything else fits into a long
            if (type(in) != ValueType.INTEGER) {
                throw Shape.unexpected(in, "a whole number");
            }
            long value = in.unpackLong();
            if (value >= least && value <= most) {
                return value;
            }
            throw outside(value, least, most);
        }
        BigInteger value = in.unpackBigInteger();
        if (value.bitLength() < Long.SIZE && value.longValue() <= most) {
            return value.longValue();
        }
        throw outside(value, least, most);
    }

    private static MisfitException outside(Object value, long least, long most) {
        return new MisfitException(
                "the number " + value + ", where one from " + least + " to " + most + " is expected");
    }

    private static BigInteger bigInteger(MessageUnpacker in) throws IOException, MisfitException {
        if (type(in) != ValueType.INTEGER) {
            throw Shape.unexpected(in, "a whole number");
        }
        return in.unpackBigInteger();
    }

    private static double real(MessageUnpacker in) throws IOException, MisfitException {
        return switch (type(in)) {
            case FLOAT -> in.unpackDouble();
            case INTEGER -> {
                BigInteger whole = in.unpackBigInteger();
                double near = whole.doubleValue();
                check(whole, DOUBLE_BITS, near, "double");
                yield near;
            }
            default -> throw Shape.unexpected(in, "a number");
        };
    }

    private static float smallReal(MessageUnpacker in) throws IOException, MisfitException {
        return switch (type(in)) {
            case FLOAT -> {
                double value = in.unpackDouble();
                float near = (float) value;
                if (Float.isInfinite(near) && !Double.isInfinite(value)) {
                    throw new MisfitException("the value " + value + ", which is out of the range of float");
                }
                yield near;
            }
            case INTEGER -> {
                BigInteger whole = in.unpackBigInteger();
                float near = whole.floatValue();
                check(whole, FLOAT_BITS, near, "float");
                yield near;
            }
            default -> throw Shape.unexpected(in, "a number");
        };
    }

    /**
     * Refuses a whole number that would be rounded.
     *
     * @param exactBits those of fewer bits are exact
     */
    private static void check(BigInteger whole, int exactBits, double near, String type) throws MisfitException {
        if (whole.bitLength() > exactBits
                && !new BigDecimal(near).toBigIntegerExact().equals(whole)) {
            throw new MisfitException("the whole number " + whole + ", which is not exact as a " + type
                    + "; return float(…) of it if it may be rounded");
        }
    }

    private static BigDecimal bigDecimal(MessageUnpacker in) throws IOException, MisfitException {
        return switch (type(in)) {
            case FLOAT -> (BigDecimal) parsed(BigDecimal.class, BigDecimal::new, Double.toString(in.unpackDouble()));
            case INTEGER -> new BigDecimal(in.unpackBigInteger());
            case STRING -> (BigDecimal) parsed(BigDecimal.class, BigDecimal::new, text(in));
            default -> throw Shape.unexpected(in, "a number");
        };
    }

    private static byte[] bytes(MessageUnpacker in) throws IOException, MisfitException {
        if (type(in) != ValueType.BINARY) {
            throw Shape.unexpected(in, "bytes");
        }
        return in.readPayload(in.unpackBinaryHeader());
    }

    private static Character character(String text) throws MisfitException {
        if (text.length() != 1) {
            throw new MisfitException("the text \"" + text + "\", where a single character is expected");
        }
        return text.charAt(0);
    }

    private static Object constant(Class<?> type, String name) throws MisfitException {
        for (Object each : type.getEnumConstants()) {
            if (((Enum<?>) each).name().equals(name)) {
                return each;
            }
        }
        throw new MisfitException(
                "the text \"" + name + "\", where a constant of " + type.getSimpleName() + " is expected");
    }

    private static Object parsed(Class<?> type, Function<String, Object> parse, String text) throws MisfitException {
        try {
            return parse.apply(text);
        } catch (DateTimeException | IllegalArgumentException e) {
            throw new MisfitException("the text \"" + text + "\", which is no " + type.getSimpleName());
        }
    }

    /** The JDK reads texts that are no UUID, and leaves digits out. */
    private static UUID uuid(String text) {
        UUID uuid = UUID.fromString(text);
        if (!uuid.toString().equalsIgnoreCase(text)) {
            throw new IllegalArgumentException();
        }
        return uuid;
    }

    private static ValueType type(MessageUnpacker in) throws IOException {
        return in.getNextFormat().getValueType();
    }
}
