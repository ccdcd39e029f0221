// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python.arrow;

import io.thalweg.api.connector.ConnectorException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Which columns the classes of Java become. */
final class Cells {
    static final VarHandle INTS = view(int[].class);

    private static final VarHandle SHORTS = view(short[].class);
    private static final VarHandle LONGS = view(long[].class);
    private static final VarHandle FLOATS = view(float[].class);
    private static final VarHandle DOUBLES = view(double[].class);
    private static final long SECOND_NS = 1_000_000_000L;

    private static VarHandle view(Class<?> array) {
        return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.LITTLE_ENDIAN);
    }

    private Cells() {}

    private interface Maker {
        Column make(String name, boolean nullable);
    }

    private static final Map<Class<?>, Maker> EXACT = Map.ofEntries(
            entry(Void.class, Column.Nothing::new),
            entry(Boolean.class, Column.Bits::new),
            fixed(Byte.class, ArrowType.INT8, 1, (data, at, value) -> data[at] = (Byte) value, (in, at) -> in.get(at)),
            fixed(
                    Short.class,
                    ArrowType.INT16,
                    2,
                    (data, at, value) -> SHORTS.set(data, at, (short) (Short) value),
                    (in, at) -> in.getShort(at)),
            fixed(
                    Integer.class,
                    ArrowType.INT32,
                    4,
                    (data, at, value) -> INTS.set(data, at, (int) (Integer) value),
                    (in, at) -> in.getInt(at)),
            fixed(
                    Long.class,
                    ArrowType.INT64,
                    8,
                    (data, at, value) -> LONGS.set(data, at, (long) (Long) value),
                    (in, at) -> in.getLong(at)),
            fixed(
                    Float.class,
                    ArrowType.FLOAT,
                    4,
                    (data, at, value) -> FLOATS.set(data, at, (float) (Float) value),
                    (in, at) -> in.getFloat(at)),
            fixed(
                    Double.class,
                    ArrowType.DOUBLE,
                    8,
                    (data, at, value) -> DOUBLES.set(data, at, (double) (Double) value),
                    (in, at) -> in.getDouble(at)),
            fixed(
                    LocalDate.class,
                    ArrowType.DATE,
                    4,
                    (data, at, value) -> INTS.set(data, at, days((LocalDate) value)),
                    (in, at) -> LocalDate.ofEpochDay(in.getInt(at))),
            fixed(
                    Instant.class,
                    ArrowType.INSTANT,
                    8,
                    (data, at, value) -> LONGS.set(data, at, nanoseconds((Instant) value)),
                    (in, at) -> instant(in.getLong(at))),
            entry(String.class, text(String.class::cast)),
            entry(
                    byte[].class,
                    (name, nullable) ->
                            new Column.Various(name, ArrowType.BINARY, nullable, new Column.Various.Bytes() {
                                @Override
                                public byte[] bytes(Object value) {
                                    return (byte[]) value;
                                }

                                @Override
                                public Object value(byte[] bytes, int at, int length) {
                                    return java.util.Arrays.copyOfRange(bytes, at, at + length);
                                }
                            })));

    private static final Map<Class<?>, Maker> AS_TEXT = Map.of(
            Character.class, text(Object::toString),
            UUID.class, text(Object::toString),
            BigDecimal.class, text(Object::toString));

    /**
     * A column for values of a class; null if there is none.
     *
     * @param raw a primitive one stands for its wrapper
     * @param textToo whether it may be one of text, from which the value cannot be made again
     */
    static @Nullable Column of(String name, Class<?> raw, boolean nullable, boolean textToo) {
        Maker maker = EXACT.get(raw);
        if (maker == null && textToo) {
            maker = raw.isEnum() ? text(value -> ((Enum<?>) value).name()) : AS_TEXT.get(raw);
        }
        return maker == null ? null : maker.make(name, nullable);
    }

    private interface Put {
        void put(byte[] data, int at, Object value);
    }

    private interface Get {
        Object get(ByteBuffer in, int at);
    }

    private static Map.Entry<Class<?>, Maker> entry(Class<?> raw, Maker maker) {
        return Map.entry(raw, maker);
    }

    private static Map.Entry<Class<?>, Maker> fixed(Class<?> raw, ArrowType type, int width, Put put, Get get) {
        Column.Fixed.Cell cell = new Column.Fixed.Cell() {
            @Override
            public void put(byte[] data, int at, Object value) {
                put.put(data, at, value);
            }

            @Override
            public Object get(ByteBuffer in, int at) {
                return get.get(in, at);
            }
        };
        return entry(raw, (name, nullable) -> new Column.Fixed(name, type, nullable, width, cell));
    }

    private static Maker text(Function<Object, String> shown) {
        return (name, nullable) -> new Column.Various(name, ArrowType.UTF8, nullable, new TextCell(shown));
    }

    private static int days(LocalDate date) {
        long days = date.toEpochDay();
        if (days != (int) days) {
            throw new ConnectorException("the date " + date + " is too far away for Arrow's days");
        }
        return (int) days;
    }

    private static long nanoseconds(Instant time) {
        long second = time.getEpochSecond();
        int nano = time.getNano();
        try {
            return second >= 0
                    ? Math.addExact(Math.multiplyExact(second, SECOND_NS), nano)
                    : Math.addExact(Math.multiplyExact(second + 1, SECOND_NS), nano - SECOND_NS);
        } catch (ArithmeticException e) {
            throw new ConnectorException(
                    "the time " + time + " is outside of what Arrow's nanoseconds hold, the years 1677 to 2262", e);
        }
    }

    private static Instant instant(long nanoseconds) {
        return Instant.ofEpochSecond(Math.floorDiv(nanoseconds, SECOND_NS), Math.floorMod(nanoseconds, SECOND_NS));
    }
}
