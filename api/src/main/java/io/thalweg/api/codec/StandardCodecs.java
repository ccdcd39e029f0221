// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.codec;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/** Codecs of the JDK's value classes, each with a hash that the JDK specifies or that is spelled out here. */
final class StandardCodecs {
    static final Map<Class<?>, Codec<?>> BY_CLASS = new HashMap<>();

    static {
        add(Boolean.class, (value, out) -> out.writeBoolean(value), ByteReader::readBoolean, Object::hashCode);
        add(Byte.class, (value, out) -> out.writeByte(value), in -> (byte) in.readByte(), Object::hashCode);
        add(Short.class, (value, out) -> out.writeVarLong(value), in -> (short) in.readVarLong(), Object::hashCode);
        add(Character.class, (value, out) -> out.writeVarLong(value), in -> (char) in.readVarLong(), c -> c);
        add(Integer.class, (value, out) -> out.writeVarLong(value), in -> (int) in.readVarLong(), Object::hashCode);
        add(Long.class, (value, out) -> out.writeVarLong(value), ByteReader::readVarLong, Object::hashCode);
        add(Float.class, (value, out) -> out.writeDouble(value), in -> (float) in.readDouble(), Object::hashCode);
        add(Double.class, (value, out) -> out.writeDouble(value), ByteReader::readDouble, Object::hashCode);
        add(String.class, (value, out) -> out.writeText(value), ByteReader::readText, String::hashCode);
        add(BigInteger.class, (v, out) -> out.writeBytes(v.toByteArray()), in -> new BigInteger(in.readBytes()), null);
        add(BigDecimal.class, StandardCodecs::encode, StandardCodecs::decimal, null);
        add(UUID.class, StandardCodecs::encode, in -> new UUID(in.readLong(), in.readLong()), null);
        add(
                LocalDate.class,
                (v, out) -> out.writeVarLong(v.toEpochDay()),
                in -> LocalDate.ofEpochDay(in.readVarLong()),
                v -> Long.hashCode(v.toEpochDay()));
        add(
                LocalTime.class,
                (v, out) -> out.writeVarLong(v.toNanoOfDay()),
                in -> LocalTime.ofNanoOfDay(in.readVarLong()),
                v -> Long.hashCode(v.toNanoOfDay()));
        add(LocalDateTime.class, StandardCodecs::encode, StandardCodecs::dateTime, null);
        add(
                Instant.class,
                StandardCodecs::encode,
                in -> Instant.ofEpochSecond(in.readVarLong(), in.readVarLong()),
                v -> 31 * Long.hashCode(v.getEpochSecond()) + v.getNano());
        add(Duration.class, StandardCodecs::encode, in -> Duration.ofSeconds(in.readVarLong(), in.readVarLong()), null);
        add(
                OffsetDateTime.class,
                (v, out) -> {
                    encode(v.toLocalDateTime(), out);
                    out.writeVarLong(v.getOffset().getTotalSeconds());
                },
                in -> OffsetDateTime.of(dateTime(in), ZoneOffset.ofTotalSeconds((int) in.readVarLong())),
                null);
        add(
                ZonedDateTime.class,
                (v, out) -> {
                    encode(v.toLocalDateTime(), out);
                    out.writeText(v.getZone().getId());
                    out.writeVarLong(v.getOffset().getTotalSeconds());
                },
                in -> ZonedDateTime.ofLocal(
                        dateTime(in), ZoneId.of(in.readText()), ZoneOffset.ofTotalSeconds((int) in.readVarLong())),
                null);
        BY_CLASS.put(byte[].class, new Bytes());
        BY_CLASS.put(int[].class, new Ints());
        BY_CLASS.put(long[].class, new Longs());
        BY_CLASS.put(double[].class, new Doubles());
    }

    private StandardCodecs() {}

