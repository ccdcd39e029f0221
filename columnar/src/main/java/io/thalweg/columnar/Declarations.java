// SPDX-License-Identifier: Apache-2.0
package io.thalweg.columnar;

import io.thalweg.columnar.Declared.Absent;
import io.thalweg.columnar.Declared.Many;
import io.thalweg.columnar.Declared.Part;
import io.thalweg.columnar.Declared.Scalar;
import io.thalweg.columnar.Declared.Struct;
import io.thalweg.columnar.Declared.Table;
import io.thalweg.files.record.RecordShape;
import io.thalweg.files.record.TextForm;
import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.AnnotatedWildcardType;
import java.lang.reflect.ParameterizedType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Turns a record class into the tree of columns that it {@link Declared}. */
public final class Declarations {
    private static final Set<Class<?>> SCALARS = Set.of(
            String.class,
            long.class,
            int.class,
            short.class,
            byte.class,
            double.class,
            float.class,
            boolean.class,
            Long.class,
            Integer.class,
            Short.class,
            Byte.class,
            Double.class,
            Float.class,
            Boolean.class,
            BigDecimal.class,
            BigInteger.class,
            byte[].class);

    /** The records around the one at hand; a record inside itself is refused. */
    private final Deque<Class<?>> around = new ArrayDeque<>();

    private Declarations() {}

    /** @throws IllegalArgumentException if the class is no record, or has a component that no column can hold */
    public static Struct of(Class<?> record) {
        return new Declarations().struct(record);
    }

    private Struct struct(Class<?> record) {
        RecordShape<?> shape = RecordShape.of(record);
        around.push(record);
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < shape.size(); i++) {
            try {
                parts.add(component(shape.part(i)));
            } catch (UnfitException e) {
                throw shape.unreadable(i, e.reason);
            }
        }
        around.pop();
        return new Struct(shape, parts);
    }

    /** What may be null, and in which form values stand in files, is said in one place for all formats. */
    private Part component(io.thalweg.files.record.Part said) {
        AnnotatedType type = said.component().getAnnotatedType();
        boolean inside = said.optional() && type instanceof AnnotatedParameterizedType;
        AnnotatedType held = inside ? ((AnnotatedParameterizedType) type).getAnnotatedActualTypeArguments()[0] : type;
        Declared declared = said.form() == null && said.epoch() == null
                ? element(held).type()
                : new Scalar(said.raw(), said.form(), said.epoch());
        return new Part(declared, said.optional() ? Absent.EMPTY : said.required() ? Absent.REFUSED : Absent.NULL);
    }

    /** An element of a list, a value of a map, or what an Optional may hold. */
    private Part element(AnnotatedType type) {
        if (type instanceof AnnotatedWildcardType wildcard) {
            return element(wildcard.getAnnotatedUpperBounds()[0]);
        }
        if (type instanceof AnnotatedParameterizedType generic && raw(generic) == Optional.class) {
            return new Part(
                    element(generic.getAnnotatedActualTypeArguments()[0]).type(), Absent.EMPTY);
        }
        boolean primitive = type.getType() instanceof Class<?> raw && raw.isPrimitive();
        boolean mayBeNull = !primitive && io.thalweg.files.record.Part.saysNullable(type);
        return new Part(declared(type), mayBeNull ? Absent.NULL : Absent.REFUSED);
    }

    private Declared declared(AnnotatedType type) {
        if (type instanceof AnnotatedParameterizedType generic) {
            AnnotatedType[] arguments = generic.getAnnotatedActualTypeArguments();
            Class<?> raw = raw(generic);
            if (raw == List.class || raw == Collection.class || raw == Iterable.class || raw == Set.class) {
                return new Many(raw, element(arguments[0]));
            }
            if (raw == Map.class && arguments[0].getType() == String.class) {
                return new Table(element(arguments[1]));
            }
        } else if (type.getType() instanceof Class<?> raw) {
            if (SCALARS.contains(raw) || TextForm.of(raw) != null) {
                return new Scalar(raw);
            }
            if (raw.isRecord()) {
                return nested(raw);
            }
            if (type instanceof AnnotatedArrayType array) {
                return new Many(raw, element(array.getAnnotatedGenericComponentType()));
            }
        }
        throw new UnfitException(type.getType().getTypeName()
                + " fits no column; use a primitive or its wrapper, String, BigDecimal, BigInteger, byte[],"
                + " a java.time class, an enum, a record, an array, List, Set, Map<String, …> or Optional of these");
    }

    private Struct nested(Class<?> record) {
        if (around.contains(record)) {
            throw new UnfitException("a record that contains itself fits no columns");
        }
        return struct(record);
    }

    private static Class<?> raw(AnnotatedParameterizedType type) {
        return (Class<?>) ((ParameterizedType) type.getType()).getRawType();
    }

    private static final class UnfitException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final String reason;

        UnfitException(String reason) {
            super(reason, null, false, false);
            this.reason = reason;
        }
    }
}
