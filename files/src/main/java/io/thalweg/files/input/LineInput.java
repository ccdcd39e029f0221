// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.input;

import io.thalweg.api.connector.SourceContext;
import io.thalweg.files.record.Words;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds the lines of an input in one large buffer; no line is copied. Lines end with LF or CRLF; the last may go without.
 * A byte order mark at the beginning of the input is left out.
 */
public final class LineInput implements AutoCloseable {
    /** What {@link #next} found. */
    public enum Found {
        /** A line stands in {@link #bytes} between {@link #from} and {@link #to}. */
        LINE,
        /** A line longer than allowed began; so much of it as is kept stands there. The rest will be passed over. */
        TOO_LONG,
        /** Nothing yet, though it took its time; call again. */
        NOTHING,
        /** The input is over. */
        END
    }

    /** What is kept of a line that is too long. */
    public static final int KEPT_BYTES = 64 * 1024;

    public static final int DEFAULT_MAX_LINE_BYTES = 16 * 1024 * 1024;
    private static final int HIGHEST_MAX_LINE_BYTES = 1024 * 1024 * 1024;

    private static final int READ_BYTES = 256 * 1024;

    private static final int FIRST_MESSAGE_BYTES = 4 * 1024;

    /** A buffer that is smaller doubles where a line does not fit; a larger one grows by a quarter, to spare the heap. */
    private static final int FAST_GROWTH_BYTES = 1024 * 1024;

    /** Who reads eight bytes at a time may do so at the last byte too. */
    private static final int SLACK_BYTES = Long.BYTES;

    /** The byte order mark. */
    private static final byte[] MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

    private ByteInput input;
    private final int maxLineBytes;

    private byte[] buffer = {};
    /** Offset in the input of the buffer's first byte. */
    private long base;

    private int start;
    private int end;
    /** Length of the byte order mark, which is no line. */
    private int markBytes;

    private boolean ended;
    private boolean passing;

    private int from;
    private int to;
    private long offset;
    private long lines;
    /** What the line was before it was prolonged: its text, and its text with the break. */
    private int firstText;

    private int firstLine;
    /** How many lines were added to it. */
    private int joined;
    /** Where {@link #seek} went; the lines before it are counted when somebody asks. */
    private long uncounted;

    /** Null if nobody asks for it. */
    private final @Nullable ReadSoFar readSoFar;

    /** What was read before is not what is there now, and the user accepts that. */
    private boolean changed;

    /** Lines are taken by {@link #cut}: who does so says how far they were read. */
    private boolean cutting;

    /** What follows the last line is elsewhere. */
    private boolean openEnd;

    private LineInput(ByteInput input, int maxLineBytes, boolean fingerprints) {
        this.input = input;
        readSoFar = fingerprints && input.attributes() != null ? new ReadSoFar() : null;
        this.maxLineBytes = maxLineBytes;
    }

    /** @throws io.thalweg.api.connector.ConnectorException if the split cannot be read */
    public static LineInput open(String split, int maxLineBytes) {
        return open(split, maxLineBytes, false);
    }

    /**
     * @param fingerprints {@link #fingerprint} will be asked for
     * @throws io.thalweg.api.connector.ConnectorException if the split cannot be read
     */
    public static LineInput open(String split, int maxLineBytes, boolean fingerprints) {
        return new LineInput(ByteInput.open(split), maxLineBytes, fingerprints);
    }

    /** The lines of a piece of a file that is followed; no others come after them. */
    static LineInput ofPiece(String split, FollowedFile.Piece piece, int maxLineBytes) {
        LineInput lines = new LineInput(ByteInput.nothing(split), maxLineBytes, false);
        lines.buffer = piece.bytes();
        lines.end = piece.length();
        lines.base = piece.position();
        lines.lines = piece.lines();
        lines.ended = true;
        lines.offset = piece.position();
        return lines;
    }

