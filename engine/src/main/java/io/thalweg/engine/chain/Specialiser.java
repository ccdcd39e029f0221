// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

import io.thalweg.api.operator.Aggregate;
import io.thalweg.run.StageListener;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps call sites in the hot path monomorphic. The JIT profiles types per call site of a method of a class: if all
 * pipelines shared one class, each call would be megamorphic after three pipelines. So the same class bytes are defined
 * again, as a hidden class, for every place in every pipeline, and the JIT inlines through all of it. Switched off, it
 * makes plain objects.
 *
 * <p>A class that is copied must not contain lambdas, whose proxies cannot name a hidden class, and must not use
 * private members of classes around it, because the copy is no nest mate of theirs.
 */
public final class Specialiser {
    private final boolean on;
    private final StageListener stages;
    private final String operator;

    public Specialiser(boolean on) {
        this(on, (operator, className) -> {}, "");
    }

    /**
     * @param stages is told of each copy
     * @param operator that the copies are made for
     */
    public Specialiser(boolean on, StageListener stages, String operator) {
        this.on = on;
        this.stages = stages;
        this.operator = operator;
    }

    /** Makes copies for this operator. */
    public Specialiser of(String name) {
        return new Specialiser(on, stages, name);
    }

    /**
     * The constructor arguments of a specialised class, as a record. Each such class has one constructor, which takes
     * its record: so a missing argument, or one in the wrong place, does not compile.
     *
     * @param <T> the interface that the object is seen through
     */
    public interface Parts<T> {
        /** The class to copy. */
        Class<? extends T> type();
    }

    /** Makes an object from these parts, of a copy of their class, whose {@link #constant(MethodHandles.Lookup, Class)} they are. */
    public <T> T make(Parts<T> parts) {
        return made(on ? copy(parts.type(), parts) : parts.type(), parts.type(), parts);
    }

    /**
     * Makes an object of a copy of a class whose constructor takes nothing.
     *
     * @param constant is the copy's class data, as {@link MethodHandles#classData} returns it: what it holds in a static final field, the
     *     JIT takes as a constant
     * @param otherwise is returned if no copies are made
     */
    public <T> T make(Class<? extends T> type, Object constant, T otherwise) {
        return on ? made(copy(type, constant), type) : otherwise;
    }

    /** The constant of a copy of the class that looks: see {@link #make(Class, Object, Object)}. */
    public static MethodHandle constant(MethodHandles.Lookup copy) {
        try {
            return MethodHandles.classData(copy, "_", MethodHandle.class);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * The parts that a copy was made from: what it holds in a static final field, and the final fields of records and of other copies
     * that are reached from there, the JIT takes as constants, so that it loads nothing and checks no class on the way.
     *
     * @param copy the class that looks
     * @return null in a class that is no copy
     */
    public static <P extends Parts<?>> @Nullable P constant(MethodHandles.Lookup copy, Class<P> parts) {
        try {
            return copy.lookupClass().isHidden() ? MethodHandles.classData(copy, "_", parts) : null;
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    private <T> T make(Class<? extends T> type, @Nullable Object... arguments) {
        return made(on ? copy(type, null) : type, type, arguments);
    }

    private static <T> T made(Class<?> target, Class<? extends T> type, @Nullable Object... arguments) {
        try {
            Constructor<?> constructor = target.getDeclaredConstructors()[0];
            constructor.setAccessible(true);
            @SuppressWarnings("unchecked") // a copy implements what the original implements
            T made = (T) constructor.newInstance(arguments);
            return made;
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException runtime) {
                throw runtime;
            }
            throw new IllegalStateException("cannot make a " + type.getSimpleName(), e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot make a " + type.getSimpleName(), e);
        }
    }

    /**
     * Makes the object anew from a copy of its class, if that is a class of the API whose constructor takes its fields
     * in order; otherwise returns it as it is.
     */
    public <T> T again(T object) {
        Class<?> type = object.getClass();
        if (!on || type.isRecord() || type.isHidden() || type.getPackage() != Aggregate.class.getPackage()) {
            return object;
        }
        try {
            List<Object> fields = new ArrayList<>();
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    field.setAccessible(true);
                    fields.add(field.get(object));
                }
            }
            @SuppressWarnings("unchecked") // the class of the object is a class of T
            Class<? extends T> same = (Class<? extends T>) type;
            return make(same, fields.toArray());
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("cannot read " + type.getSimpleName(), e);
        }
    }

    private Class<?> copy(Class<?> type, @Nullable Object constant) {
        String file = type.getName().substring(type.getName().lastIndexOf('.') + 1) + ".class";
        try (InputStream in = type.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("the class file of " + type.getName() + " cannot be found");
            }
            MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
            byte[] bytes = in.readAllBytes();
            Class<?> copy = (constant == null
                            ? lookup.defineHiddenClass(bytes, false)
                            : lookup.defineHiddenClassWithClassData(bytes, constant, false))
                    .lookupClass();
            stages.made(operator, copy.getName());
            return copy;
        } catch (IOException | IllegalAccessException e) {
            throw new IllegalStateException("the class file of " + type.getName() + " cannot be read", e);
        }
    }
}
