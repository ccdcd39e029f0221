// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.input;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.files.record.MalformedException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads a split whose chunks are decoded by several threads, and gives exactly what a {@link LineReader} gives. It alone touches
 * the input: it reads chunks ahead and hands out what was decoded of them, in order. A record that began in a chunk and ends in
 * another (a quote was open) it reads by itself, and continues so until it comes to where a decoded record begins.
 */
final class ChunkReader<T> implements SplitReader<T> {
    /** What gives no record may come many times in a row; after so many the engine may look elsewhere. */
    private static final int STEPS_A_POLL = 256;

    /** So many chunks are read ahead for each thread that decodes. */
    private static final int AHEAD_A_THREAD = 4;

    private final LineInput lines;
    private final LineParser<T> parser;
    private final SourceContext context;
    private final int chunkBytes;
    private final int mostAhead;
    private final Decoders<T> decoders;

    /** Chunks that were read and of which not all was handed out, in order. */
    private final ArrayDeque<Chunk<T>> ahead = new ArrayDeque<>();

    private final ArrayDeque<byte[]> spare = new ArrayDeque<>();
    private boolean inputEnded;
    /** What was read last does. */
    private boolean endsLine = true;

    private @Nullable Throwable inputFailure;
    private boolean begun;
    private boolean finished;

    /** The first of those ahead, while it is handed out. */
    private @Nullable Chunk<T> current;

    private int next;
    /** Lines before the first of those ahead, from where the reader began. */
    private long linesBefore;

    /** Reads what no chunk can say; null while chunks are handed out. */
    private @Nullable LineInput alone;

    private long position;
    private long recordOffset;
    private long line;

    /** @param parser for this thread; {@code parsers} makes those for others */
    ChunkReader(
            LineInput lines,
            LineParser<T> parser,
            Supplier<LineParser<T>> parsers,
            SourceContext context,
            int chunkBytes) {
        this.lines = lines;
        this.parser = parser;
        this.context = context;
        this.chunkBytes = chunkBytes;
        mostAhead = AHEAD_A_THREAD * context.decodingThreads();
        decoders = new Decoders<>(lines.name(), lines.maxLineBytes(), parsers, context::wakeUp);
    }

    @Override
    public @Nullable T poll() throws Exception {
        Chunk<T> chunk = current;
        if (chunk != null && next < chunk.size()) {
            Object item = chunk.item(next);
            if (!(item instanceof Chunk.Trouble)) {
                return record(chunk, item);
            }
        }
        return pollFurther();
    }

    @SuppressWarnings("unchecked") // what is no trouble is a record
    private T record(Chunk<T> chunk, Object item) {
        stand(chunk);
        return (T) item;
    }

    /** The item that is next is the current one. */
    private void stand(Chunk<T> chunk) {
        position = chunk.end(next);
        recordOffset = chunk.start(next);
        line = linesBefore + chunk.line(next);
        next++;
    }

    private @Nullable T pollFurther() throws Exception {
        begin();
        for (int i = 0; i < STEPS_A_POLL; i++) {
            Chunk<T> chunk = current;
            LineInput own = alone;
            if (own != null) {
                LineInput.Found found = own.next();
                T record = readAlone(own, found);
                meet(own);
                if (record != null || found == LineInput.Found.NOTHING) {
                    return record;
                }
            } else if (chunk == null || next == chunk.size()) {
                if (!advance()) {
                    return null;
                }
            } else {
                Object item = chunk.item(next);
                if (!(item instanceof Chunk.Trouble trouble)) {
                    return record(chunk, item);
                }
                meet(chunk, trouble);
            }
        }
        context.wakeUp();
        return null;
    }

    private void begin() {
        if (!begun) {
            begun = true;
            position = lines.nextOffset();
            recordOffset = lines.offset();
            lines.inflateAhead(context, chunkBytes);
        }
    }

    private void meet(Chunk<T> chunk, Chunk.Trouble trouble) throws Exception {
        if (trouble instanceof Chunk.Trouble.Unknown) {
            goAlone(chunk.start(next), linesBefore + chunk.line(next) - 1);
            return;
        }
        stand(chunk);
        if (trouble instanceof Chunk.Trouble.Bad bad) {
            bad(bad.reason(), bad.bytes());
        } else if (trouble instanceof Chunk.Trouble.Thrown thrown) {
            rethrow(thrown.failure());
        }
    }

    private void bad(String reason, byte[] bytes) {
        context.bad(new BadRecord(lines.name(), line(), recordOffset, reason, bytes));
    }

    private static void rethrow(Throwable thrown) throws Exception {
        if (thrown instanceof Error error) {
            throw error;
        }
        throw (Exception) thrown;
    }

    /** Goes on to the next chunk; false if it is not decoded, or there is none. */
    private boolean advance() throws Exception {
        Chunk<T> done = current;
        if (done != null && done.decodedTo() < done.cut.end()) {
            goAlone(done.decodedTo(), linesBefore + done.lineCount());
            return true;
        }
        if (done != null) {
            position = done.cut.open() ? position : done.cut.end();
            linesBefore += done.lineCount();
            current = null;
            leave();
        }
        readAhead();
        Chunk<T> first = ahead.peek();
        if (first == null) {
            return inputEnded && end();
        }
        if (!first.isDone()) {
            return false;
        }
        if (first.failure() != null) {
            rethrow(first.failure());
        }
        current = first;
        next = 0;
        return true;
    }