    /** The lines of a chunk alone; those before it are not counted. */
    static LineInput ofChunk(String split, LineChunk chunk, int maxLineBytes) {
        LineInput lines = new LineInput(ByteInput.nothing(split), maxLineBytes, false);
        lines.buffer = chunk.bytes();
        lines.base = chunk.base();
        lines.start = chunk.from();
        lines.end = chunk.to();
        lines.ended = true;
        lines.openEnd = true;
        lines.passing = chunk.passing() >= 0;
        lines.offset = chunk.passing();
        return lines;
    }

    /** Nothing yet; {@link #refill} gives it one message after the other. */
    public static LineInput ofMessages() {
        LineInput lines = new LineInput(ByteInput.nothing("a message"), HIGHEST_MAX_LINE_BYTES, false);
        lines.ended = true;
        return lines;
    }

    /** Forgets what was there: its lines are now those of a copy of these bytes, the last of them with its line feed. */
    public void refill(byte[] bytes, int begin, int finish) {
        int length = finish - begin;
        int needed = Math.addExact(length, 1 + SLACK_BYTES);
        if (buffer.length < needed || buffer.length > KEPT_BYTES) {
            buffer = new byte[Math.max(needed, FIRST_MESSAGE_BYTES)];
        }
        System.arraycopy(bytes, begin, buffer, 0, length);
        boolean whole = length > 0 && buffer[length - 1] == '\n';
        if (!whole) {
            buffer[length] = '\n';
        }
        start = 0;
        end = whole ? length : length + 1;
        joined = 0;
        skipMark();
    }

    /** The lines of an input that begins at this position, behind so many lines. */
    static LineInput at(ByteInput input, int maxLineBytes, long position, long lines) {
        LineInput at = new LineInput(input, maxLineBytes, false);
        at.base = position;
        at.offset = position;
        at.lines = lines;
        return at;
    }

    /**
     * Returns the limit, if it is one that can be kept.
     *
     * @throws IllegalArgumentException if it is not positive, or too large
     */
    public static int checkMaxLineBytes(int bytes) {
        if (bytes < 1 || bytes > HIGHEST_MAX_LINE_BYTES) {
            throw new IllegalArgumentException(
                    "maxLineBytes must be from 1 to " + HIGHEST_MAX_LINE_BYTES + ", not " + bytes);
        }
        return bytes;
    }

    /** Moves to the next line. */
    public Found next() {
        if (passing && !pass()) {
            return ended ? Found.END : Found.NOTHING;
        }
        if (base == 0 && end == 0) {
            begin();
        }
        int feed = lineFeed(0);
        if (start == end) {
            return Found.END;
        }
        int textEnd = textEnd(feed);
        if (textEnd - start > maxLineBytes) {
            return tooLong(textEnd);
        }
        take(textEnd, feed < 0 ? end : feed + 1);
        firstText = to - from;
        firstLine = start - from;
        joined = 0;
        return Found.LINE;
    }

    /**
     * Where the next line begins, for who finds its end on its own; -1 if {@link #next} must be called. What follows there was
     * read already up to {@link #limit}.
     */
    public int ahead() {
        return passing || (base == 0 && end == 0) ? -1 : start;
    }

    /** The end of what was read already, in {@link #bytes}, exclusive. */
    public int limit() {
        return end;
    }

    /** As if {@link #next} had found the line that begins {@link #ahead}. */
    public void found(int textEnd, int nextLine) {
        take(textEnd, nextLine);
        joined = 0;
    }

