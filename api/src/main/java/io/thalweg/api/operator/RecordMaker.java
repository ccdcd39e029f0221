// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import io.thalweg.api.codec.Signatures;
import io.thalweg.api.codec.Type;
import java.io.Serializable;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Makes a record of the results of several aggregates. */
final class RecordMaker<R extends Record> implements Serializable {
    private static final long serialVersionUID = 1L;

    private final Class<R> result;

    /** What fills each component, to be named in messages. */
    @SuppressWarnings("serial") // List.copyOf is serializable
    private final List<String> aggregates;

    private final boolean positional;
    private transient @Nullable MethodHandle spread;

    /**
     * @param positional the user said by the order alone what fills which component
     * @throws IllegalArgumentException if the components are not of the aggregates' results
     */
    RecordMaker(Class<R> result, List<? extends Aggregate<?, ?, ?>> aggregates, boolean positional) {
        this.result = result;
        this.positional = positional;
        this.aggregates = aggregates.stream().map(String::valueOf).toList();
        RecordComponent[] components = result.getRecordComponents();
        if (components.length != aggregates.size()) {
            throw new IllegalArgumentException("record " + result.getSimpleName() + " has " + components.length
                    + " components for " + aggregates.size() + " aggregates");
        }
        for (int i = 0; i < components.length; i++) {
            check(components[i], aggregates.get(i), i + 1);
        }
    }

    private void check(RecordComponent component, Aggregate<?, ?, ?> aggregate, int number) {
        Type<?> given = aggregate.resultType();
        Class<?> wanted = MethodType.methodType(component.getType()).wrap().returnType();
        String which = "component '" + component.getName() + "' of record " + result.getSimpleName() + " is a ";
        if (given != null && !wanted.isAssignableFrom(given.raw())) {
            String by = positional ? "aggregate " + number : "its aggregate";
            throw new IllegalArgumentException(which + wanted.getSimpleName() + ", but " + by + " gives a " + given);
        }
        if (component.getType().isPrimitive()
                && aggregate instanceof OfNullable reads
                && Signatures.isMarkedNullable(reads.field())) {
            throw new IllegalArgumentException(which + component.getType() + ", but " + aggregate
                    + " is null if all its values are; make the component a " + wanted.getSimpleName());
        }
    }

    /** The aggregates in the order of the components they name. */
    static <T> List<Aggregate<T, ?, ?>> inOrder(Class<? extends Record> result, List<NamedAggregate<T>> named) {
        Map<String, Aggregate<T, ?, ?>> byName = new LinkedHashMap<>();
        for (NamedAggregate<T> each : named) {
            if (byName.put(each.component(), each.aggregate()) != null) {
                throw new IllegalArgumentException(
                        "component '" + each.component() + "' of record " + result.getSimpleName() + " is named twice");
            }
        }
        List<Aggregate<T, ?, ?>> inOrder = new ArrayList<>();
        for (RecordComponent component : result.getRecordComponents()) {
            Aggregate<T, ?, ?> aggregate = byName.remove(component.getName());
            if (aggregate == null) {
                throw new IllegalArgumentException("component '" + component.getName() + "' of record "
                        + result.getSimpleName() + " has no aggregate; add named(\"" + component.getName() + "\", …)");
            }
            inOrder.add(aggregate);
        }
        if (!byName.isEmpty()) {
            throw new IllegalArgumentException("record " + result.getSimpleName() + " has no component '"
                    + byName.keySet().iterator().next() + "', but "
                    + Arrays.stream(result.getRecordComponents())
                            .map(RecordComponent::getName)
                            .collect(Collectors.joining(", ")));
        }
        return inOrder;
    }

    Type<R> type() {
        return Type.of(result);
    }

    /** {@code Figures(count Count, total SumLong)}. */
    String describe(List<?> parts) {
        RecordComponent[] components = result.getRecordComponents();
        StringJoiner all = new StringJoiner(", ", result.getSimpleName() + "(", ")");
        for (int i = 0; i < components.length; i++) {
            all.add(components[i].getName() + " " + ((Aggregate<?, ?, ?>) parts.get(i)).describe());
        }
        return all.toString();
    }

    /** Neighbours of one type, which could be swapped without notice; null if there are none or all were named. */
    @Nullable String warning() {
        RecordComponent[] components = result.getRecordComponents();
        for (int i = 1; positional && i < components.length; i++) {
            if (components[i].getGenericType().equals(components[i - 1].getGenericType())) {
                String first = components[i - 1].getName();
                return "components '" + first + "' and '" + components[i].getName() + "' of record "
                        + result.getSimpleName() + " are both of type "
                        + components[i].getType().getSimpleName()
                        + ", so two aggregates of into(…) that were swapped would go unnoticed; name them: into("
                        + result.getSimpleName() + ".class, named(\"" + first + "\", …), …)";
            }
        }
        return null;
    }

    R make(@Nullable Object[] values) throws Exception {
        try {
            return result.cast(spread().invokeExact(values));
        } catch (NullPointerException e) {
            throw nullIn(values, e);
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** The exception itself if the record's own constructor threw it. */
    private RuntimeException nullIn(@Nullable Object[] values, NullPointerException cause) {
        RecordComponent[] components = result.getRecordComponents();
        for (int i = 0; i < components.length; i++) {
            Class<?> type = components[i].getType();
            if (type.isPrimitive() && values[i] == null) {
                return new NullValueException(
                        aggregates.get(i) + " is null, because all its values were, and component '"
                                + components[i].getName() + "' of record " + result.getSimpleName() + " is a " + type
                                + ": make it a "
                                + MethodType.methodType(type)
                                        .wrap()
                                        .returnType()
                                        .getSimpleName(),
                        cause);
            }
        }
        return cause;
    }

    /** Takes the components, each of its own type. */
    MethodHandle constructor() throws ReflectiveOperationException {
        Class<?>[] components = Arrays.stream(result.getRecordComponents())
                .map(RecordComponent::getType)
                .toArray(Class<?>[]::new);
        Constructor<R> canonical = result.getDeclaredConstructor(components);
        canonical.setAccessible(true);
        return MethodHandles.lookup().unreflectConstructor(canonical);
    }

    /** Takes the components in an array. */
    private MethodHandle spread() throws ReflectiveOperationException {
        MethodHandle known = spread;
        if (known == null) {
            known = constructor()
                    .asSpreader(Object[].class, result.getRecordComponents().length)
                    .asType(MethodType.methodType(Object.class, Object[].class));
            spread = known;
        }
        return known;
    }
}
