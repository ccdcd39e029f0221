// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import io.thalweg.api.connector.Encoder;
import io.thalweg.api.operator.NullableFunction;
import io.thalweg.files.csv.CsvColumn;
import io.thalweg.files.csv.CsvFormat;
import io.thalweg.files.csv.Delimiter;
import io.thalweg.files.output.TextOutput;
import java.util.ArrayList;
import java.util.List;

/**
 * Encodes records as messages of one CSV row each, without a header and without a line break at the end, in the form
 * that {@link CsvSink} writes to files. {@link CsvDecoder} reads them back. Immutable: each method returns another
 * encoder. Made by {@link Csv#encoder(Class)}.
 *
 * @param <T> records
 */
public final class CsvEncoder<T> implements Encoder<T> {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // a list that is serializable, of records that are
    private final List<CsvColumn<T>> columns;

    private final char delimiter;

    private CsvEncoder(List<CsvColumn<T>> columns, char delimiter) {
        this.columns = columns;
        this.delimiter = delimiter;
    }

    static <T> CsvEncoder<T> of() {
        return new CsvEncoder<>(new ArrayList<>(), ',');
    }

    static <R> CsvEncoder<R> ofRecord(Class<R> record) {
        return new CsvEncoder<>(List.of(new CsvColumn.Components<>(record)), ',');
    }

    /**
     * Adds a field.
     *
     * @param name for messages; it is not written
     * @param value null for an empty field
     */
    public CsvEncoder<T> column(String name, NullableFunction<? super T, ?> value) {
        List<CsvColumn<T>> more = new ArrayList<>(columns);
        more.add(new CsvColumn.Computed<>(name, value));
        return new CsvEncoder<>(more, delimiter);
    }

    /** Separates fields with another ASCII character than a comma. */
    public CsvEncoder<T> delimiter(char character) {
        return new CsvEncoder<>(columns, Delimiter.check(character));
    }

    @Override
    public Encoding<T> open() {
        if (columns.isEmpty()) {
            throw new IllegalStateException("a CSV encoder has no columns; name a record class, Csv.encoder(Row.class),"
                    + " or add each with column(…)");
        }
        CsvFormat<T> format = new CsvFormat<>(columns, delimiter, false);
        TextOutput output = TextOutput.memory();
        return value -> {
            try {
                format.row(value, output);
                return output.takeRow();
            } finally {
                output.dropRow();
            }
        };
    }
}
