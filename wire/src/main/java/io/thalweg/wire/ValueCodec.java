// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.CodecException;
import io.thalweg.api.codec.Type;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Maps with the values that messages have: each is written behind a byte that says of which class it is. */
record ValueCodec() implements Codec<Map<String, Object>>, Serializable {
    private static final long serialVersionUID = 1L;

    /** The classes, in the order of their bytes; new ones only at the end. Lists and maps come first. */
    private static final List<Type<?>> CLASSES = List.of(
            Type.of(Boolean.class),
            Type.of(Integer.class),
            Type.of(Long.class),
            Type.of(Float.class),
            Type.of(Double.class),
            Type.of(String.class),
            Type.of(byte[].class),
            Type.of(BigDecimal.class),
            Type.of(BigInteger.class),
            Type.of(LocalDate.class),
            Type.of(LocalTime.class),
            Type.of(Instant.class),
            Type.of(LocalDateTime.class),
            Type.of(Duration.class),
            Type.of(UUID.class));

    private static final int NULL = 0;
    private static final int LIST = 1;
    private static final int MAP = 2;
    private static final int FIRST_CLASS = 3;

    static final Type<Map<String, Object>> MAPS = maps();

    @SuppressWarnings({"unchecked", "rawtypes"}) // a class has no type arguments
    private static Type<Map<String, Object>> maps() {
        return Type.custom((Class) Map.class, new ValueCodec());
    }

    @Override
    public void encode(Map<String, Object> value, ByteWriter out) {
        map(value, out, false);
    }

    @Override
    public Map<String, Object> decode(ByteReader in) {
        Map<String, Object> map = new LinkedHashMap<>();
        int size = in.readLength();
        for (int i = 0; i < size; i++) {
            map.put(in.readText(), value(in));
        }
        return map;
    }

    /** The order of entries does not count. */
    @Override
    public int hash(Map<String, Object> value) {
        ByteWriter sorted = new ByteWriter(64);
        map(value, sorted, true);
        return Arrays.hashCode(sorted.toByteArray());
    }

    private static void map(Map<?, ?> value, ByteWriter out, boolean sorted) {
        Map<?, ?> entries = sorted ? new TreeMap<>(value) : value;
        out.writeVarLong(entries.size());
        entries.forEach((key, each) -> {
            out.writeText((String) key);
            value(each, out, sorted);
        });
    }

    @SuppressWarnings("unchecked") // the codec is that of the value's class
    private static void value(@Nullable Object value, ByteWriter out, boolean sorted) {
        if (value == null) {
            out.writeByte(NULL);
        } else if (value instanceof Map<?, ?> map) {
            out.writeByte(MAP);
            map(map, out, sorted);
        } else if (value instanceof Collection<?> list) {
            out.writeByte(LIST);
            out.writeVarLong(list.size());
            list.forEach(each -> value(each, out, sorted));
        } else {
            for (int i = 0; i < CLASSES.size(); i++) {
                if (CLASSES.get(i).raw() == value.getClass()) {
                    out.writeByte(FIRST_CLASS + i);
                    ((Codec<Object>) CLASSES.get(i).codec()).encode(value, out);
                    return;
                }
            }
            throw new CodecException(
                    "a map of a message holds a " + value.getClass().getName());
        }
    }

    @SuppressWarnings("NullAway") // a map of a message may hold nulls, which its type does not say
    private Object value(ByteReader in) {
        int kind = in.readByte();
        if (kind == NULL) {
            return null;
        }
        if (kind == MAP) {
            return decode(in);
        }
        if (kind == LIST) {
            List<Object> list = new ArrayList<>();
            int size = in.readLength();
            for (int i = 0; i < size; i++) {
                list.add(value(in));
            }
            return list;
        }
        if (kind < FIRST_CLASS || kind - FIRST_CLASS >= CLASSES.size()) {
            throw new CodecException("a value of unknown kind " + kind);
        }
        return CLASSES.get(kind - FIRST_CLASS).codec().decode(in);
    }
}
