// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jdbc;

import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The components of a record class, those of nested records included, as columns. */
record Fields(Class<?> type, List<Field> all) {
    /**
     * @param name {@code magnitude}; of a nested record {@code place_region}
     * @param path accessors from the record to the value
     */
    record Field(String name, Kind kind, Class<?> type, List<Method> path) {}

    /** @throws IllegalArgumentException if the class is no record, or has a component that no column takes */
    static Fields of(Class<?> type) {
        if (!type.isRecord()) {
            throw new IllegalArgumentException(type.getName() + " is not a record class");
        }
        List<Field> all = new ArrayList<>();
        add(type, "", List.of(), all);
        if (all.isEmpty()) {
            throw new IllegalArgumentException("record " + type.getSimpleName() + " has no components");
        }
        return new Fields(type, List.copyOf(all));
    }

    private static void add(Class<?> type, String prefix, List<Method> above, List<Field> to) {
        for (RecordComponent component : type.getRecordComponents()) {
            Method accessor = component.getAccessor();
            try {
                accessor.setAccessible(true);
            } catch (InaccessibleObjectException e) {
                throw new IllegalArgumentException(
                        "record " + type.getName() + " cannot be reached; open its package to Thalweg", e);
            }
            List<Method> path = new ArrayList<>(above);
            path.add(accessor);
            String name = prefix + component.getName();
            Class<?> held = held(component);
            Kind kind = Kind.of(held);
            if (kind != null) {
                to.add(new Field(name, kind, held, List.copyOf(path)));
            } else if (held.isRecord() && path.size() < MOST_LEVELS) {
                add(held, name + "_", path, to);
            } else {
                throw new IllegalArgumentException("record " + type.getSimpleName() + ", component '"
                        + component.getName() + "': no column takes a " + held.getSimpleName()
                        + "; map it to a text, or leave it out");
            }
        }
    }

    private static final int MOST_LEVELS = 8;

    private static Class<?> held(RecordComponent component) {
        Type generic = component.getGenericType();
        if (component.getType() == Optional.class
                && generic instanceof ParameterizedType optional
                && optional.getActualTypeArguments()[0] instanceof Class<?> value) {
            return value;
        }
        return component.getType();
    }

    List<String> names() {
        return all.stream().map(Field::name).toList();
    }

    /** The values of a record, as they are. */
    @Nullable Object[] values(Object record) throws Exception {
        @Nullable Object[] values = new @Nullable Object[all.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = value(record, all.get(i).path());
        }
        return values;
    }

    private static @Nullable Object value(Object record, List<Method> path) throws Exception {
        Object at = record;
        for (Method accessor : path) {
            if (at == null) {
                return null;
            }
            try {
                at = accessor.invoke(at);
            } catch (InvocationTargetException e) {
                throw e.getCause() instanceof Exception cause ? cause : e;
            }
            if (at instanceof Optional<?> maybe) {
                at = maybe.orElse(null);
            }
        }
        return at;
    }
}
