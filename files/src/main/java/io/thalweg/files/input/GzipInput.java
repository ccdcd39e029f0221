// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.input;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * Unpacks gzip (RFC 1952). Unlike the JDK's it reads all members, however little the stream beneath has at hand, and does
 * not take a file that breaks off for one that ends; zeros may follow the last member, nothing else.
 */
final class GzipInput extends Unpacked {
    private static final int BUFFER_BYTES = 64 * 1024;
    private static final int DEFLATE = 8;
    private static final int HEADER_CHECKSUM = 2;
    private static final int EXTRA = 4;
    private static final int NAME = 8;
    private static final int COMMENT = 16;
    /** Name of the extra field that says how long the member is, and the size of this field. */
    private static final int LENGTH_FIELD = 'B' | 'C' << 8;

    private static final int LENGTH_BYTES = 2;

    private final InputStream packed;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private final Inflater inflater = new Inflater(true);
    private final CRC32 checksum = new CRC32();
    private int at;
    private int end;
    /** Offset in the packed bytes of the first in the buffer. */
    private long base;

    private boolean inMember;
    private long memberAt;
    /** The member says how long it is. */
    private boolean measured;

    private boolean lacksEnd;
    private boolean ended;
    /** Thrown when all that was inflated before it has been read, whatever the lengths that are asked for. */
    private @Nullable IOException failure;

    GzipInput(InputStream packed) {
        this(packed, false);
    }

    /** @param lacksEnd as {@link #lacksEnd} has it of the members before */
    GzipInput(InputStream packed, boolean lacksEnd) {
        this.packed = packed;
        this.lacksEnd = lacksEnd;
    }

    static boolean isMagic(byte[] bytes) {
        return bytes.length >= 2 && bytes[0] == 0x1f && bytes[1] == (byte) 0x8b;
    }

    /** It is in a member that says how long it is, maybe at the beginning of its bytes. */
    boolean inMeasured() {
        if (!inMember && !ended && failure == null) {
            try {
                beginMember();
            } catch (IOException e) {
                failure = e;
            }
        }
        return inMember && measured;
    }

    /** Offset in the packed bytes at which the member begins that it is in. */
    long memberAt() {
        return memberAt;
    }

    /** How much of that member was read. */
    long memberBytes() {
        return inflater.getBytesWritten();
    }

    @Override
    boolean lacksEnd() {
        return lacksEnd;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        while (!ended && length > 0) {
            if (failure != null) {
                throw failure;
            }
            int count = inMember ? inflate(bytes, from, length) : 0;
            try {
                if (!inMember) {
                    beginMember();
                } else if (inflater.finished()) {
                    endMember();
                }
            } catch (IOException e) {
                failure = e;
            }
            if (count > 0) {
                return count;
            }
        }
        return length == 0 ? 0 : -1;
    }

    private int inflate(byte[] bytes, int from, int length) throws IOException {
        boolean over = false;
        if (inflater.needsInput()) {
            over = at == end && !fill(); // what was read may still give some bytes
            inflater.setInput(buffer, at, end - at);
            at = end;
        }
        long before = inflater.getBytesWritten();
        try {
            inflater.inflate(bytes, from, length);
        } catch (DataFormatException e) {
            failure = new IOException("the gzip data is damaged: " + e.getMessage(), e);
        }
        int count = (int) (inflater.getBytesWritten() - before);
        checksum.update(bytes, from, count);
        if (inflater.needsDictionary()) {
            failure = new IOException("the gzip data is damaged: it needs a dictionary");
        } else if (over && count == 0 && !inflater.finished() && failure == null) {
            failure = new EOFException("the gzip data is truncated");
        }
        return count;
    }

    private void beginMember() throws IOException {
        int first = next();
        while (first == 0) {
            first = next();
        }
        if (first < 0) {
            ended = true;
            return;
        }
        if (first != 0x1f || need() != 0x8b || need() != DEFLATE) {
            throw new IOException("the gzip data is followed by other data");
        }
        memberAt = base + at - 3;
        int flags = need();
        pass(6); // time, level, system
        measured = (flags & EXTRA) != 0 && measures();
        for (int texts = Integer.bitCount(flags & (NAME | COMMENT)); texts > 0; ) {
            texts -= need() == 0 ? 1 : 0;
        }
        pass((flags & HEADER_CHECKSUM) != 0 ? 2 : 0);
        inMember = true;
    }

    /** Passes over the extra fields; true if one says how long the member is. */
    private boolean measures() throws IOException {
        boolean found = false;
        int left = needShort();
        while (left >= 2 * Short.BYTES) {
            int name = needShort();
            int size = needShort();
            left -= 2 * Short.BYTES;
            found |= name == LENGTH_FIELD && size == LENGTH_BYTES && left >= LENGTH_BYTES;
            pass(Math.min(size, left));
            left -= Math.min(size, left);
        }
        pass(left);
        return found;
    }

    private void pass(int bytes) throws IOException {
        for (int i = 0; i < bytes; i++) {
            need();
        }
    }

    private int needShort() throws IOException {
        return need() | need() << 8;
    }

    private void endMember() throws IOException {
        at = end - inflater.getRemaining();
        long expected = needInt();
        long length = needInt();
        if (expected != checksum.getValue() || length != (inflater.getBytesWritten() & 0xffff_ffffL)) {
            throw new IOException("the gzip data is damaged: checksum mismatch");
        }
        lacksEnd = measured && inflater.getBytesWritten() > 0;
        inflater.reset();
        checksum.reset();
        inMember = false;
    }

    private long needInt() throws IOException {
        long value = 0;
        for (int shift = 0; shift < Integer.SIZE; shift += 8) {
            value |= (long) need() << shift;
        }
        return value;
    }

    private int need() throws IOException {
        int next = next();
        if (next < 0) {
            throw new EOFException("the gzip data is truncated");
        }
        return next;
    }

    private int next() throws IOException {
        return at < end || fill() ? buffer[at++] & 0xff : -1;
    }

    private boolean fill() throws IOException {
        base += end;
        at = 0;
        end = 0;
        end = Math.max(packed.read(buffer, 0, buffer.length), 0);
        return end > 0;
    }

    @Override
    public void close() throws IOException {
        inflater.end();
        ended = true;
        packed.close();
    }
}
