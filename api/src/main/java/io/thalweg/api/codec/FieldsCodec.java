// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.codec;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A plain class with a no-argument constructor: its non-transient fields by name, superclasses first. */
final class FieldsCodec implements Codec<Object> {
    private final Type<?> type;
    private final Constructor<?> constructor;
    private final List<Field> fields = new ArrayList<>();
    private final List<PartCodec> parts = new ArrayList<>();

    /** Sets the field of one object to the value that another has; null for a field whose values may change. */
    private final List<@Nullable MethodHandle> moves = new ArrayList<>();

    private final Map<String, Type<?>> types = new LinkedHashMap<>();

    FieldsCodec(Type<?> type, Map<Type<?>, Codecs.Later<?>> open) {
        this.type = type;
        try {
            constructor = type.raw().getDeclaredConstructor();
            constructor.setAccessible(true);
            collect(type, type.raw(), open);
        } catch (NoSuchMethodException | IllegalAccessException | InaccessibleObjectException e) {
            throw new CodecException(
                    "'" + type + "' has no codec: it has no no-argument constructor that can be called;"
                            + " make it a record or give it a codec with Type.custom");
        }
    }

    Type<?> type() {
        return type;
    }

    private void collect(Type<?> type, Class<?> raw, Map<Type<?>, Codecs.Later<?>> open) throws IllegalAccessException {
        Class<?> parent = raw.getSuperclass();
        if (parent != null && parent != Object.class) {
            collect(type, parent, open);
        }
        List<Field> own = new ArrayList<>(List.of(raw.getDeclaredFields()));
        own.sort(Comparator.comparing(Field::getName));
        for (Field field : own) {
            if (!Modifier.isStatic(field.getModifiers()) && !Modifier.isTransient(field.getModifiers())) {
                if (Modifier.isFinal(field.getModifiers())) {
                    throw new CodecException("'" + type + "' has no codec: its field '" + field.getName()
                            + "' is final; make it a record or give it a codec with Type.custom");
                }
                field.setAccessible(true);
                fields.add(field);
                PartCodec part = Codecs.part(type, field.getName(), field.getGenericType(), open);
                parts.add(part);
                moves.add(part.immutable() ? move(field) : null);
                String name = field.getName();
                types.put(
                        types.containsKey(name) ? raw.getSimpleName() + "." + name : name,
                        Type.resolve(field.getGenericType(), type.bindings()));
            }
        }
    }

    private static MethodHandle move(Field field) throws IllegalAccessException {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        return MethodHandles.filterArguments(lookup.unreflectSetter(field), 1, lookup.unreflectGetter(field))
                .asType(MethodType.methodType(void.class, Object.class, Object.class));
    }

    @Override
    public void encode(Object value, ByteWriter out) {
        for (int i = 0; i < fields.size(); i++) {
            parts.get(i).encode(get(fields.get(i), value), out);
        }
    }

    /** Types of the fields, by name, in the order in which they are written. */
    Map<String, Type<?>> fields() {
        return types;
    }

    /** Makes an object with some of its fields; the others stay as the constructor leaves them. */
    Function<@Nullable Object[], Object> maker(int[] given) {
        return values -> {
            try {
                Object value = constructor.newInstance();
                for (int place : given) {
                    fields.get(place).set(value, values[place]);
                }
                return value;
            } catch (ReflectiveOperationException e) {
                throw cannotMake(e);
            }
        };
    }

    private CodecException cannotMake(ReflectiveOperationException e) {
        return new CodecException(
                "cannot make a " + constructor.getDeclaringClass().getSimpleName() + ": " + e);
    }

    @Override
    public Object decode(ByteReader in) {
        try {
            Object value = constructor.newInstance();
            for (int i = 0; i < fields.size(); i++) {
                fields.get(i).set(value, parts.get(i).decode(in));
            }
            return value;
        } catch (ReflectiveOperationException e) {
            throw cannotMake(e);
        }
    }

    @Override
    public Object copy(Object value) {
        try {
            Object copy = constructor.newInstance();
            for (int i = 0; i < fields.size(); i++) {
                MethodHandle move = moves.get(i);
                if (move == null) {
                    fields.get(i).set(copy, parts.get(i).copy(get(fields.get(i), value)));
                } else {
                    move.invokeExact(copy, value);
                }
            }
            return copy;
        } catch (ReflectiveOperationException e) {
            throw cannotMake(e);
        } catch (Throwable e) {
            throw RecordCodec.thrown(e);
        }
    }

    @Override
    public int hash(Object value) {
        int hash = 1;
        for (int i = 0; i < fields.size(); i++) {
            hash = 31 * hash + parts.get(i).hash(get(fields.get(i), value));
        }
        return hash;
    }

    private static @Nullable Object get(Field field, Object value) {
        try {
            return field.get(value);
        } catch (IllegalAccessException e) {
            throw new CodecException("cannot read " + field + ": " + e.getMessage());
        }
    }
}
