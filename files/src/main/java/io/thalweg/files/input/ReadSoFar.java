// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.input;

import java.util.zip.CRC32C;

/** The checksum of what was read of an input, taken from the buffer once before it is filled again. */
final class ReadSoFar {
    /** Of the bytes before the tail. */
    private int head;

    private final CRC32C tail = new CRC32C();
    private long tailBytes;
    private long length;

    long length() {
        return length;
    }

    int checksum() {
        return Crc32c.join(head, (int) tail.getValue(), tailBytes);
    }

    /** So many bytes have this checksum; what is read of them once more is not counted. */
    void begin(long bytes, int checksum) {
        head = checksum;
        length = bytes;
        tail.reset();
        tailBytes = 0;
    }

    /** Counts what was read up to a position, all of which that is not counted yet stands in the buffer. */
    void upTo(long position, byte[] buffer, long base) {
        if (position > length) {
            int more = (int) (position - length);
            tail.update(buffer, (int) (length - base), more);
            tailBytes += more;
            length = position;
        }
    }
}