    private static <T> void add(
            Class<T> type,
            BiConsumer<T, ByteWriter> encode,
            Function<ByteReader, T> decode,
            @org.jspecify.annotations.Nullable ToIntFunction<T> hash) {
        BY_CLASS.put(type, new Codec<T>() {
            @Override
            public void encode(T value, ByteWriter out) {
                encode.accept(value, out);
            }

            @Override
            public T decode(ByteReader in) {
                return decode.apply(in);
            }

            @Override
            public int hash(T value) {
                return hash == null ? Codec.super.hash(value) : hash.applyAsInt(value);
            }

            @Override
            public boolean immutable() {
                return true;
            }
        });
    }

    private static void encode(BigDecimal value, ByteWriter out) {
        out.writeVarLong(value.scale());
        out.writeBytes(value.unscaledValue().toByteArray());
    }

    private static BigDecimal decimal(ByteReader in) {
        int scale = (int) in.readVarLong();
        return new BigDecimal(new BigInteger(in.readBytes()), scale);
    }

    private static void encode(UUID value, ByteWriter out) {
        out.writeLong(value.getMostSignificantBits());
        out.writeLong(value.getLeastSignificantBits());
    }

    private static void encode(LocalDateTime value, ByteWriter out) {
        out.writeVarLong(value.toLocalDate().toEpochDay());
        out.writeVarLong(value.toLocalTime().toNanoOfDay());
    }

    private static LocalDateTime dateTime(ByteReader in) {
        return LocalDateTime.of(LocalDate.ofEpochDay(in.readVarLong()), LocalTime.ofNanoOfDay(in.readVarLong()));
    }

    private static void encode(Instant value, ByteWriter out) {
        out.writeVarLong(value.getEpochSecond());
        out.writeVarLong(value.getNano());
    }

    private static void encode(Duration value, ByteWriter out) {
        out.writeVarLong(value.getSeconds());
        out.writeVarLong(value.getNano());
    }

    private static final class Bytes implements Codec<byte[]> {
        @Override
        public void encode(byte[] value, ByteWriter out) {
            out.writeBytes(value);
        }

        @Override
        public byte[] decode(ByteReader in) {
            return in.readBytes();
        }

        @Override
        public byte[] copy(byte[] value) {
            return value.clone();
        }
    }

    /** As an array of anything: whether an element is there, then the element. */
    private static final class Ints implements Codec<int[]> {
        @Override
        public void encode(int[] value, ByteWriter out) {
            out.writeVarLong(value.length);
            for (int each : value) {
                out.writeBoolean(true);
                out.writeVarLong(each);
            }
        }

        @Override
        public int[] decode(ByteReader in) {
            int[] value = new int[in.readLength()];
            for (int i = 0; i < value.length; i++) {
                value[i] = in.readBoolean() ? (int) in.readVarLong() : 0;
            }
            return value;
        }

        @Override
        public int hash(int[] value) {
            return Arrays.hashCode(value);
        }

        @Override
        public int[] copy(int[] value) {
            return value.clone();
        }
    }

    private static final class Longs implements Codec<long[]> {
        @Override
        public void encode(long[] value, ByteWriter out) {
            out.writeVarLong(value.length);
            for (long each : value) {
                out.writeVarLong(each);
            }
        }

        @Override
        public long[] decode(ByteReader in) {
            long[] value = new long[in.readLength()];
            for (int i = 0; i < value.length; i++) {
                value[i] = in.readVarLong();
            }
            return value;
        }

        @Override
        public long[] copy(long[] value) {
            return value.clone();
        }
    }

    private static final class Doubles implements Codec<double[]> {
        @Override
        public void encode(double[] value, ByteWriter out) {
            out.writeVarLong(value.length);
            for (double each : value) {
                out.writeDouble(each);
            }
        }

        @Override
        public double[] decode(ByteReader in) {
            double[] value = new double[in.readLength()];
            for (int i = 0; i < value.length; i++) {
                value[i] = in.readDouble();
            }
            return value;
        }

        @Override
        public double[] copy(double[] value) {
            return value.clone();
        }
    }
}
