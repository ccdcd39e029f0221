// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import io.thalweg.api.codec.Type;
import java.io.Serializable;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Makes a record of the results of several aggregates. */
final class RecordMaker<R extends Record> implements Serializable {
    private static final long serialVersionUID = 1L;

    private final Class<R> result;
    private transient @Nullable MethodHandle constructor;

    /** @throws IllegalArgumentException where the components are not of the aggregates' results */
    RecordMaker(Class<R> result, List<? extends Aggregate<?, ?, ?>> aggregates) {
        this.result = result;
        RecordComponent[] components = result.getRecordComponents();
        if (components.length != aggregates.size()) {
            throw new IllegalArgumentException("record " + result.getSimpleName() + " has " + components.length
                    + " components for " + aggregates.size() + " aggregates");
        }
        for (int i = 0; i < components.length; i++) {
            Type<?> given = aggregates.get(i).resultType();
            Class<?> wanted =
                    MethodType.methodType(components[i].getType()).wrap().returnType();
            if (given != null && !wanted.isAssignableFrom(given.raw())) {
                throw new IllegalArgumentException("component '" + components[i].getName() + "' of record "
                        + result.getSimpleName() + " is a " + wanted.getSimpleName() + ", but aggregate " + (i + 1)
                        + " gives a " + given);
            }
        }
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

    R make(@Nullable Object[] values) throws Exception {
        try {
            return result.cast(constructor().invokeExact(values));
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private MethodHandle constructor() throws ReflectiveOperationException {
        MethodHandle known = constructor;
        if (known == null) {
            Class<?>[] components = Arrays.stream(result.getRecordComponents())
                    .map(RecordComponent::getType)
                    .toArray(Class<?>[]::new);
            Constructor<R> canonical = result.getDeclaredConstructor(components);
            canonical.setAccessible(true);
            known = MethodHandles.lookup()
                    .unreflectConstructor(canonical)
                    .asSpreader(Object[].class, components.length)
                    .asType(MethodType.methodType(Object.class, Object[].class));
            constructor = known;
        }
        return known;
    }
}
