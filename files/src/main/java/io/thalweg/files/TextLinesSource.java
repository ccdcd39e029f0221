// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.api.connector.WriteTarget;
import io.thalweg.files.input.InputFiles;
import io.thalweg.files.input.LineInput;
import io.thalweg.files.input.LineReader;
import io.thalweg.files.record.MalformedException;
import io.thalweg.files.record.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Lines of text. Replayable, except for standard input and pipes. Immutable: each method returns another source. Made
 * by {@link TextLines#read}.
 */
public final class TextLinesSource implements Source<String> {
    private static final long serialVersionUID = 1L;

    private final InputFiles files;
    private final int maxLineBytes;

    private TextLinesSource(InputFiles files, int maxLineBytes) {
        this.files = files;
        this.maxLineBytes = LineInput.checkMaxLineBytes(maxLineBytes);
    }

    static TextLinesSource of(String path) {
        return new TextLinesSource(new InputFiles(path), LineInput.DEFAULT_MAX_LINE_BYTES);
    }

    /**
     * Limits the length of a line; a longer one is a bad record. A line and its buffer must fit in memory.
     *
     * @param bytes 16 MiB by default
     */
    public TextLinesSource maxLineBytes(int bytes) {
        return new TextLinesSource(files, bytes);
    }

    /** The same records, each with its file, line and offset. Must be called last. */
    public Source<Located<String>> withPosition() {
        return new LocatedSource<>(this);
    }

    @Override
    public String name() {
        return files.name();
    }

    @Override
    public Type<String> type() {
        return Type.of(String.class);
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
    public SplitReader<String> open(String split, SourceContext context) {
        LineInput lines = LineInput.open(split, maxLineBytes, context.checkpoints());
        return LineReader.of(lines, TextLinesSource::text, () -> TextLinesSource::text, context);
    }

    static String text(LineInput lines) {
        int to = lines.textTo();
        int invalid = Utf8.firstInvalid(lines.bytes(), lines.from(), to);
        if (invalid >= 0) {
            throw MalformedException.invalidUtf8(invalid - lines.from());
        }
        return new String(lines.bytes(), lines.from(), to - lines.from(), StandardCharsets.UTF_8);
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
