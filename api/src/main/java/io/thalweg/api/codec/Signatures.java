// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.codec;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.lang.invoke.MethodType;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.TypeVariable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Determines types from the functions that a user passes in. A lambda or method reference reveals its erased signature
 * through its serialized form, a method reference also the generic signature of its method; a class reveals the type
 * arguments of the interface it implements.
 */
public final class Signatures {
    private Signatures() {}

    /**
     * The return type of a function.
     *
     * @param function a lambda, a method reference, or an object of a class that implements the interface
     * @param contract the functional interface, whose last type parameter is what it returns
     * @return null if the signature does not tell
     */
    public static @Nullable Type<?> resultOf(Serializable function, Class<?> contract) {
        SerializedLambda lambda = serializedForm(function);
        try {
            return lambda == null
                    ? argument(function.getClass(), contract, contract.getTypeParameters().length - 1)
                    : result(lambda, function.getClass().getClassLoader());
        } catch (CodecException e) {
            return null; // a type variable or a bare wildcard: the signature does not tell
        }
    }

    /**
     * The name of the method that a method reference refers to, such as {@code Order::customer}; empty for lambdas,
     * which have no stable name, and for other objects.
     */
    public static String nameOf(Serializable function) {
        SerializedLambda lambda = serializedForm(function);
        if (lambda == null || lambda.getImplMethodName().startsWith("lambda$")) {
            return "";
        }
        String owner = lambda.getImplClass();
        return owner.substring(Math.max(owner.lastIndexOf('/'), owner.lastIndexOf('$')) + 1) + "::"
                + lambda.getImplMethodName();
    }

    /**
     * The type argument that a class passes to parameter {@code index} of an interface it implements; null if unknown.
     */
    public static @Nullable Type<?> argument(Class<?> implementation, Class<?> contract, int index) {
        try {
            return argument(implementation, contract, index, Map.of());
        } catch (CodecException e) {
            return null;
        }
    }

    /**
     * Describes a function so that its author finds it: {@code Reading::celsius}, {@code a lambda in Job.define}, or
     * the name of its class.
     */
    public static String describe(Serializable function) {
        SerializedLambda lambda = serializedForm(function);
        if (lambda == null) {
            return simpleName(function.getClass().getName());
        }
        String owner = simpleName(lambda.getImplClass());
        String method = lambda.getImplMethodName();
        if (method.startsWith("lambda$")) {
            String[] parts = method.split("\\$", -1);
            return "a lambda in " + owner + (parts.length > 2 && !parts[1].isEmpty() ? "." + parts[1] : "");
        }
        return owner + "::" + (method.equals("<init>") ? "new" : method);
    }

    /** Without package and outer classes. */
    private static String simpleName(String name) {
        String inPackage = name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('/')) + 1);
        String simple = inPackage.substring(inPackage.lastIndexOf('$') + 1);
        return simple.isEmpty() || Character.isDigit(simple.charAt(0)) ? inPackage : simple;
    }

    /** Whether the function is a reference to a method whose result is marked {@code @Nullable}. */
    public static boolean isMarkedNullable(Serializable function) {
        SerializedLambda lambda = serializedForm(function);
        if (lambda == null || lambda.getImplMethodName().equals("<init>")) {
            return false;
        }
        try {
            Method method = method(lambda, function.getClass().getClassLoader());
            return Stream.of(
                            method.getAnnotations(),
                            method.getAnnotatedReturnType().getAnnotations())
                    .flatMap(Arrays::stream)
                    .anyMatch(each -> each.annotationType().getSimpleName().equals("Nullable"));
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }

    /** Whether the object and everything it holds can be serialized by Java. */
    public static boolean isSerializable(Object object) {
        try (ObjectOutputStream out = new ObjectOutputStream(OutputStream.nullOutputStream())) {
            out.writeObject(object);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static @Nullable Type<?> argument(
            Class<?> type, Class<?> contract, int index, Map<TypeVariable<?>, Type<?>> bound) {
        for (java.lang.reflect.Type parent : type.getGenericInterfaces()) {
            Type<?> found = argumentOf(parent, contract, index, bound);
            if (found != null) {
                return found;
            }
        }
        java.lang.reflect.Type parent = type.getGenericSuperclass();
        return parent == null ? null : argumentOf(parent, contract, index, bound);
    }

    private static @Nullable Type<?> argumentOf(
            java.lang.reflect.Type parent, Class<?> contract, int index, Map<TypeVariable<?>, Type<?>> bound) {
        if (parent instanceof ParameterizedType generic) {
            Class<?> raw = (Class<?>) generic.getRawType();
            if (raw == contract) {
                return Type.resolve(generic.getActualTypeArguments()[index], bound);
            }
            Map<TypeVariable<?>, Type<?>> inner = new HashMap<>();
            for (int i = 0; i < raw.getTypeParameters().length; i++) {
                try { // what cannot be resolved matters only if the contract's parameter depends on it
                    inner.put(raw.getTypeParameters()[i], Type.resolve(generic.getActualTypeArguments()[i], bound));
                } catch (CodecException e) {
                    inner.remove(raw.getTypeParameters()[i]);
                }
            }
            return argument(raw, contract, index, inner);
        }
        return parent instanceof Class<?> raw ? argument(raw, contract, index, bound) : null;
    }

    private static @Nullable Type<?> result(SerializedLambda lambda, @Nullable ClassLoader loader) {
        MethodType instantiated = MethodType.fromMethodDescriptorString(lambda.getInstantiatedMethodType(), loader);
        Class<?> erased = instantiated.returnType();
        if (erased.getTypeParameters().length > 0) {
            return lambda.getImplMethodName().startsWith("lambda$") ? null : genericResult(lambda, loader);
        }
        return erased == Object.class || erased == void.class ? null : Type.of(erased);
    }

    private static @Nullable Type<?> genericResult(SerializedLambda lambda, @Nullable ClassLoader loader) {
        try {
            Class<?> owner = Class.forName(lambda.getImplClass().replace('/', '.'), false, loader);
            if (lambda.getImplMethodName().equals("<init>")) {
                return owner.getTypeParameters().length == 0 ? Type.of(owner) : null;
            }
            return Type.of(method(lambda, loader).getGenericReturnType());
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    private static Method method(SerializedLambda lambda, @Nullable ClassLoader loader)
            throws ReflectiveOperationException {
        Class<?> owner = Class.forName(lambda.getImplClass().replace('/', '.'), false, loader);
        Class<?>[] parameters = MethodType.fromMethodDescriptorString(lambda.getImplMethodSignature(), loader)
                .parameterArray();
        return owner.getDeclaredMethod(lambda.getImplMethodName(), parameters);
    }

    /** The serialized form of a lambda or method reference; null if the function is neither. */
    public static @Nullable SerializedLambda serializedForm(Serializable function) {
        if (!function.getClass().isSynthetic()) {
            return null;
        }
        try {
            Method writeReplace = function.getClass().getDeclaredMethod("writeReplace");
            writeReplace.setAccessible(true);
            return writeReplace.invoke(function) instanceof SerializedLambda lambda ? lambda : null;
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
            return null;
        }
    }
}