    /**
     * Prolongs the line found last by the one that follows, the break between them included. Where none follows
     * ({@link Found#END}), or both together are longer than allowed ({@link Found#TOO_LONG}), nothing changes.
     *
     * @throws ChunkEnd if these are the lines of a chunk, and the one that follows is not among them
     */
    public Found extend() {
        int text = to - from;
        int line = start - from;
        start = from;
        int feed = lineFeed(line);
        int textEnd = textEnd(feed);
        boolean more = end - start > line;
        if (more && textEnd - start <= maxLineBytes) {
            take(textEnd, feed < 0 ? end : feed + 1);
            joined++;
            return Found.LINE;
        }
        from = start;
        to = start + text;
        start += line;
        if (!more && openEnd) {
            throw new ChunkEnd();
        }
        return more ? Found.TOO_LONG : Found.END;
    }

    /** Takes back what {@link #extend} added. */
    public void shrink() {
        to = from + firstText;
        start = from + firstLine;
        lines -= joined;
        joined = 0;
    }

    /**
     * Where the first line feed stands after so many bytes; -1 if none comes, or not within what is allowed. What is kept
     * of a line that is too long is in the buffer then, wherever the buffer begins.
     */
    private int lineFeed(int after) {
        int scanned = start + after;
        while (true) {
            int feed = Words.indexOf((byte) '\n', buffer, scanned, end);
            int length = end - start;
            if (feed >= 0 || length > Math.max(maxLineBytes, KEPT_BYTES) + 1L || !fill()) {
                return feed;
            }
            scanned = start + length;
        }
    }

    private int textEnd(int feed) {
        int textEnd = feed < 0 ? end : feed;
        boolean carriageReturn = textEnd > start && buffer[textEnd - 1] == '\r' && (feed >= 0 || ended);
        return carriageReturn ? textEnd - 1 : textEnd;
    }

    private void take(int textEnd, int next) {
        from = start;
        to = textEnd;
        offset = base + start;
        start = next;
        lines++;
    }

    private Found tooLong(int textEnd) {
        take(Math.min(textEnd, start + KEPT_BYTES), start);
        joined = 0;
        passing = true;
        return Found.TOO_LONG;
    }

    /** Looks for the end of a line that is too long, in one buffer at most. */
    private boolean pass() {
        int lineEnd = Words.indexOf((byte) '\n', buffer, start, end);
        if (lineEnd >= 0) {
            start = lineEnd + 1;
            passing = false;
            return true;
        }
        start = end;
        passing = fill();
        return false;
    }

    /**
     * Takes whole lines of about so many bytes together, at least one. A line that is too long is cut where that is known. From then
     * on nothing else may find lines here.
     *
     * @param spare a buffer that nobody uses any more; null if there is none
     * @return null at the end
     */
    @Nullable LineChunk cut(int bytes, byte @Nullable [] spare) {
        if (!cutting) {
            count(base + start, buffer, base);
            cutting = true;
        }
        if (base == 0 && end == 0) {
            begin();
        }
        int scanned = bytes;
        int whole = 0;
        boolean tooLong = false;
        while (whole == 0 && !tooLong) {
            int seen = end - start;
            if (seen >= bytes) {
                int feed = scanned == bytes ? Words.lastIndexOf((byte) '\n', buffer, start, start + bytes) : -1;
                feed = feed < 0 ? Words.indexOf((byte) '\n', buffer, start + scanned, end) : feed;
                whole = feed < 0 ? 0 : feed + 1 - start;
                scanned = seen;
                tooLong = whole == 0 && (passing || seen > Math.max(maxLineBytes, KEPT_BYTES) + 1L);
            }
            if (whole == 0 && !tooLong && !fill()) {
                break;
            }
        }
        return end == start ? null : take(whole == 0 ? end - start : whole, bytes, spare, whole == 0 && !ended);
    }

    /** Gzip is inflated ahead of {@link #cut}, of chunks of so many bytes. */
    void inflateAhead(SourceContext context, int chunkBytes) {
        input.inflateAhead(context, 2 * chunkBytes);
    }

    /** False if {@link #cut} would wait for a piece that inflates. */
    boolean has(int bytes) {
        return ended || end - start >= bytes || input.has(bytes);
    }

