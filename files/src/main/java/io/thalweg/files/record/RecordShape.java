// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.record;

import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A record class as formats see it: what its components are called in files, what they may hold, and its constructor.
 * Immutable;
 * any thread may call.
 *
 * @param <R> the record class
 * @param type the record class
 * @param parts one for each component, in their order
 * @param names of the components in files, in the same order
 * @param constructor the canonical one, accessible
 */
public record RecordShape<R>(Class<R> type, List<Part> parts, List<String> names, Constructor<R> constructor) {

    /** @throws IllegalArgumentException if the class is no record that can be made from here */
    public static <R> RecordShape<R> of(Class<R> type) {
        if (!type.isRecord()) {
            throw new IllegalArgumentException(type.getName() + " is not a record class");
        }
        if (type.getTypeParameters().length > 0) {
            throw new IllegalArgumentException(
                    "record " + type.getName() + " is generic; declare one with plain types");
        }
        List<RecordComponent> components = List.of(type.getRecordComponents());
        List<Part> parts =
                components.stream().map(component -> part(type, component)).toList();
        List<String> names = parts.stream().map(Part::name).toList();
        if (new HashSet<>(names).size() < names.size()) {
            throw new IllegalArgumentException("record " + type.getName() + " has two components of one name");
        }
        try {
            Constructor<R> constructor = type.getDeclaredConstructor(
                    components.stream().map(RecordComponent::getType).toArray(Class<?>[]::new));
            constructor.setAccessible(true);
            components.forEach(component -> component.getAccessor().setAccessible(true));
            return new RecordShape<>(type, parts, names, constructor);
        } catch (NoSuchMethodException | InaccessibleObjectException e) {
            throw new IllegalArgumentException(
                    "record " + type.getName() + " cannot be reached; open its package to Thalweg", e);
        }
    }

    private static Part part(Class<?> type, RecordComponent component) {
        try {
            return Part.of(component);
        } catch (IllegalArgumentException e) {
            throw unusable(type, component, String.valueOf(e.getMessage()));
        }
    }

    /**
     * A record of these values, one a component.
     *
     * @param refused makes what is thrown of what the record's own constructor threw
     */
    public R make(@Nullable Object[] values, Function<RuntimeException, MalformedException> refused) {
        try {
            return constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException refusal) {
                throw refused.apply(refusal);
            }
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException(e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What a component of a record holds, as formats write it. */
    public @Nullable Object written(Object row, int component) throws Exception {
        return parts.get(component).written(value(row, component));
    }

    /** What a component of a record holds. */
    public @Nullable Object value(Object row, int component) throws Exception {
        try {
            return parts.get(component).component().getAccessor().invoke(row);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    /** What is to be said where the constructor threw. */
    public static String refusal(RuntimeException e) {
        String message = e.getMessage();
        return "the record does not accept it: " + (message == null ? e.toString() : message);
    }

    /** How many components there are. */
    public int size() {
        return names.size();
    }

    /** The declared class of a component: {@code Optional} or {@code List}, without type arguments. */
    public Class<?> raw(int component) {
        return parts.get(component).component().getType();
    }

    /** The components as the class declares them, in their order. */
    public List<RecordComponent> components() {
        return parts.stream().map(Part::component).toList();
    }

    /** What the class says of a component, counted from 0. */
    public Part part(int component) {
        return parts.get(component);
    }

    /** The exception to throw if a format has no place for a component; its message names the record and the component. */
    public IllegalArgumentException unreadable(int component, String reason) {
        return unusable(type, parts.get(component).component(), reason);
    }

    private static IllegalArgumentException unusable(Class<?> type, RecordComponent component, String reason) {
        return new IllegalArgumentException(
                "record " + type.getSimpleName() + ", component '" + component.getName() + "': " + reason);
    }

    @Override
    public String toString() {
        return type.getSimpleName() + Arrays.toString(names.toArray());
    }
}
