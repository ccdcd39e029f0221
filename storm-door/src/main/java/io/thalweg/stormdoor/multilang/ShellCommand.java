// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor.multilang;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a component starts.
 *
 * @param environment over that of this process
 * @param inResources whether the child starts in the folder of the topology's resources
 */
record ShellCommand(List<String> words, Map<String, String> environment, boolean inResources) {
    /**
     * That of a component of Storm's, which does not tell it; null if its own methods are to be called.
     *
     * @param base the class that runs the command
     * @param calls what may be called of a component
     */
    static @Nullable ShellCommand of(Object component, Class<?> base, Class<?> calls) {
        if (!base.isInstance(component)) {
            return null;
        }
        try {
            for (Method call : calls.getMethods()) {
                Method its = component.getClass().getMethod(call.getName(), call.getParameterTypes());
                if (its.getDeclaringClass() != base) {
                    return null;
                }
            }
            return new ShellCommand(
                    List.of((String[]) field(base, "command").get(component)),
                    environment(field(base, "env").get(component)),
                    field(base, "changeDirectory").getBoolean(component));
        } catch (ReflectiveOperationException e) {
            return null; // another version of Storm's, which runs it by itself
        }
    }

    private static Field field(Class<?> base, String name) throws NoSuchFieldException {
        Field field = base.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }

    @SuppressWarnings("unchecked") // the field's type
    private static Map<String, String> environment(@Nullable Object value) {
        return value == null ? Map.of() : Map.copyOf((Map<String, String>) value);
    }

    @Override
    public String toString() {
        return String.join(" ", words);
    }
}