    /** Tells the user, where all was read, that it may not be all there was. */
    void warnAtEnd(SourceContext context) {
        if (input.lacksEnd()) {
            context.warn(
                    name() + " lacks the empty block at its end that bgzip writes: it may have been cut off between two"
                            + " blocks; compare it with its original, or write it again");
        }
        if (input.lacksAll()) {
            context.warn(
                    name() + " is empty, which gzip is not even where nothing was packed: it may have been cut off;"
                            + " compare it with its original, or write it again");
        }
    }

    /** Takes the whole lines that were read before the input failed; null if there are none. */
    @Nullable LineChunk cutWhole() {
        int feed = Words.lastIndexOf((byte) '\n', buffer, start, end);
        return feed < 0 ? null : take(feed + 1 - start, 0, null, false);
    }

    /** @param open within a line that is too long */
    private LineChunk take(int length, int bytes, byte @Nullable [] spare, boolean open) {
        LineChunk cut = new LineChunk(buffer, start, start + length, base, passing ? offset : -1, open);
        if (open && !passing) {
            offset = base + start;
        }
        passing = open;
        goOnWith(spare, bytes, start + length);
        return cut;
    }

    /** Keeps what was not taken of the buffer, in another. */
    private void goOnWith(byte @Nullable [] spare, int bytes, int taken) {
        byte[] former = buffer;
        int rest = end - taken;
        int size = (ended ? rest : Math.max(bytes, rest)) + SLACK_BYTES;
        buffer = spare != null && spare.length >= size ? spare : new byte[size];
        System.arraycopy(former, taken, buffer, 0, rest);
        base += taken;
        start = 0;
        end = rest;
    }

    /** Everything before {@link #cutOffset} was read. */
    void countCut() {
        count(base + start, buffer, base);
    }

    /** Where what was not cut yet begins. */
    long cutOffset() {
        return base + start;
    }

    /** A line that is too long was found last, and not passed yet. */
    boolean passing() {
        return passing;
    }

    /** How many lines were found, or stood before the first. */
    long linesFound() {
        if (uncounted > 0) {
            lines += LineCount.before(input.beside(), uncounted);
            uncounted = 0;
        }
        return lines;
    }

    boolean isFile() {
        return input.attributes() != null;
    }

    /** Reads no further than it takes to know whether there is a mark: a pipe may give a short line and then nothing for long. */
    private void begin() {
        while (end < MARK.length && mayBeMark() && fill()) {
            // A pipe may give a byte at a time.
        }
        if (Utf16.begins(buffer, end)) {
            start = end; // no line of it is one
            throw Utf16.refusal("read " + name());
        }
        skipMark();
    }

    private boolean mayBeMark() {
        return Utf16.mayBegin(buffer, end) || Arrays.equals(buffer, 0, end, MARK, 0, end);
    }

    private void skipMark() {
        if (end >= MARK.length && Arrays.equals(buffer, 0, MARK.length, MARK, 0, MARK.length)) {
            start = MARK.length;
            markBytes = MARK.length;
        }
    }

    /** Reads more behind what is in the buffer, which may move; false at the end. */
    private boolean fill() {
        if (ended) {
            return false;
        }
        if (buffer.length == 0) {
            buffer = new byte[(int) Math.min(READ_BYTES, input.likelyLength() + 1) + SLACK_BYTES];
        }
        if (!cutting) {
            count(base + start, buffer, base);
        }
        if (start > 0 && end == buffer.length - SLACK_BYTES) {
            System.arraycopy(buffer, start, buffer, 0, end - start);
            base += start;
            end -= start;
            start = 0;
        }
        if (end == buffer.length - SLACK_BYTES) {
            long more = buffer.length < FAST_GROWTH_BYTES ? buffer.length : buffer.length / 4;
            buffer = Arrays.copyOf(buffer, (int) Math.min(buffer.length + more, maxLineBytes + (long) READ_BYTES));
        }
        int count = input.read(buffer, end, buffer.length - SLACK_BYTES - end);
        ended = count < 0;
        end += Math.max(count, 0);
        return !ended;
    }

