// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.api.connector.WriteTarget;
import io.thalweg.api.operator.NullableFunction;
import io.thalweg.files.csv.CsvColumn;
import io.thalweg.files.csv.CsvFormat;
import io.thalweg.files.csv.Delimiter;
import io.thalweg.files.output.OutputFiles;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes rows of CSV, with a header. Null is an empty field, an empty text is {@code ""}; a null in the only column makes
 * the record bad. A field is quoted if it contains a delimiter, a quote or a line break. Numbers and other values are printed as Java
 * prints them, a BigDecimal without an exponent if that takes no more than 1,000 characters. Immutable: each method returns another sink.
 * Made by {@link Csv#write(String, Class)}.
 *
 * @param <T> records
 */
public final class CsvSink<T> implements Sink<T> {
    private static final long serialVersionUID = 1L;

    private final OutputFiles files;

    @SuppressWarnings("serial") // a list that is serializable, of records that are
    private final List<CsvColumn<T>> columns;

    private final char delimiter;

    private CsvSink(OutputFiles files, List<CsvColumn<T>> columns, char delimiter) {
        this.files = files;
        this.columns = columns;
        this.delimiter = delimiter;
    }

    static <T> CsvSink<T> of(String path) {
        return new CsvSink<>(new OutputFiles(path, ".csv"), new ArrayList<>(), ',');
    }

    static <R> CsvSink<R> ofRecord(String path, Class<R> record) {
        return new CsvSink<>(new OutputFiles(path, ".csv"), List.of(new CsvColumn.Components<>(record)), ',');
    }

    /**
     * Adds a column.
     *
     * @param name in the header
     * @param value null for an empty field
     * @throws IllegalArgumentException if there is a column of this name: {@code Csv.read} could not tell them apart
     */
    public CsvSink<T> column(String name, NullableFunction<? super T, ?> value) {
        if (columns.stream().anyMatch(column -> column.names().contains(name))) {
            throw new IllegalArgumentException("two columns of " + files.name() + " are named '" + name + "'");
        }
        List<CsvColumn<T>> more = new ArrayList<>(columns);
        more.add(new CsvColumn.Computed<>(name, value));
        return new CsvSink<>(files, more, delimiter);
    }

    /** Separates fields with another ASCII character than a comma. */
    public CsvSink<T> delimiter(char character) {
        return new CsvSink<>(files, columns, Delimiter.check(character));
    }

    @Override
    public String name() {
        return files.name();
    }

    @Override
    public List<WriteTarget> writes() {
        return files.writes();
    }

    @Override
    public int requiredParallelism() {
        return files.requiredParallelism();
    }

    @Override
    public SinkWriter<T> open(SinkContext context) {
        if (columns.isEmpty()) {
            throw new ConnectorException(
                    "cannot write " + files.name()
                            + ": it has no columns; name a record class, Csv.write(path, Row.class), or add each with column(…)");
        }
        return files.open(context, new CsvFormat<>(columns, delimiter, true));
    }
}
