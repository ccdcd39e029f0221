// SPDX-License-Identifier: Apache-2.0
package io.thalweg.parquet;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Some bytes of a file, read through a buffer. */
final class ByteRange extends InputStream {
    private static final int BUFFER_BYTES = 32 * 1024;

    private final FileChannel channel;
    private final long end;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int at;
    private int filled;
    /** Of the byte behind the buffer. */
    private long position;

    ByteRange(FileChannel channel, long begin, long end) {
        this.channel = channel;
        this.position = begin;
        this.end = end;
    }

    long remaining() {
        return end - position + filled - at;
    }

    @Override
    public int read() throws IOException {
        if (at == filled && !fill()) {
            return -1;
        }
        return buffer[at++] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (at == filled && length >= BUFFER_BYTES) {
            return direct(into, offset, length);
        }
        if (at == filled && !fill()) {
            return -1;
        }
        int taken = Math.min(length, filled - at);
        System.arraycopy(buffer, at, into, offset, taken);
        at += taken;
        return taken;
    }

    private boolean fill() throws IOException {
        int read = direct(buffer, 0, BUFFER_BYTES);
        at = 0;
        filled = Math.max(0, read);
        return read > 0;
    }

    private int direct(byte[] into, int offset, int length) throws IOException {
        if (position == end) {
            return -1;
        }
        int wanted = (int) Math.min(length, end - position);
        int read = channel.read(ByteBuffer.wrap(into, offset, wanted), position);
        if (read < 0) {
            throw new IOException("it was truncated while it was read");
        }
        position += read;
        return read;
    }
}
