// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.input;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.files.record.MalformedException;
import java.io.IOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads a split line by line. */
public final class LineReader<T> implements SplitReader<T> {
    /** What is decoded at a time where several threads do. */
    private static final int CHUNK_BYTES = 128 * 1024;

    /** A long line is held once more in its chunk, so where memory is scarce nothing is decoded ahead. */
    private static final long LEAST_HEAP_TO_READ_AHEAD = 200L << 20;

    /** Lines that give no record are many at times; after so many the engine may look elsewhere. */
    private static final int LINES_A_POLL = 256;

    private final LineInput lines;
    private final LineParser<T> parser;
    private final SourceContext context;
    private boolean finished;

    /**
     * Reads lines, in several threads if the engine has some to spare, the input is a file and the heap is not small.
     *
     * @param parser for this thread; {@code parsers} makes those for others
     */
    public static <T> SplitReader<T> of(
            LineInput lines, LineParser<T> parser, Supplier<LineParser<T>> parsers, SourceContext context) {
        return context.decodingThreads() > 1
                        && lines.isFile()
                        && Runtime.getRuntime().maxMemory() >= LEAST_HEAP_TO_READ_AHEAD
                ? new ChunkReader<>(lines, parser, parsers, context, CHUNK_BYTES)
                : new LineReader<>(lines, parser, context);
    }

    LineReader(LineInput lines, LineParser<T> parser, SourceContext context) {
        this.lines = lines;
        this.parser = parser;
        this.context = context;
    }

    @Override
    public @Nullable T poll() {
        for (int i = 0; i < LINES_A_POLL; i++) {
            T next = parser.parseNext(lines);
            if (next != null) {
                return next;
            }
            switch (lines.next()) {
                case LINE -> {
                    T record = parse();
                    if (record != null) {
                        return record;
                    }
                }
                case TOO_LONG -> bad(tooLong(lines));
                case NOTHING -> {
                    return null;
                }
                case END -> {
                    finished = true;
                    lines.warnAtEnd(context);
                    return null;
                }
            }
        }
        return null;
    }

    private @Nullable T parse() {
        try {
            return parser.parse(lines);
        } catch (MalformedException e) {
            bad(String.valueOf(e.getMessage()));
            return null;
        }
    }

    static String tooLong(LineInput lines) {
        return "the line is longer than " + lines.maxLineBytes() + " bytes";
    }

    private void bad(String reason) {
        context.bad(new BadRecord(lines.name(), lines.line(), lines.offset(), reason, lines.copy()));
    }

    @Override
    public boolean finished() {
        return finished;
    }

    @Override
    public long position() {
        return lines.nextOffset();
    }

    @Override
    public void seek(long position) throws IOException {
        lines.seek(position);
    }

    @Override
    public byte[] fingerprint() throws IOException {
        return lines.fingerprint();
    }

    @Override
    public @Nullable String changed(byte[] fingerprint) throws IOException {
        return lines.changed(fingerprint);
    }

    @Override
    public long line() {
        return lines.line();
    }

    @Override
    public long recordOffset() {
        return lines.offset();
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
