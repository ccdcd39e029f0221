// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.python.text.HalfPairException;
import io.thalweg.python.text.Utf8;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalAmount;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessagePacker;

/** Writes values of Java as MessagePack. What a value becomes follows from its class alone. Thread-safe. */
public final class Packing {
    private static final int MOST_BITS = 64;
    private static final int WARNING_JDK = 24;

    static {
        // JDKs from 24 on print warnings of memory accesses that MessagePack can do without
        String without = "msgpack.universal-buffer";
        if (Runtime.version().feature() >= WARNING_JDK && System.getProperty(without) == null) {
            System.setProperty(without, "true");
        }
    }

    private Packing() {}

    /** A packer that writes to memory. */
    public static MessageBufferPacker packer() {
        return MessagePack.newDefaultBufferPacker();
    }

    /** The accessors of a record class, by the names of its components. */
    private record Components(String[] names, MethodHandle[] accessors) {}

    private static final ClassValue<Components> COMPONENTS = new ClassValue<>() {
        @Override
        protected Components computeValue(Class<?> type) {
            RecordComponent[] components = type.getRecordComponents();
            String[] names = new String[components.length];
            MethodHandle[] accessors = new MethodHandle[components.length];
            for (int i = 0; i < components.length; i++) {
                names[i] = components[i].getName();
                Method accessor = components[i].getAccessor();
                try {
                    accessor.setAccessible(true);
                    accessors[i] = MethodHandles.lookup()
                            .unreflect(accessor)
                            .asType(MethodType.methodType(Object.class, Object.class));
                } catch (IllegalAccessException e) {
                    throw new ConnectorException(type.getName() + " cannot be read: " + e.getMessage(), e);
                }
            }
            return new Components(names, accessors);
        }
    };

    /**
     * Writes a value: text, a number, a boolean, bytes, null, a list, a map, a record, or what is text otherwise.
     *
     * @throws ConnectorException if it holds something that Python has no value for
     * @throws HalfPairException if a text in it contains half a surrogate pair; the message names the field or the element
     * @throws IOException if the packer cannot write
     */
    public static void pack(@Nullable Object value, MessagePacker out) throws IOException {
        if (value instanceof String text) {
            text(text, out);
        } else if (value instanceof Number number) {
            number(number, out);
        } else if (value instanceof Boolean truth) {
            out.packBoolean(truth);
        } else if (value == null) {
            out.packNil();
        } else if (value instanceof Record record) {
            record(record, out);
        } else if (value instanceof Map<?, ?> map) {
            map(map, out);
        } else if (value instanceof Collection<?> values) {
            out.packArrayHeader(values.size());
            int at = 0;
            for (Object each : values) {
                element(at++, each, out);
            }
        } else if (value instanceof byte[] bytes) {
            out.packBinaryHeader(bytes.length);
            out.writePayload(bytes);
        } else if (value.getClass().isArray()) {
            int length = Array.getLength(value);
            out.packArrayHeader(length);
            for (int i = 0; i < length; i++) {
                element(i, Array.get(value, i), out);
            }
        } else if (value instanceof Optional<?> optional) {
            pack(optional.orElse(null), out);
        } else {
            String shown = asText(value);
            if (shown == null) {
                throw new ConnectorException("a " + value.getClass().getName()
                        + " cannot be sent to Python; send records, maps, lists, text, numbers, booleans or bytes");
            }
            text(shown, out);
        }
    }

    /** What is sent of a value that becomes text and is none, such as an enum or a time; null for all others. */
    public static @Nullable String asText(Object value) {
        if (value instanceof Enum<?> constant) {
            return constant.name();
        }
        boolean shown = value instanceof TemporalAccessor
                || value instanceof TemporalAmount
                || value instanceof UUID
                || value instanceof BigDecimal
                || value instanceof Character;
        return shown ? value.toString() : null;
    }

    private static void text(String text, MessagePacker out) throws IOException {
        byte[] bytes = Utf8.bytes(text);
        out.packRawStringHeader(bytes.length).addPayload(bytes);
    }

    private static void element(int at, @Nullable Object value, MessagePacker out) throws IOException {
        try {
            pack(value, out);
        } catch (HalfPairException e) {
            throw e.in("element " + at);
        }
    }

    private static void map(Map<?, ?> map, MessagePacker out) throws IOException {
        out.packMapHeader(map.size());
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            try {
                pack(entry.getKey(), out);
            } catch (HalfPairException e) {
                throw e.in("a key");
            }
            try {
                pack(entry.getValue(), out);
            } catch (HalfPairException e) {
                throw e.in("the value of key " + entry.getKey());
            }
        }
    }

    private static void number(Number number, MessagePacker out) throws IOException {
        if (number instanceof Integer || number instanceof Long || number instanceof Short || number instanceof Byte) {
            out.packLong(number.longValue());
        } else if (number instanceof Double || number instanceof Float) {
            out.packDouble(number.doubleValue());
        } else if (number instanceof BigDecimal decimal) {
            out.packString(decimal.toString());
        } else if (number instanceof BigInteger whole) {
            if (whole.bitLength() > (whole.signum() < 0 ? MOST_BITS - 1 : MOST_BITS)) {
                throw new ConnectorException("a number of " + whole.bitLength()
                        + " bits cannot be sent to Python; send it as text if it may have more than 64");
            }
            out.packBigInteger(whole);
        } else {
            throw new ConnectorException(
                    "a " + number.getClass().getName() + " cannot be sent to Python; send a long or a double");
        }
    }

    private static void record(Record record, MessagePacker out) throws IOException {
        Components components = COMPONENTS.get(record.getClass());
        out.packMapHeader(components.names.length);
        for (int i = 0; i < components.names.length; i++) {
            out.packString(components.names[i]);
            try {
                pack(component(components.accessors[i], record), out);
            } catch (HalfPairException e) {
                throw e.in("field '" + components.names[i] + "'");
            }
        }
    }

    private static @Nullable Object component(MethodHandle accessor, Object record) {
        try {
            return accessor.invokeExact(record);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
