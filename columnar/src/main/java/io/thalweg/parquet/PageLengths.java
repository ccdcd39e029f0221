// SPDX-License-Identifier: Apache-2.0
package io.thalweg.parquet;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.parquet.bytes.ByteBufferInputStream;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.values.delta.DeltaBinaryPackingValuesReader;
import org.apache.parquet.schema.PrimitiveType;

/**
 * Checks how many values a page claims to have, and how long texts of it are, before the library allocates arrays of that length: a
 * damaged page of a few bytes may claim billions. What else does not decode, the library finds.
 */
final class PageLengths {
    /** So much more than there is may be claimed: the last values of a run, or of a block, are padded. */
    private static final int MOST_PADDING = 4_096;

    /** Of the values in a mini block of a delta encoding: writers have 32 or 64. */
    private static final int MOST_IN_A_MINI_BLOCK = 1 << 16;

    private static final int MOST_VARINT_BITS = 35;

    private final byte[] page;
    private final int values;
    private int at;

    /** @param values that the header of the page says, nulls included */
    private PageLengths(byte[] page, int values) {
        this.page = page;
        this.values = values;
    }

    /** Of the values of a dictionary. */
    static void ofDictionary(byte[] page, int values, PrimitiveType type) throws IOException {
        boolean fits = values >= 0 && (long) values * leastBytes(type) <= page.length;
        if (fits && type.getPrimitiveTypeName() == PrimitiveType.PrimitiveTypeName.BINARY) {
            PageLengths lengths = new PageLengths(page, values);
            for (int i = 0; i < values && fits; i++) {
                fits = lengths.passBytes();
            }
        }
        if (!fits) {
            throw new IOException("a dictionary cannot have " + values + " values in " + page.length + " bytes");
        }
    }

    private static int leastBytes(PrimitiveType type) {
        return switch (type.getPrimitiveTypeName()) {
            case INT64, DOUBLE -> Long.BYTES;
            case INT96 -> Long.BYTES + Integer.BYTES;
            case INT32, FLOAT, BINARY -> Integer.BYTES;
            case FIXED_LEN_BYTE_ARRAY -> Math.max(1, type.getTypeLength());
            case BOOLEAN -> 1;
        };
    }

    /**
     * Of a page in the first version: levels, and values behind them.
     *
     * @param before as for {@link #ofValues}
     */
    static void ofPage(
            byte[] page,
            int values,
            Encoding repetitions,
            Encoding definitions,
            Encoding encoding,
            ColumnDescriptor column,
            long before)
            throws IOException {
        PageLengths lengths = new PageLengths(page, values);
        try {
            lengths.passLevels(repetitions, column.getMaxRepetitionLevel());
            lengths.passLevels(definitions, column.getMaxDefinitionLevel());
            lengths.checkValues(encoding, before);
        } catch (EOFException e) {
            // the library says what is missing
        }
    }

    /** Of levels alone, as they are in a page of the second version. */
    static void ofLevels(byte[] levels, int values, int most) throws IOException {
        try {
            new PageLengths(levels, values).passRuns(levels.length, width(most));
        } catch (EOFException e) {
            // as above
        }
    }

    /**
     * Of values alone.
     *
     * @param before bytes of the column in the pages before: of some writers the first text continues one of those
     */
    static void ofValues(byte[] data, int values, Encoding encoding, long before) throws IOException {
        try {
            new PageLengths(data, values).checkValues(encoding, before);
        } catch (EOFException e) {
            // as above
        }
    }

    private void passLevels(Encoding encoding, int most) throws IOException {
        if (most == 0) {
            return;
        }
        if (encoding == Encoding.RLE) {
            int length = length();
            int end = at + length;
            passRuns(end, width(most));
            at = end;
        } else {
            long bits = (long) values * width(most); // packed, without a length
            at = (int) Math.min(page.length, at + (bits + Byte.SIZE - 1) / Byte.SIZE);
        }
    }

