// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import io.thalweg.api.codec.Signatures;
import java.io.Serializable;
import java.lang.invoke.MethodHandleInfo;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds which function keeps something that cannot be serialized, and says what to change. */
final class Captures {
    private static final String OWN_PACKAGES = NodeSpec.class
            .getPackageName()
            .substring(0, NodeSpec.class.getPackageName().lastIndexOf('.') + 1);

    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());

    private Captures() {}

    /** What is wrong with the first such function in a part of the graph; null if none is found. */
    static @Nullable String problemIn(@Nullable Object part) {
        return new Captures().problem(part);
    }

    private @Nullable String problem(@Nullable Object value) {
        if (!(value instanceof Serializable function) || Signatures.isSerializable(value) || !seen.add(value)) {
            return null;
        }
        if (value instanceof Collection<?> several) {
            return several.stream()
                    .map(this::problem)
                    .filter(each -> each != null)
                    .findFirst()
                    .orElse(null);
        }
        SerializedLambda lambda = Signatures.serializedForm(function);
        return lambda == null ? ofFields(function) : ofLambda(function, lambda);
    }

    private @Nullable String ofLambda(Serializable function, SerializedLambda lambda) {
        for (int i = 0; i < lambda.getCapturedArgCount(); i++) {
            Object captured = lambda.getCapturedArg(i);
            String inside = problem(captured);
            if (inside != null) {
                return inside;
            }
            if (captured != null && !Signatures.isSerializable(captured)) {
                boolean receiver = i == 0 && lambda.getImplMethodKind() != MethodHandleInfo.REF_invokeStatic;
                return receiver ? ofReceiver(function, lambda, captured) : ofVariable(function, captured);
            }
        }
        return null;
    }

    private static String ofReceiver(Serializable function, SerializedLambda lambda, Object receiver) {
        String text = Signatures.describe(function);
        String keeps = " keeps the " + name(receiver.getClass()) + " it belongs to, which cannot be serialized; ";
        if (text.startsWith("a lambda in ")) {
            return text + keeps + "make what it uses of it static, or copy the value to a local variable first";
        }
        String method = lambda.getImplMethodName();
        boolean own = lambda.getCapturingClass().equals(lambda.getImplClass());
        return (own ? "this::" + method : text) + keeps + "make the method static and write "
                + name(receiver.getClass()) + "::" + method;
    }

    private static String ofVariable(Serializable function, Object captured) {
        return Signatures.describe(function) + " keeps a " + name(captured.getClass())
                + ", which cannot be serialized; capture only serializable values, and make what is not inside the"
                + " operator, in its open";
    }

    private @Nullable String ofFields(Object holder) {
        boolean own = holder.getClass().getName().startsWith(OWN_PACKAGES);
        for (Class<?> type = holder.getClass(); type != null && type != Object.class; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) || Modifier.isTransient(field.getModifiers())) {
                    continue;
                }
                Object value = valueOf(field, holder);
                String inside = problem(value);
                if (inside != null) {
                    return inside;
                }
                if (value != null && !Signatures.isSerializable(value) && !(own && value instanceof Serializable)) {
                    return ofField(holder, field, value);
                }
            }
        }
        return null;
    }

    private static String ofField(Object holder, Field field, Object value) {
        String type = name(holder.getClass());
        if (field.isSynthetic()) {
            String instead =
                    holder.getClass().isAnonymousClass() ? "use a lambda instead" : "make class " + type + " static";
            return type + " is an inner class and keeps the " + name(value.getClass())
                    + " around it, which cannot be serialized; " + instead;
        }
        return "field '" + field.getName() + "' of " + type + " is a " + name(value.getClass())
                + ", which cannot be serialized; mark it transient and fill it in open";
    }

    private static @Nullable Object valueOf(Field field, Object holder) {
        try {
            field.setAccessible(true);
            return field.get(holder);
        } catch (IllegalAccessException | InaccessibleObjectException e) {
            return null;
        }
    }

    private static String name(Class<?> type) {
        String simple = type.getSimpleName();
        return simple.isEmpty() ? type.getName() : simple;
    }
}
