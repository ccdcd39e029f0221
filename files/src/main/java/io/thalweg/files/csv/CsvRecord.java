// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.csv;

import io.thalweg.files.record.Part;
import io.thalweg.files.record.RecordShape;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A record as columns: each component is one, and each of a record within it too, named with a dot: {@code price.amount}.
 *
 * @param shape the record class
 * @param fields in the order of its components
 * @param width how many columns it has
 */
public record CsvRecord(RecordShape<?> shape, List<Field> fields, int width) {
    private static final int MAX_DEPTH = 20;

    /** A component: a column, or a record with columns of its own. */
    sealed interface Field {
        Part part();
    }

    /** @param column its name */
    record Column(Part part, String column, CsvValue value) implements Field {}

    record Nested(Part part, CsvRecord record) implements Field {}

    /** @throws IllegalArgumentException if the class is no record, or has a component that CSV cannot hold */
    public static CsvRecord of(Class<?> type) {
        CsvRecord record = of(RecordShape.of(type), "", 0);
        HashSet<String> names = new HashSet<>();
        for (String column : record.columns()) {
            if (!names.add(column)) {
                throw new IllegalArgumentException(
                        "record " + type.getName() + " has two columns '" + column + "'; give one another @Name");
            }
        }
        return record;
    }

    private static CsvRecord of(RecordShape<?> shape, String name, int depth) {
        List<Field> fields = new ArrayList<>();
        int width = 0;
        for (int i = 0; i < shape.size(); i++) {
            Part part = shape.part(i);
            String column = name.isEmpty() ? part.name() : name + "." + part.name();
            if (part.raw().isRecord()) {
                if (depth == MAX_DEPTH) {
                    throw shape.unreadable(i, "CSV cannot hold a record that contains itself");
                }
                RecordShape<?> inner = RecordShape.of(part.raw());
                CsvRecord record = of(inner, column, depth + 1);
                fields.add(new Nested(part, record));
                width += record.width;
            } else {
                fields.add(new Column(part, column, value(shape, i)));
                width++;
            }
        }
        return new CsvRecord(shape, List.copyOf(fields), width);
    }

    private static CsvValue value(RecordShape<?> shape, int component) {
        Part part = shape.part(component);
        CsvValue value = CsvValue.of(part);
        if (value == null) {
            throw shape.unreadable(
                    component,
                    part.component().getGenericType().getTypeName().replaceAll("<.*", "")
                            + " cannot be read from CSV; use a primitive or its wrapper, String, BigDecimal, BigInteger,"
                            + " an enum, a class of java.time, UUID, a record of these, or an Optional of one; a list or a"
                            + " map has no columns, but JSON lines hold it");
        }
        return value;
    }

    /** The names of all columns, in their order. */
    public List<String> columns() {
        return simple().map(Column::column).toList();
    }

    /** All columns, those of records within this one too, in their order. */
    Stream<Column> simple() {
        return fields.stream()
                .flatMap(field -> field instanceof Nested nested ? nested.record.simple() : Stream.of((Column) field));
    }

    /** Adds what a row has in these columns, as it is written; nothing in all of them for null. */
    public void values(@Nullable Object row, List<@Nullable Object> to) throws Exception {
        for (int i = 0; i < fields.size(); i++) {
            @Nullable Object value = row == null ? null : shape.written(row, i);
            if (fields.get(i) instanceof Nested nested) {
                nested.record.values(value, to);
            } else {
                to.add(value);
            }
        }
    }
}