    private void checkValues(Encoding encoding, long before) throws IOException {
        switch (encoding) {
            case PLAIN_DICTIONARY, RLE_DICTIONARY -> passRuns(page.length, next());
            case RLE -> {
                int length = length();
                passRuns(at + length, 1);
            }
            case DELTA_BINARY_PACKED, DELTA_LENGTH_BYTE_ARRAY -> checkDeltas();
            case DELTA_BYTE_ARRAY -> {
                int begin = at;
                checkShared(begin, checkDeltas(), before + page.length);
            }
            default -> {} // no longer than the page
        }
    }

    /** Each run says how many values it has, of one value or packed in groups of eight. */
    private void passRuns(int end, int width) throws IOException {
        long left = values;
        while (left > 0 && at < end) {
            int header = number();
            long count = (header & 0xffff_ffffL) >>> 1;
            if ((header & 1) == 0) {
                at += (width + Byte.SIZE - 1) / Byte.SIZE;
                left -= count;
            } else {
                long bytes = count * width;
                if (count * Byte.SIZE > left + MOST_PADDING || bytes > end - at + MOST_PADDING) {
                    throw tooMany(count * Byte.SIZE);
                }
                at = (int) Math.min(end, at + bytes);
                left -= count * Byte.SIZE;
            }
        }
    }

    /** Gives how many there are. */
    private int checkDeltas() throws IOException {
        int inABlock = number();
        int miniBlocks = number();
        int count = number();
        if (count < 0 || count > values) {
            throw tooMany(Integer.toUnsignedLong(count));
        }
        boolean fits = inABlock > 0
                && miniBlocks > 0
                && miniBlocks <= page.length - at + MOST_PADDING
                && inABlock / miniBlocks <= MOST_IN_A_MINI_BLOCK;
        if (!fits) {
            throw new IOException("a page cannot have blocks of " + Integer.toUnsignedLong(inABlock) + " values, in "
                    + Integer.toUnsignedLong(miniBlocks) + " parts");
        }
        long blocks = (page.length - at) / (1L + miniBlocks) + 1; // each begins with so many bytes, whatever is in it
        if (count > 1 + blocks * inABlock) {
            throw tooMany(count);
        }
        return count;
    }

    /** How much each text has of the one before it: no text is longer than all bytes that were there for texts. */
    private void checkShared(int begin, int count, long most) throws IOException {
        DeltaBinaryPackingValuesReader shared = new DeltaBinaryPackingValuesReader();
        try {
            shared.initFromPage(count, ByteBufferInputStream.wrap(ByteBuffer.wrap(page, begin, page.length - begin)));
        } catch (RuntimeException e) {
            return; // the library says what is wrong, as it does the same next
        }
        for (int i = 0; i < count; i++) {
            int length = shared.readInteger();
            if (length < 0 || length > most) {
                throw new IOException("a text cannot have " + length + " bytes of the one before it, as there are "
                        + most + " in all");
            }
        }
    }

    private IOException tooMany(long count) {
        return new IOException("a page of " + values + " values and " + page.length + " bytes claims to have " + count
                + " values in a row");
    }

    private static int width(int most) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(most);
    }

    /** False if so many bytes as the next four say are not there. */
    private boolean passBytes() {
        if (page.length - at < Integer.BYTES) {
            return false;
        }
        int length = fourBytes();
        if (length < 0 || length > page.length - at) {
            return false;
        }
        at += length;
        return true;
    }

    private int length() throws IOException {
        if (page.length - at < Integer.BYTES) {
            throw new EOFException();
        }
        int length = fourBytes();
        if (length < 0 || length > page.length - at) {
            throw new EOFException();
        }
        return length;
    }

    private int fourBytes() {
        int value = 0;
        for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
            value |= (page[at++] & 0xff) << shift;
        }
        return value;
    }

    private int next() throws IOException {
        if (at >= page.length) {
            throw new EOFException();
        }
        return page[at++] & 0xff;
    }

    private int number() throws IOException {
        int value = 0;
        for (int shift = 0; shift < MOST_VARINT_BITS; shift += 7) {
            int next = next();
            value |= (next & 0x7f) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw new IOException("a number in a page has more than five bytes");
    }
}
