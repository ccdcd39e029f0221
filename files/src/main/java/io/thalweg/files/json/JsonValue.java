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
 * A JSON value for which there is no class. Immutable, and equal to one that says the same, whatever the order of fields is:
 * so it may be a key. A number is what is written: {@code 1}, {@code 1.0} and {@code 1e0} differ.
 *
 * <p>Values within it are found by a path, {@code user.addresses[0].city}. Where nothing is there, or something of another
 * type, a {@link BadRecordException} says so, and the record is counted and kept with the bad ones:
 *
 * <pre>{@code
 * topology.from(JsonLines.read("events.jsonl"))
 *         .filter(event -> event.text("type").equals("login"))
 *         .keyBy(event -> event.text("user.name"))
 * }</pre>
 */
public sealed interface JsonValue {
    /** An object; its fields in their order. */
    record Fields(Map<String, JsonValue> values) implements JsonValue {
        public Fields {
            values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        }

        @Override
        public String toString() {
            return JsonFormat.text(this);
        }
    }

    /** An array. */
    record Elements(List<JsonValue> values) implements JsonValue {
        public Elements {
            values = List.copyOf(values);
        }

        @Override
        public String toString() {
            return JsonFormat.text(this);
        }
    }

    record Text(String value) implements JsonValue {
        @Override
        public String toString() {
            return JsonFormat.text(this);
        }
    }

    /** A number of any length, as it is written. */
    record Numeric(String text) implements JsonValue {
        /** @throws IllegalArgumentException if JSON does not write numbers so */
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

    record Bool(boolean value) implements JsonValue {
        @Override
        public String toString() {
            return String.valueOf(value);
        }
    }

    record Null() implements JsonValue {
        @Override
        public String toString() {
            return "null";
        }
    }

    static JsonValue of(String text) {
        return new Text(text);
    }

    static JsonValue of(long number) {
        return new Numeric(Long.toString(number));
    }

    /** @throws IllegalArgumentException for a NaN or infinity, which JSON does not have */
    static JsonValue of(double number) {
        return new Numeric(Double.toString(number));
    }

    static JsonValue of(BigDecimal number) {
        return new Numeric(number.toString());
    }

    static JsonValue of(boolean value) {
        return new Bool(value);
    }

    static JsonValue nothing() {
        return new Null();
    }

    /** What stands at a path, null too; empty if nothing does. A name that has a dot in it is to be had by {@link #field}. */
    default Optional<JsonValue> find(String path) {
        return new TreePath(this, path).find();
    }

    /** What stands at a path. */
    default JsonValue at(String path) {
        return new TreePath(this, path).at();
    }

    /** The field of an object, by its very name. */
    default Optional<JsonValue> field(String name) {
        return this instanceof Fields fields
                ? Optional.ofNullable(fields.values().get(name))
                : Optional.empty();
    }

    /** The text at a path. */
    default String text(String path) {
        return new TreePath(this, path).text();
    }

    /** The whole number at a path: neither {@code 1.0} nor {@code 1e3} is one, nor what a long does not hold. */
    default long whole(String path) {
        return new TreePath(this, path).whole();
    }

    /** The number at a path: the double that is nearest to it. */
    default double number(String path) {
        return new TreePath(this, path).number();
    }

    /** The number at a path, exactly. */
    default BigDecimal decimal(String path) {
        return new TreePath(this, path).decimal();
    }

    /** True or false at a path. */
    default boolean flag(String path) {
        return new TreePath(this, path).flag();
    }

    /** The elements of the array at a path. */
    default List<JsonValue> elements(String path) {
        return new TreePath(this, path).elements();
    }
}
