// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import io.thalweg.api.codec.CodecException;
import io.thalweg.api.codec.Type;
import java.io.IOException;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.msgpack.core.MessageFormat;
import org.msgpack.core.MessageUnpacker;
import org.msgpack.value.ValueType;

/** Reads values of one type. May leave what it reads in the middle when it throws. */
interface Shape {
    /** The next value, which is not nil. */
    Object read(MessageUnpacker in) throws IOException, MisfitException;

    /** What stands for None; most types have nothing. */
    default @Nullable Object none() {
        return null;
    }

    /** The next value; null for None where the type has nothing else for it. */
    default @Nullable Object readOrNone(MessageUnpacker in) throws IOException, MisfitException {
        return in.tryUnpackNil() ? none() : read(in);
    }

    /** The next value, which must not be None. */
    default Object readPresent(MessageUnpacker in) throws IOException, MisfitException {
        Object value = readOrNone(in);
        if (value == null) {
            throw new MisfitException("None");
        }
        return value;
    }

    /** What the values of one row of columns are, of which there is one but for records. */
    default Object ofColumns(@Nullable Object[] values) throws MisfitException {
        Object value = values[0];
        if (value == null) {
            throw new MisfitException("None");
        }
        return value;
    }

    /** @throws CodecException if Python has no values of this type */
    static Shape of(Type<?> type) {
        return of(type, new HashMap<>());
    }

    /** @param open records that are being looked at, which may hold themselves */
    static Shape of(Type<?> type, Map<Type<?>, RecordShape> open) {
        Class<?> raw = type.raw();
        Shape scalar = Scalars.of(raw);
        if (scalar != null) {
            return scalar;
        }
        if (raw.isRecord()) {
            RecordShape known = open.get(type);
            if (known != null) {
                return known;
            }
            RecordShape record = new RecordShape(type);
            open.put(type, record);
            record.resolve(open);
            return record;
        }
        if (raw.isArray()) {
            return ofArray(raw.getComponentType(), of(Type.of(raw.getComponentType()), open));
        }
        List<Type<?>> arguments = type.arguments();
        if (arguments.size() == 1) {
            Shape element = of(arguments.get(0), open);
            if (raw == List.class || raw == Collection.class || raw == Iterable.class) {
                return in -> elements(in, element, new ArrayList<>());
            }
            if (raw == Set.class) {
                return in -> elements(in, element, new LinkedHashSet<>());
            }
            if (raw == Optional.class) {
                return new OptionalShape(element);
            }
        }
        if (raw == Map.class && arguments.size() == 2) {
            return ofMap(of(arguments.get(0), open), of(arguments.get(1), open));
        }
        throw new CodecException("a result of Python cannot be a " + type
                + "; use a record, a list, a set, a map, an array, text, numbers, booleans or byte[]");
    }

    private static Collection<Object> elements(MessageUnpacker in, Shape element, Collection<Object> into)
            throws IOException, MisfitException {
        int size = header(in, ValueType.ARRAY, "a list");
        for (int i = 0; i < size; i++) {
            try {
                into.add(element.readPresent(in));
            } catch (MisfitException e) {
                throw MisfitException.in("element " + i, e);
            }
        }
        return into;
    }

    private static Shape ofArray(Class<?> component, Shape element) {
        return in -> {
            Collection<Object> read = elements(in, element, new ArrayList<>());
            Object array = Array.newInstance(component, read.size());
            int at = 0;
            for (Object each : read) {
                Array.set(array, at++, each);
            }
            return array;
        };
    }

    private static Shape ofMap(Shape key, Shape value) {
        return in -> {
            int size = header(in, ValueType.MAP, "a dict");
            Map<Object, Object> map = new LinkedHashMap<>();
            for (int i = 0; i < size; i++) {
                Object at;
                try {
                    at = key.readPresent(in);
                } catch (MisfitException e) {
                    throw MisfitException.in("a key", e);
                }
                try {
                    map.put(at, value.readPresent(in));
                } catch (MisfitException e) {
                    throw MisfitException.in("the value of key " + at, e);
                }
            }
            return map;
        };
    }

    /** The length of the array or map that comes next. */
    static int header(MessageUnpacker in, ValueType type, String expected) throws IOException, MisfitException {
        if (in.getNextFormat().getValueType() != type) {
            throw unexpected(in, expected);
        }
        return type == ValueType.ARRAY ? in.unpackArrayHeader() : in.unpackMapHeader();
    }

    /** What the next value is, instead of what is asked for. */
    static MisfitException unexpected(MessageUnpacker in, String expected) throws IOException {
        MessageFormat format = in.getNextFormat();
        String found = switch (format.getValueType()) {
            case ARRAY -> "a list";
            case MAP -> "a dict or dataclass";
            case BINARY -> "bytes";
            case EXTENSION -> "an extension type";
            case NIL -> "None";
            case STRING -> "the text " + in.unpackValue().toJson();
            default -> "the value " + in.unpackValue();
        };
        return new MisfitException(found + ", where " + expected + " is expected");
    }

    /** None is an empty one. */
    record OptionalShape(Shape element) implements Shape {
        @Override
        public Object read(MessageUnpacker in) throws IOException, MisfitException {
            return Optional.of(element.readPresent(in));
        }

        @Override
        public Object none() {
            return Optional.empty();
        }
    }
}
