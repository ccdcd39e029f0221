// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.checkpoint;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A limited part of a stream. A length that is read from it is checked against the bytes that are left. */
final class Bounded extends FilterInputStream {
    private long left;

    Bounded(InputStream in, long bytes) {
        super(in);
        left = bytes;
    }

    long left() {
        return left;
    }

    /** Returns a length that was read from the stream, if so many bytes are left. */
    long checked(long length) throws IOException {
        if (length < 0 || length > left) {
            throw new DamagedException("it says a length of " + length + " with " + left + " bytes left");
        }
        return length;
    }

    byte[] bytes(long length) throws IOException {
        if (length > Integer.MAX_VALUE - 8) {
            throw new DamagedException("it says a length of " + length);
        }
        byte[] bytes = new byte[(int) checked(length)];
        int count = readNBytes(bytes, 0, bytes.length);
        if (count < bytes.length) {
            throw new DamagedException("it ends early");
        }
        return bytes;
    }

    @Override
    public int read() throws IOException {
        if (left <= 0) {
            return -1;
        }
        int read = super.read();
        left -= read < 0 ? 0 : 1;
        return read;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        if (left <= 0 && length > 0) {
            return -1;
        }
        int count = super.read(bytes, from, (int) Math.min(length, left));
        left -= Math.max(0, count);
        return count;
    }

    @Override
    public long skip(long count) throws IOException {
        long skipped = super.skip(Math.min(count, left));
        left -= skipped;
        return skipped;
    }
}
