// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.input;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * Reads an open file from its beginning, whatever its own position, and leaves both as they are. So nothing is opened a second time: the
 * name may lead to another file by now, and a process that closes another channel of a file loses its lock on it.
 */
public final class OpenFileInput extends InputStream {
    private final FileChannel file;
    private long at;

    /** Of a file that is open for reading. */
    public OpenFileInput(FileChannel file) {
        this.file = file;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        int count = file.read(ByteBuffer.wrap(into, from, length), at);
        at += Math.max(0, count);
        return count;
    }
}
