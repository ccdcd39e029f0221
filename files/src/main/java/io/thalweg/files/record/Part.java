// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.record;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is said of a component of a record.
 *
 * @param component as the record class declares it
 * @param name what it is called in files
 * @param type of its values: of an Optional what it may hold
 * @param optional an Optional, empty if nothing is there
 * @param required nothing may not be there: it is a primitive, or neither an Optional nor does an annotation called Nullable stand at it
 * @param form what {@link Pattern} says, or null
 * @param epoch what {@link Epoch} says, or null
 */
public record Part(
        RecordComponent component,
        String name,
        Type type,
        boolean optional,
        boolean required,
        @Nullable TextForm form,
        @Nullable EpochForm epoch) {

    /** @throws IllegalArgumentException if its annotations do not fit its type; says why */
    static Part of(RecordComponent component) {
        Name name = component.getAnnotation(Name.class);
        boolean optional = component.getType() == Optional.class;
        Type type = optional && component.getGenericType() instanceof ParameterizedType generic
                ? generic.getActualTypeArguments()[0]
                : component.getGenericType();
        Class<?> raw = type instanceof Class<?> plain ? plain : Object.class;
        Pattern pattern = component.getAnnotation(Pattern.class);
        Epoch epoch = component.getAnnotation(Epoch.class);
        if (epoch != null && (raw != Instant.class || pattern != null)) {
            throw new IllegalArgumentException("@Epoch is for an Instant without @Pattern");
        }
        return new Part(
                component,
                name == null ? component.getName() : name.value(),
                type,
                optional,
                !optional && (component.getType().isPrimitive() || !nullable(component)),
                pattern == null ? null : PatternForm.of(pattern, raw),
                epoch == null ? null : EpochForm.of(epoch.value()));
    }

    private static boolean nullable(RecordComponent component) {
        return Stream.of(
                        component,
                        component.getAnnotatedType(),
                        component.getAccessor(),
                        component.getAccessor().getAnnotatedReturnType())
                .anyMatch(Part::saysNullable);
    }

    /** Any annotation called Nullable will do that is kept at run time. */
    public static boolean saysNullable(AnnotatedElement at) {
        return Stream.of(at.getAnnotations())
                .map(Annotation::annotationType)
                .anyMatch(annotation -> annotation.getSimpleName().equals("Nullable"));
    }

    /** The class of its values; Object if there is more to say of it, as of a List. */
    public Class<?> raw() {
        return type instanceof Class<?> plain ? plain : Object.class;
    }

    /** What stands for nothing. */
    public @Nullable Object absent() {
        return optional ? Optional.empty() : null;
    }

    /** A value that was read, as the component holds it. */
    public @Nullable Object held(@Nullable Object value) {
        return optional ? Optional.ofNullable(value) : value;
    }

    /** A value of the component as formats write it: text for a {@link Pattern}, a number for an {@link Epoch}. */
    public @Nullable Object written(@Nullable Object held) {
        Object value = held instanceof Optional<?> maybe ? maybe.orElse(null) : held;
        if (value == null) {
            return null;
        }
        if (form != null) {
            return form.print().apply(value);
        }
        return epoch != null ? epoch.number((Instant) value) : value;
    }

    /** What is to be said if nothing is there. */
    public String needed() {
        if (component.getType().isPrimitive()) {
            return "its component is a primitive";
        }
        String declared = component.getGenericType().getTypeName().replaceAll("(\\w+[.$])+", "");
        return "its component is not @Nullable; if it may be so, declare it '@Nullable " + declared + " "
                + component.getName() + "'";
    }
}
