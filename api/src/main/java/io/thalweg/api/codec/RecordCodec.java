// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.codec;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A record: its components in their order. */
final class RecordCodec implements Codec<Object> {
    private final Type<?> type;
    private final MethodHandle[] accessors;
    private final MethodHandle constructor;
    private final PartCodec[] parts;
    private final boolean immutable;
    private final Map<String, Type<?>> fields = new LinkedHashMap<>();
    private final @Nullable Object[] defaults;

    RecordCodec(Type<?> type, Map<Type<?>, Codecs.Later<?>> open) {
        this.type = type;
        RecordComponent[] components = type.raw().getRecordComponents();
        accessors = new MethodHandle[components.length];
        defaults = new Object[components.length];
        parts = new PartCodec[components.length];
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        try {
            for (int i = 0; i < components.length; i++) {
                Class<?> raw = components[i].getType();
                defaults[i] = raw.isPrimitive() ? Array.get(Array.newInstance(raw, 1), 0) : null;
                parts[i] = Codecs.part(type, components[i].getName(), components[i].getGenericType(), open);
                fields.put(components[i].getName(), Type.resolve(components[i].getGenericType(), type.bindings()));
                Method accessor = components[i].getAccessor();
                accessor.setAccessible(true);
                accessors[i] = lookup.unreflect(accessor).asType(MethodType.methodType(Object.class, Object.class));
            }
            Class<?>[] parameters =
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
            Constructor<?> canonical = type.raw().getDeclaredConstructor(parameters);
            canonical.setAccessible(true);
            constructor = lookup.unreflectConstructor(canonical)
                    .asSpreader(Object[].class, components.length)
                    .asType(MethodType.methodType(Object.class, Object[].class));
        } catch (ReflectiveOperationException e) {
            throw new CodecException("record " + type + " cannot be read: " + e.getMessage());
        }
        immutable = Arrays.stream(parts).allMatch(PartCodec::immutable);
    }

    Type<?> type() {
        return type;
    }

    @Override
    public void encode(Object value, ByteWriter out) {
        for (int i = 0; i < parts.length; i++) {
            parts[i].encode(component(value, i), out);
        }
    }

    @Override
    public Object decode(ByteReader in) {
        @Nullable Object[] values = new Object[parts.length];
        for (int i = 0; i < parts.length; i++) {
            values[i] = parts[i].decode(in);
        }
        return make(values);
    }

    @Override
    public Object copy(Object value) {
        if (immutable) {
            return value;
        }
        @Nullable Object[] values = new Object[parts.length];
        for (int i = 0; i < parts.length; i++) {
            values[i] = parts[i].copy(component(value, i));
        }
        return make(values);
    }

    private Object make(@Nullable Object[] values) {
        try {
            return constructor.invokeExact(values);
        } catch (Throwable e) {
            throw thrown(e);
        }
    }

    /** Types of the components, by name, in their order. */
    Map<String, Type<?>> fields() {
        return fields;
    }

    /** Makes a record of some of its components; the others are null, 0 or false. */
    Function<@Nullable Object[], Object> maker(int[] given) {
        @Nullable Object[] missing = defaults.clone();
        for (int place : given) {
            missing[place] = null;
        }
        return values -> {
            for (int i = 0; i < values.length; i++) {
                values[i] = values[i] == null ? missing[i] : values[i];
            }
            return make(values);
        };
    }

    @Override
    public int hash(Object value) {
        int hash = 1;
        for (int i = 0; i < parts.length; i++) {
            hash = 31 * hash + parts[i].hash(component(value, i));
        }
        return hash;
    }

    @Override
    public boolean immutable() {
        return immutable;
    }

    private @Nullable Object component(Object value, int index) {
        try {
            return accessors[index].invokeExact(value);
        } catch (Throwable e) {
            throw thrown(e);
        }
    }

    static RuntimeException thrown(Throwable e) {
        if (e instanceof Error error) {
            throw error;
        }
        return e instanceof RuntimeException runtime ? runtime : new CodecException(String.valueOf(e.getMessage()));
    }
}
