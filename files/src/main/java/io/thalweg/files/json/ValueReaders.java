// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.json;

import io.thalweg.files.record.Part;
import io.thalweg.files.record.RecordShape;
import io.thalweg.files.record.TextForm;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds what reads a value of a declared type. */
final class ValueReaders {
    private static final Map<Class<?>, ValueReader> BY_CLASS = byClass();

    private final boolean generated;
    /** Record classes whose readers are being made further up, so that a record may contain itself. */
    private final Map<Class<?>, Later> open = new HashMap<>();

    private int records;

    private ValueReaders(boolean generated) {
        this.generated = generated;
    }

    /** @param type a record, or {@link JsonValue} */
    static ValueReader of(Class<?> type, boolean generated) {
        return type == JsonValue.class ? TreeReader::read : new ValueReaders(generated).record(type);
    }

    private static Map<Class<?>, ValueReader> byClass() {
        Map<Class<?>, ValueReader> readers = new HashMap<>();
        readers.put(String.class, JsonText::readOrNull);
        readers.put(long.class, JsonNumber::readLong);
        readers.put(int.class, JsonNumber::readInt);
        readers.put(short.class, JsonNumber::readShort);
        readers.put(byte.class, JsonNumber::readByte);
        readers.put(double.class, JsonNumber::readDouble);
        readers.put(float.class, JsonNumber::readFloat);
        readers.put(boolean.class, JsonInput::readBoolean);
        readers.put(Long.class, in -> in.nextIsNull() ? null : JsonNumber.readLong(in));
        readers.put(Integer.class, in -> in.nextIsNull() ? null : JsonNumber.readInt(in));
        readers.put(Short.class, in -> in.nextIsNull() ? null : JsonNumber.readShort(in));
        readers.put(Byte.class, in -> in.nextIsNull() ? null : JsonNumber.readByte(in));
        readers.put(Double.class, in -> in.nextIsNull() ? null : JsonNumber.readDouble(in));
        readers.put(Float.class, in -> in.nextIsNull() ? null : JsonNumber.readFloat(in));
        readers.put(Boolean.class, in -> in.nextIsNull() ? null : in.readBoolean());
        readers.put(BigDecimal.class, in -> in.nextIsNull() ? null : JsonNumber.readDecimal(in));
        readers.put(JsonValue.class, TreeReader::read);
        readers.put(BigInteger.class, in -> in.nextIsNull() ? null : JsonNumber.readBigInteger(in));
        return readers;
    }

    private ValueReader record(Class<?> type) {
        Later pending = open.get(type);
        if (pending != null) {
            return pending;
        }
        RecordShape<?> shape = RecordShape.of(type);
        Later later = new Later();
        open.put(type, later);
        List<ValueReader> values = new ArrayList<>();
        for (int i = 0; i < shape.size(); i++) {
            values.add(component(shape, i));
        }
        open.remove(type);
        FieldNames names = new FieldNames(shape.names(), records++);
        ValueReader reader = generated && RecordReaderGenerator.canMake(shape)
                ? RecordReaderGenerator.make(shape, names, values)
                : new PlainRecordReader(shape, names, values);
        later.reader = reader;
        return reader;
    }

    private ValueReader component(RecordShape<?> shape, int index) {
        Part part = shape.part(index);
        try {
            ValueReader reader = reader(part);
            return part.optional() ? new Values.OptionalOf(reader) : reader;
        } catch (UnreadableTypeException e) {
            throw shape.unreadable(index, e.reason);
        }
    }

    private ValueReader reader(Part part) {
        if (part.epoch() != null) {
            return new Values.Epochs(part.epoch());
        }
        return part.form() == null ? of(part.type()) : new Values.Formed(part.form());
    }

    private ValueReader of(Type type) {
        if (type instanceof Class<?> raw) {
            return ofClass(raw);
        }
        if (type instanceof WildcardType wildcard) {
            return of(wildcard.getUpperBounds()[0]);
        }
        if (type instanceof GenericArrayType array
                && array.getGenericComponentType() instanceof ParameterizedType part) {
            return new Values.ArrayOf((Class<?>) part.getRawType(), of(part));
        }
        if (type instanceof ParameterizedType generic) {
            Type[] arguments = generic.getActualTypeArguments();
            Class<?> raw = (Class<?>) generic.getRawType();
            if (raw == List.class || raw == Collection.class || raw == Iterable.class) {
                return new Values.ListOf(of(arguments[0]));
            }
            if (raw == Set.class) {
                return new Values.SetOf(of(arguments[0]));
            }
            if (raw == Optional.class) {
                return new Values.OptionalOf(of(arguments[0]));
            }
            if (raw == Map.class && arguments[0] == String.class) {
                return new Values.MapOf(of(arguments[1]));
            }
        }
        throw new UnreadableTypeException(type);
    }

    private ValueReader ofClass(Class<?> raw) {
        ValueReader known = BY_CLASS.get(raw);
        if (known != null) {
            return known;
        }
        if (raw.isRecord()) {
            return record(raw);
        }
        TextForm form = TextForm.of(raw);
        if (form != null) {
            return new Values.Formed(form);
        }
        if (raw == long[].class) {
            return new Values.Longs();
        }
        if (raw == double[].class) {
            return new Values.Doubles();
        }
        if (raw.isArray()) {
            return new Values.ArrayOf(raw.componentType(), ofClass(raw.componentType()));
        }
        throw new UnreadableTypeException(raw);
    }

    /** Stands for a reader that is still being made. */
    private static final class Later implements ValueReader {
        private @Nullable ValueReader reader;

        @Override
        public @Nullable Object read(JsonInput in) {
            if (reader == null) {
                throw new IllegalStateException("reader used before it was made");
            }
            return reader.read(in);
        }
    }

    private static final class UnreadableTypeException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final String reason;

        UnreadableTypeException(Type type) {
            reason = type.getTypeName()
                    + " cannot be read from JSON; use a primitive or its wrapper, String, BigDecimal,"
                    + " BigInteger, a java.time class, UUID, an enum, a record, JsonValue, an array, List, Set or"
                    + " Map<String, …> of these, or an Optional of one";
        }
    }
}
