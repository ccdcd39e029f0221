// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.json;

import io.thalweg.api.operator.BadRecordException;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A JSON value for which there is no class. Immutable, and equal to a value with the same content, whatever the order
 * of fields, so it can be a key. Numbers are kept exactly as written: {@code 1}, {@code 1.0} and {@code 1e0} differ.
 *
 * <p>Values within it are found by a path such as {@code user.addresses[0].city}. If there is nothing at the path, or a
 * value of another type, a {@link BadRecordException} says so, and the record is counted and kept as a bad one:
 *
 * <pre>{@code
 * topology.from(JsonLines.read("events.jsonl"))
 *         .filter(event -> event.text("type").equals("login"))
 *         .keyBy(event -> event.text("user.name"))
 * }</pre>
 */
public sealed interface JsonValue {
    /**
     * An object.
     *
     * @param values its fields, in their order
     */
    record Fields(Map<String, JsonValue> values) implements JsonValue {
        /** Copies the fields. */
        public Fields {
            values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        }

        @Override
        public String toString() {
            return JsonFormat.text(this);
        }
    }

    /**
     * An array.
     *
     * @param values its elements
     */
    record Elements(List<JsonValue> values) implements JsonValue {
        /** Copies the elements. */
        public Elements {
            values = List.copyOf(values);
        }

        @Override
        public String toString() {
            return JsonFormat.text(this);
        }
    }

    /**
     * A text.
     *
     * @param value without quotes and escapes
     */
    record Text(String value) implements JsonValue {
        @Override
        public String toString() {
            return JsonFormat.text(this);
        }
    }

    /**
     * A number of any length.
     *
     * @param text as it is written
     */
    record Numeric(String text) implements JsonValue {
        /**
         * Checks the number.
         *
         * @throws IllegalArgumentException if the text is not a number in JSON
         */
        public Numeric {
            if (!JsonNumber.isNumber(text)) {
                throw new IllegalArgumentException("JSON has no number " + text);
            }
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /**
     * True or false.
     *
     * @param value which of them
     */
    record Bool(boolean value) implements JsonValue {
        @Override
        public String toString() {
            return String.valueOf(value);
        }
    }

    /** The value {@code null}. */
    record Null() implements JsonValue {
        @Override
        public String toString() {
            return "null";
        }
    }

    /** A text. */
    static JsonValue of(String text) {
        return new Text(text);
    }

    /** A whole number. */
    static JsonValue of(long number) {
        return new Numeric(Long.toString(number));
    }

    /**
     * A number, as Java prints it.
     *
     * @throws IllegalArgumentException for a NaN or infinity, which JSON does not have
     */
    static JsonValue of(double number) {
        return new Numeric(Double.toString(number));
    }

    /** A number, exactly. */
    static JsonValue of(BigDecimal number) {
        return new Numeric(number.toString());
    }

    /** True or false. */
    static JsonValue of(boolean value) {
        return new Bool(value);
    }

    /** The value {@code null}. */
    static JsonValue nothing() {
        return new Null();
    }

    /**
     * The value at a path, possibly {@link Null}; empty if there is none. A field whose name contains a dot is found by
     * {@link #field}.
     */
    default Optional<JsonValue> find(String path) {
        return new TreePath(this, path).find();
    }

    /**
     * The value at a path.
     *
     * @throws BadRecordException if there is none
     */
    default JsonValue at(String path) {
        return new TreePath(this, path).at();
    }

    /** The field of an object with exactly this name; empty if there is none, or if this is not an object. */
    default Optional<JsonValue> field(String name) {
        return this instanceof Fields fields
                ? Optional.ofNullable(fields.values().get(name))
                : Optional.empty();
    }

    /**
     * The text at a path.
     *
     * @throws BadRecordException if there is no text
     */
    default String text(String path) {
        return new TreePath(this, path).text();
    }

    /**
     * The whole number at a path.
     *
     * @throws BadRecordException if there is none: {@code 1.0} and {@code 1e3} are not whole numbers, nor is one out of
     *     the range of {@code long}
     */
    default long whole(String path) {
        return new TreePath(this, path).whole();
    }

    /**
     * The number at a path, as the nearest double.
     *
     * @throws BadRecordException if there is no number
     */
    default double number(String path) {
        return new TreePath(this, path).number();
    }

    /**
     * The number at a path, exactly.
     *
     * @throws BadRecordException if there is no number
     */
    default BigDecimal decimal(String path) {
        return new TreePath(this, path).decimal();
    }

    /**
     * The boolean at a path.
     *
     * @throws BadRecordException if there is none
     */
    default boolean flag(String path) {
        return new TreePath(this, path).flag();
    }

    /**
     * The elements of the array at a path.
     *
     * @throws BadRecordException if there is no array
     */
    default List<JsonValue> elements(String path) {
        return new TreePath(this, path).elements();
    }
}