    private boolean end() throws Exception {
        if (inputFailure != null) {
            rethrow(inputFailure);
        }
        position = lines.cutOffset();
        finished = true;
        lines.warnAtEnd(context);
        return false;
    }

    private void readAhead() {
        long bytes = 0;
        for (Chunk<T> each : ahead) {
            bytes += each.cut.to() - each.cut.from();
        }
        while (ahead.size() < mostAhead
                && (bytes < (long) mostAhead * chunkBytes || ahead.isEmpty())
                && lines.has(chunkBytes)) {
            Chunk<T> more = read();
            if (more == null) {
                break;
            }
            bytes += more.cut.to() - more.cut.from();
        }
        int place = 0;
        for (Chunk<T> each : ahead) {
            if (place++ < mostAhead && each.submit()) {
                context.decode(each);
            }
        }
    }

    /** What the input throws is kept until all that was read before is handed out. */
    private @Nullable Chunk<T> read() {
        LineChunk cut = null;
        if (!inputEnded) {
            try {
                cut = lines.cut(chunkBytes, spare.poll());
                inputEnded = cut == null;
            } catch (RuntimeException | Error e) {
                inputFailure = e;
                inputEnded = true;
                cut = lines.cutWhole();
            }
        }
        if (cut == null) {
            return null;
        }
        endsLine = cut.endsLine();
        Chunk<T> before = ahead.peekLast();
        Chunk<T> chunk = new Chunk<>(cut, decoders, before == null || !before.isDone() ? 16 : before.size());
        ahead.add(chunk);
        return chunk;
    }

    /** The first of those ahead is handed out. */
    private void leave() {
        Chunk<T> first = ahead.remove();
        lines.count(first.cut.end(), first.cut.bytes(), first.cut.base());
        if (first.cancel() && spare.size() < mostAhead) {
            spare.add(first.cut.bytes());
        }
    }

    // ---- what no chunk can say

    private void goAlone(long from, long linesFound) {
        current = null;
        alone = LineInput.at(ByteInput.of(lines.name(), new Ahead(from)), lines.maxLineBytes(), from, linesFound);
    }

    private @Nullable T readAlone(LineInput own, LineInput.Found found) {
        T record = null;
        String reason = found == LineInput.Found.TOO_LONG ? LineReader.tooLong(own) : null;
        if (found == LineInput.Found.LINE) {
            try {
                record = parser.parse(own);
            } catch (MalformedException e) {
                reason = String.valueOf(e.getMessage());
            } finally {
                standAt(own);
            }
        }
        standAt(own);
        if (reason != null) {
            bad(reason, own.copy());
        }
        return record;
    }

    private void standAt(LineInput own) {
        position = own.nextOffset();
        recordOffset = own.offset();
        line = own.line();
    }

    /** Ends reading alone if there is a chunk that says what follows, or none was read yet. */
    private void meet(LineInput own) {
        if (own.passing()) {
            return;
        }
        long at = own.nextOffset();
        while (!ahead.isEmpty() && ahead.getFirst().cut.end() <= at) {
            leave();
        }
        Chunk<T> first = ahead.peek();
        if (first == null || first.cut.begin() == at) {
            linesBefore = own.linesFound();
            alone = null;
            return;
        }
        int item = first.isDone() && first.failure() == null ? first.find(at) : -1;
        if (item >= 0) {
            linesBefore = own.linesFound() - first.line(item) + 1;
            current = first;
            next = item;
            alone = null;
        }
    }

    /** The bytes from a position on, of the chunks that were read and of those that are to be. */
    private final class Ahead extends InputStream {
        private long at;

        Ahead(long from) {
            at = from;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            for (Chunk<T> each : ahead) {
                if (at < each.cut.end()) {
                    return take(each.cut, into, from, length);
                }
            }
            Chunk<T> more = ChunkReader.this.read();
            if (more != null) {
                return take(more.cut, into, from, length);
            }
            if (inputFailure instanceof Error error) {
                throw error;
            }
            if (inputFailure instanceof RuntimeException failure) {
                throw failure;
            }
            return -1;
        }

        private int take(LineChunk cut, byte[] into, int from, int length) {
            int count = (int) Math.min(length, cut.end() - at);
            System.arraycopy(cut.bytes(), (int) (at - cut.base()), into, from, count);
            at += count;
            return count;
        }
    }

    // ---- where it stands

    @Override
    public boolean finished() {
        return finished;
    }

    @Override
    public long position() {
        return begun ? position : lines.nextOffset();
    }

    @Override
    public long recordOffset() {
        return begun ? recordOffset : lines.offset();
    }

    @Override
    public long line() {
        return begun ? lines.linesFound() + line : lines.line();
    }

    @Override
    public void seek(long to) throws IOException {
        lines.seek(to);
    }

    @Override
    public byte[] fingerprint() throws IOException {
        if (!begun) {
            return lines.fingerprint();
        }
        boolean openLine = !endsLine && position == lines.cutOffset();
        for (Chunk<T> each : ahead) {
            long to = Math.min(position, each.cut.end());
            lines.count(to, each.cut.bytes(), each.cut.base());
        }
        if (position == lines.cutOffset()) { // behind a byte order mark alone, which no chunk holds
            lines.countCut();
        }
        return lines.fingerprint(openLine);
    }

    @Override
    public @Nullable String changed(byte[] fingerprint) throws IOException {
        return lines.changed(fingerprint);
    }

    @Override
    public void close() throws IOException {
        ahead.forEach(Chunk::cancel);
        ahead.clear();
        lines.close();
    }
}
