// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.api.connector.WriteTarget;
import io.thalweg.files.input.InputFiles;
import io.thalweg.files.input.LineInput;
import io.thalweg.files.input.LineParser;
import io.thalweg.files.input.LineReader;
import io.thalweg.files.json.JsonReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records from JSON lines. Blank lines are skipped. Replayable, except for standard input and pipes. Immutable: each
 * method returns another source. Made by {@link JsonLines#read(String, Class)}.
 *
 * @param <R> records
 */
public final class JsonLinesSource<R> implements Source<R> {
    private static final long serialVersionUID = 1L;

    private final InputFiles files;
    private final Class<R> record;
    private final int maxLineBytes;
    private final int maxDepth;

    private JsonLinesSource(InputFiles files, Class<R> record, int maxLineBytes, int maxDepth) {
        this.files = files;
        this.record = record;
        this.maxLineBytes = LineInput.checkMaxLineBytes(maxLineBytes);
        this.maxDepth = maxDepth;
        JsonReader.of(record, maxDepth); // a record that cannot be read is told here, not on some worker
    }

    static <R> JsonLinesSource<R> of(String path, Class<R> record) {
        return new JsonLinesSource<>(
                new InputFiles(path), record, LineInput.DEFAULT_MAX_LINE_BYTES, JsonReader.DEFAULT_MAX_DEPTH);
    }

    /**
     * Limits the length of a line; a longer one is a bad record. A line and its buffer must fit in memory.
     *
     * @param bytes 16 MiB by default
     */
    public JsonLinesSource<R> maxLineBytes(int bytes) {
        return new JsonLinesSource<>(files, record, bytes, maxDepth);
    }

    /**
     * Limits nesting; an object nested deeper is a bad record.
     *
     * @param levels 64 by default, at most 1,000
     */
    public JsonLinesSource<R> maxDepth(int levels) {
        return new JsonLinesSource<>(files, record, maxLineBytes, levels);
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
    public SplitReader<R> open(String split, SourceContext context) {
        JsonReader<R> json = JsonReader.of(record, maxDepth);
        LineInput lines = LineInput.open(split, maxLineBytes, context.checkpoints());
        return LineReader.of(lines, new Lines<>(json), () -> new Lines<>(json.another()), context);
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

    record Lines<R>(JsonReader<R> json) implements LineParser<R> {
        @Override
        public @Nullable R parse(LineInput lines) {
            byte[] bytes = lines.bytes();
            return blank(bytes, lines.from(), lines.to()) ? null : json.read(bytes, lines.from(), lines.to());
        }

        private static boolean blank(byte[] bytes, int from, int to) {
            int at = from;
            while (at < to && (bytes[at] == ' ' || bytes[at] == '\t' || bytes[at] == '\r')) {
                at++;
            }
            return at == to;
        }
    }
}
