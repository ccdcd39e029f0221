// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.input;

import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * A member of a bgzip file (BGZF, in the specification of SAM), all of which stands in an array. Its header says how long it is.
 *
 * @param data where the deflated bytes begin
 * @param to its end, exclusive
 * @param bytes how many it says that it holds
 */
record BgzfMember(int data, int to, int bytes) {
    /** Packed or not, no member has more. */
    static final int MOST_BYTES = 64 * 1024;

    private static final int HEADER_BYTES = 12;
    private static final int FIELD_BYTES = 4;
    private static final int FOOTER_BYTES = 8;

    /** The one that begins here; null if it is not all there, or not as BGZF has it. */
    static @Nullable BgzfMember at(byte[] packed, int from, int end) {
        if (end - from < HEADER_BYTES
                || u16(packed, from) != 0x8b1f
                || u16(packed, from + 2) != 0x0408) { // deflated, with extra fields and nothing else
            return null;
        }
        int data = from + HEADER_BYTES + u16(packed, from + 10);
        if (data > end) {
            return null;
        }
        int to = from + length(packed, from + HEADER_BYTES, data);
        if (to > end || to - data < FOOTER_BYTES) {
            return null;
        }
        long bytes = u32(packed, to - 4);
        return bytes > MOST_BYTES ? null : new BgzfMember(data, to, (int) bytes);
    }

    /** What the extra fields say of the length of the member; 0 if nothing. */
    private static int length(byte[] packed, int from, int to) {
        int at = from;
        while (at + FIELD_BYTES + 2 <= to) {
            int size = u16(packed, at + 2);
            if (packed[at] == 'B' && packed[at + 1] == 'C' && size == 2) {
                return u16(packed, at + FIELD_BYTES) + 1;
            }
            at += FIELD_BYTES + size;
        }
        return 0;
    }

    /**
     * Inflates it to this place, behind which there is room for what it says that it holds, and for a byte more.
     *
     * @return false if it is not, to the last bit, what it says
     */
    boolean inflate(Inflater inflater, byte[] packed, byte[] into, int place) {
        inflater.reset();
        inflater.setInput(packed, data, to - data);
        int filled = 0;
        try {
            int count = 1;
            while (count > 0 && !inflater.finished()) {
                count = inflater.inflate(into, place + filled, bytes + 1 - filled);
                filled += count;
            }
        } catch (DataFormatException e) {
            return false;
        }
        if (!inflater.finished() || inflater.getRemaining() != FOOTER_BYTES || filled != bytes) {
            return false;
        }
        CRC32 checksum = new CRC32();
        checksum.update(into, place, bytes);
        return checksum.getValue() == u32(packed, to - FOOTER_BYTES);
    }

    private static int u16(byte[] bytes, int at) {
        return (bytes[at] & 0xff) | ((bytes[at + 1] & 0xff) << 8);
    }

    private static long u32(byte[] bytes, int at) {
        return u16(bytes, at) | ((long) u16(bytes, at + 2) << 16);
    }
}
