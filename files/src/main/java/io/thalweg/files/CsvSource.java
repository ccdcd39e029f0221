// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.api.connector.WriteTarget;
import io.thalweg.files.csv.CsvLayout;
import io.thalweg.files.csv.CsvParser;
import io.thalweg.files.csv.CsvRecord;
import io.thalweg.files.input.InputFiles;
import io.thalweg.files.input.LineInput;
import io.thalweg.files.input.LineReader;
import java.io.IOException;
import java.util.List;

/**
 * Records from CSV. Columns are matched with components by name, in any order; other columns are ignored. The
 * components of a nested record have columns of their own, named with a dot: {@code price.amount}. An empty field is
 * null, {@code ""} is an empty text. Null makes a row bad unless the component is {@code @Nullable} or an Optional. A
 * row with more or fewer fields than the header is bad; empty lines are skipped. Replayable, except for standard input
 * and pipes. Immutable: each method returns another source. Made by {@link Csv#read}.
 *
 * @param <R> records
 */
public final class CsvSource<R> implements Source<R> {
    private static final long serialVersionUID = 1L;

    private final InputFiles files;
    private final Class<R> record;
    private final CsvLayout layout;
    private final int maxRecordBytes;

    private CsvSource(InputFiles files, Class<R> record, CsvLayout layout, int maxRecordBytes) {
        this.files = files;
        this.record = record;
        this.layout = layout;
        this.maxRecordBytes = LineInput.checkMaxLineBytes(maxRecordBytes);
        CsvRecord.of(record); // a record that cannot be read is told here, not on some worker
    }

    static <R> CsvSource<R> of(String path, Class<R> record) {
        return new CsvSource<>(new InputFiles(path), record, CsvLayout.DEFAULT, LineInput.DEFAULT_MAX_LINE_BYTES);
    }

    private CsvSource<R> with(CsvLayout value) {
        return new CsvSource<>(files, record, value, maxRecordBytes);
    }

    /** Fields are separated by another ASCII character than a comma. */
    public CsvSource<R> delimiter(char character) {
        return with(layout.withDelimiter(character));
    }

    /** There is no header: the first line is a row, and the columns are the components, in their order. */
    public CsvSource<R> withoutHeader() {
        return with(layout.withoutHeader());
    }

    /**
     * Skips lines that begin with this ASCII character, before and after the header. A row whose first field is quoted
     * begins with the quote; a row of several lines is a comment only if its first line is.
     */
    public CsvSource<R> comments(char character) {
        return with(layout.withComments(character));
    }

    /** Skips a number of lines at the beginning of each file, such as a title above the header. */
    public CsvSource<R> skipLines(int lines) {
        return with(layout.skipping(lines));
    }

    /**
     * Limits the length of a row; a longer one is a bad record. A row and its buffer must fit in memory.
     *
     * @param bytes 16 MiB by default
     */
    public CsvSource<R> maxRecordBytes(int bytes) {
        return new CsvSource<>(files, record, layout, bytes);
    }

    /** The same records, each with its file, line and offset. Must be called last. */
    public Source<Located<R>> withPosition() {
        return new LocatedSource<>(this);
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
            CsvParser<R> parser = CsvParser.open(lines, record, layout);
            return LineReader.of(lines, parser, parser::another, context);
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
    public boolean decodesInPieces() {
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

    @Override
    public boolean reads(WriteTarget place) {
        return files.reads(place);
    }
}
