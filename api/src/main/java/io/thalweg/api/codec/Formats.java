// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.codec;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Describes types as text, so that state is not read as another type: records with their components, enums with their
 * constants.
 */
public final class Formats {
    private Formats() {}

    /** The description of a type, with everything that it contains. */
    public static String of(Type<?> type) {
        String arguments = type.arguments().stream().map(Formats::of).collect(Collectors.joining(", "));
        return of(type.raw(), new HashSet<>()) + (arguments.isEmpty() ? "" : "<" + arguments + ">");
    }

    private static String of(Class<?> type, Set<Class<?>> named) {
        String name = type.getSimpleName();
        if (type.isArray()) {
            return of(type.getComponentType(), named) + "[]";
        }
        if (!named.add(type)) {
            return name;
        }
        if (type.isEnum()) {
            return name
                    + Arrays.stream(type.getEnumConstants())
                            .map(Object::toString)
                            .collect(Collectors.joining("|", "(", ")"));
        }
        if (!type.isRecord()) {
            return name;
        }
        return name
                + Arrays.stream(type.getRecordComponents())
                        .map(component -> of(component, named))
                        .collect(Collectors.joining(", ", "(", ")"));
    }

    private static String of(RecordComponent component, Set<Class<?>> named) {
        Class<?> raw = component.getType();
        boolean plain = component.getGenericType() instanceof Class<?>;
        return component.getName() + " "
                + (plain ? of(raw, named) : component.getGenericType().getTypeName());
    }
}
