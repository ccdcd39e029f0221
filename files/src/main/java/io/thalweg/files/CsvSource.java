// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.files.csv.CsvParser;
import io.thalweg.files.csv.Delimiter;
import io.thalweg.files.input.InputFiles;
import io.thalweg.files.input.LineInput;
import io.thalweg.files.input.LineReader;
import io.thalweg.files.record.RecordShape;
import java.io.IOException;
import java.util.List;

/**
 * Records from CSV. Columns are matched with components by name, in any order; those without a component are left out. A
 * field with nothing in it is null, {@code ""} an empty text. A row with more or fewer fields than the header is bad; lines
 * with nothing on them are left out. Made by {@link Csv#read}.
 */
public final class CsvSource<R> implements Source<R> {
    private static final long serialVersionUID = 1L;

    private final InputFiles files;
    private final Class<R> record;
    private final char delimiter;
    private final boolean header;
    private final int maxRecordBytes;

    private CsvSource(InputFiles files, Class<R> record, char delimiter, boolean header, int maxRecordBytes) {
        this.files = files;
        this.record = record;
        this.delimiter = Delimiter.check(delimiter);
        this.header = header;
        this.maxRecordBytes = LineInput.checkMaxLineBytes(maxRecordBytes);
        CsvParser.check(RecordShape.of(record)); // a record that cannot be read is told here, not on some worker
    }

    static <R> CsvSource<R> of(String path, Class<R> record) {
        return new CsvSource<>(new InputFiles(path), record, ',', true, LineInput.DEFAULT_MAX_LINE_BYTES);
    }

    /** Another character than a comma between fields, of ASCII. */
    public CsvSource<R> delimiter(char character) {
        return new CsvSource<>(files, record, character, header, maxRecordBytes);
    }

    /** The first line is a row like all others; the columns are the components, in their order. */
    public CsvSource<R> withoutHeader() {
        return new CsvSource<>(files, record, delimiter, false, maxRecordBytes);
    }

    /** A longer row is bad; 16 MiB unless told. One row must fit in memory, with the buffer that holds it. */
    public CsvSource<R> maxRecordBytes(int bytes) {
        return new CsvSource<>(files, record, delimiter, header, bytes);
    }

    @Override
    public String name() {
        return files.name();
    }

    @Override
    public Type<R> type() {
        return Type.of(record);
    }

    @Override
    public List<String> splits(int parallelism) {
        return files.splits();
    }

    @Override
    public void checkSplits(List<String> splits) {
        files.check(splits);
    }

    @Override
    public SplitReader<R> open(String split, SourceContext context) throws IOException {
        LineInput lines = LineInput.open(split, maxRecordBytes, context.checkpoints());
        try {
            return new LineReader<>(lines, CsvParser.open(lines, RecordShape.of(record), delimiter, header), context);
        } catch (ConnectorException e) {
            lines.close();
            throw e;
        }
    }

    @Override
    public boolean replayable() {
        return !files.blocking();
    }

    @Override
    public boolean blocking() {
        return files.blocking();
    }

    @Override
    public List<String> readOnce() {
        return files.readOnce();
    }
}