    /** What is read, for messages. */
    public String name() {
        return input.split();
    }

    /** Valid, with {@link #from} and {@link #to}, until the next call; at least seven more bytes may be looked at. */
    public byte[] bytes() {
        return buffer;
    }

    /** Where the line begins in {@link #bytes}. */
    public int from() {
        return from;
    }

    /**
     * Where the line ends in {@link #bytes}, exclusive, without its line break. A CR that is the last byte of the input is left out,
     * too: formats that have no such character in a line need not know it.
     */
    public int to() {
        return to;
    }

    /** The same with that CR: without an LF it is no line break. */
    public int textTo() {
        return start == to + 1 && buffer[to] == '\r' ? start : to;
    }

    /** The bytes of the line, without its line break, in an array of their own. */
    public byte[] copy() {
        return Arrays.copyOfRange(buffer, from, to);
    }

    /** Where the line begins, in bytes of the uncompressed input. */
    public long offset() {
        return offset;
    }

    /** Where the next line begins; while one that is too long is passed over, where that one does. */
    public long nextOffset() {
        return passing ? offset : base + start;
    }

    /** Number of the line found last, from 1; of its first line if it was prolonged. */
    public long line() {
        return linesFound() - joined;
    }

    /** The bytes before this position were read; those of them that are not counted yet stand in the buffer. */
    void count(long position, byte[] bytes, long bytesBase) {
        if (readSoFar != null) {
            readSoFar.upTo(position, bytes, bytesBase);
        }
    }

    /** What is known of the input up to {@link #nextOffset}; nothing if it is no file, or nobody was to ask. */
    byte[] fingerprint() throws IOException {
        count(nextOffset(), buffer, base);
        boolean atEnd = ended && !passing && start == end;
        return fingerprint(atEnd && base + end > markBytes && end > 0 && buffer[end - 1] != '\n');
    }

    /**
     * What is known of the input up to what was counted.
     *
     * @param openLine that is the end of the input, and the last line had no line feed
     */
    byte[] fingerprint(boolean openLine) throws IOException {
        if (readSoFar == null) {
            return new byte[0];
        }
        return input.fingerprint(readSoFar.length(), readSoFar.checksum(), openLine)
                .toBytes();
    }

    /** As {@link io.thalweg.api.connector.SplitReader#changed} has it. */
    @Nullable String changed(byte[] fingerprint) throws IOException {
        FileFingerprint before = FileFingerprint.of(fingerprint);
        String difference = before.changed(input.split(), input.packed());
        changed = difference != null;
        if (readSoFar != null && !changed) {
            readSoFar.begin(before.length(), before.checksum());
        }
        return difference;
    }

    /** Goes to where a line begins; in an input that has changed, to the first line that begins there or behind it. */
    public void seek(long position) throws IOException {
        if (position == nextOffset() && !changed) {
            return;
        }
        long to = position;
        boolean atLine = true;
        if (changed || (readSoFar != null && readSoFar.length() < position)) {
            FileFingerprint.Prefix prefix = FileFingerprint.Prefix.read(input.split(), position);
            to = prefix.bytes();
            atLine = prefix.endsLine();
            if (readSoFar != null) {
                readSoFar.begin(to, prefix.checksum());
            }
        }
        if (base + end > 0) {
            input = input.again();
        }
        input.seek(to);
        base = to;
        uncounted = to;
        lines = 0;
        start = 0;
        end = 0;
        ended = false;
        passing = changed && !atLine;
        offset = to;
    }

    /** What {@link Found#TOO_LONG} goes by. */
    public int maxLineBytes() {
        return maxLineBytes;
    }

    @Override
    public void close() throws IOException {
        input.close();
        buffer = new byte[0];
    }
}
