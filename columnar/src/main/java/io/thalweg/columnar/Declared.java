// SPDX-License-Identifier: Apache-2.0
package io.thalweg.columnar;

import io.thalweg.files.record.EpochForm;
import io.thalweg.files.record.RecordShape;
import io.thalweg.files.record.TextForm;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The columns that a record class declares, as a tree: those to read, or those to write. Immutable. */
public sealed interface Declared {
    /**
     * One value: a number, a text, a time, an enum, {@code byte[]}.
     *
     * @param type the declared class
     * @param form what {@link io.thalweg.files.record.Pattern} says, or null
     * @param epoch what {@link io.thalweg.files.record.Epoch} says, or null
     */
    record Scalar(
            Class<?> type,
            @Nullable TextForm form,
            @Nullable EpochForm epoch) implements Declared {
        /** A value without annotations. */
        public Scalar(Class<?> type) {
            this(type, null, null);
        }

        /** The class of values in a column that it is written to: String with {@code @Pattern}, Long with {@code @Epoch}. */
        public Class<?> column() {
            Class<?> plain = MethodType.methodType(type).wrap().returnType();
            return form != null ? String.class : epoch != null ? Long.class : plain;
        }
    }

    /**
     * A record.
     *
     * @param shape the record class
     * @param parts in the order of its components
     */
    record Struct(RecordShape<?> shape, List<Part> parts) implements Declared {}

    /**
     * A list, a set or an array.
     *
     * @param raw the declared class
     * @param element what it holds
     */
    record Many(Class<?> raw, Part element) implements Declared {
        /** A collection of the declared class with these elements. */
        public Object of(List<@Nullable Object> elements) {
            if (raw.isArray()) {
                Object array = Array.newInstance(raw.componentType(), elements.size());
                for (int i = 0; i < elements.size(); i++) {
                    Array.set(array, i, elements.get(i));
                }
                return array;
            }
            return raw == Set.class ? new LinkedHashSet<>(elements) : elements;
        }

        /** The elements of such a collection. */
        public List<@Nullable Object> elements(Object collection) {
            List<@Nullable Object> elements = new ArrayList<>();
            if (collection instanceof Iterable<?> iterable) {
                iterable.forEach(elements::add);
            } else {
                for (int i = 0; i < Array.getLength(collection); i++) {
                    elements.add(Array.get(collection, i));
                }
            }
            return elements;
        }
    }

    /**
     * A map with String keys.
     *
     * @param values what it holds
     */
    record Table(Part values) implements Declared {}

    /** What a null in a file means. */
    enum Absent {
        /** It makes the record bad. */
        REFUSED,
        /** It is null in the record, too. */
        NULL,
        /** It is an empty Optional. */
        EMPTY
    }

    /**
     * A component, an element or a map's value.
     *
     * @param type what it holds
     * @param absent what a null means
     */
    record Part(Declared type, Absent absent) {
        /** @return null if a null is refused; otherwise what stands for it, in an array of one */
        public @Nullable Object @Nullable [] ofNull() {
            return switch (absent) {
                case REFUSED -> null;
                case NULL -> new @Nullable Object[1];
                case EMPTY -> new @Nullable Object[] {Optional.empty()};
            };
        }

        /** What the record holds for a value that is not null: the value, or an Optional of it. */
        public Object held(Object value) {
            return absent == Absent.EMPTY ? Optional.of(value) : value;
        }

        /** What is written for what a record holds: the value, or that of an Optional; null for a null or an empty Optional. */
        public @Nullable Object given(@Nullable Object value) {
            return value instanceof Optional<?> optional ? optional.orElse(null) : value;
        }
    }
}
