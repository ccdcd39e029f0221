// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import io.thalweg.api.codec.CodecException;
import io.thalweg.api.codec.Type;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.TypeVariable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.msgpack.core.MessageUnpacker;
import org.msgpack.value.ValueType;

/** A record: a dict with the names of its components. Names that it does not have are left out. */
final class RecordShape implements Shape {
    private final Type<?> type;
    private final RecordComponent[] components;
    private final Map<String, Integer> places = new HashMap<>();
    private final Shape[] shapes;
    private final MethodHandle constructor;

    RecordShape(Type<?> type) {
        this.type = type;
        components = type.raw().getRecordComponents();
        shapes = new Shape[components.length];
        for (int i = 0; i < components.length; i++) {
            places.put(components[i].getName(), i);
        }
        Class<?>[] parameters =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            Constructor<?> canonical = type.raw().getDeclaredConstructor(parameters);
            canonical.setAccessible(true);
            constructor = MethodHandles.lookup()
                    .unreflectConstructor(canonical)
                    .asSpreader(Object[].class, components.length)
                    .asType(MethodType.methodType(Object.class, Object[].class));
        } catch (ReflectiveOperationException e) {
            throw new CodecException("record " + type + " cannot be made: " + e.getMessage());
        }
    }

    void resolve(Map<Type<?>, RecordShape> open) {
        for (int i = 0; i < components.length; i++) {
            try {
                shapes[i] = Shape.of(bound(components[i].getGenericType()), open);
            } catch (CodecException e) {
                throw new CodecException(type + "." + components[i].getName() + ": " + e.getMessage());
            }
        }
    }

    /** With the record's own type arguments in the place of its parameters. */
    private Type<?> bound(java.lang.reflect.Type generic) {
        if (generic instanceof TypeVariable<?> variable) {
            int at = List.of(type.raw().getTypeParameters()).indexOf(variable);
            if (at >= 0 && at < type.arguments().size()) {
                return type.arguments().get(at);
            }
        }
        if (generic instanceof ParameterizedType parameterized) {
            Type<?>[] arguments = Arrays.stream(parameterized.getActualTypeArguments())
                    .map(this::bound)
                    .toArray(Type<?>[]::new);
            return Type.of((Class<?>) parameterized.getRawType(), arguments);
        }
        return Type.of(generic);
    }

    @Override
    public Object read(MessageUnpacker in) throws IOException, MisfitException {
        int size = Shape.header(in, ValueType.MAP, "a dict or dataclass for " + type);
        @Nullable Object[] values = new Object[components.length];
        boolean[] given = new boolean[components.length];
        for (int i = 0; i < size; i++) {
            if (in.getNextFormat().getValueType() != ValueType.STRING) {
                throw Shape.unexpected(in, "the name of a field of " + type);
            }
            Integer at = places.get(in.unpackString());
            if (at == null) {
                in.skipValue();
            } else {
                given[at] = true;
                values[at] = component(at, in);
            }
        }
        for (int i = 0; i < components.length; i++) {
            if (!given[i]) {
                values[i] = missing(i);
            }
        }
        return make(values);
    }

    @Override
    public Object ofColumns(@Nullable Object[] values) throws MisfitException {
        for (int i = 0; i < values.length; i++) {
            if (values[i] == null) {
                values[i] = nothing(i, "None in");
            }
        }
        return make(values);
    }

    private @Nullable Object component(int at, MessageUnpacker in) throws IOException, MisfitException {
        Object value;
        try {
            value = shapes[at].readOrNone(in);
        } catch (MisfitException e) {
            throw MisfitException.in("field '" + components[at].getName() + "'", e);
        }
        return value == null ? nothing(at, "None in") : value;
    }

    private @Nullable Object missing(int at) throws MisfitException {
        Object value = shapes[at].none();
        return value == null ? nothing(at, "no") : value;
    }

    private @Nullable Object nothing(int at, String problem) throws MisfitException {
        RecordComponent component = components[at];
        if (component.getType().isPrimitive() || !component.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
            throw new MisfitException(problem + " field '" + component.getName() + "', and " + type + "."
                    + component.getName() + " is not @Nullable");
        }
        return null;
    }

    private Object make(@Nullable Object[] values) throws MisfitException {
        try {
            return constructor.invokeExact(values);
        } catch (Error e) {
            throw e;
        } catch (Throwable e) { // of the record's own constructor
            throw new MisfitException(type + " cannot be made of it: " + e);
        }
    }
}
