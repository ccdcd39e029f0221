// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.checkpoint;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Writes a file once, past the page cache where it is large ({@code O_DIRECT}): nobody reads a checkpoint back while its job runs, and the
 * copy into the cache costs more CPU time than all else that writing does. Where the file system does not take such writes, and for the
 * last bytes, which fill no block, it writes as usual. {@link #finish} must be called last. One thread at a time.
 */
final class LargeFileOutput extends OutputStream {
    private static final int BUFFER_BYTES = 1 << 20;

    /** At least the block size of any file system, and a power of two: addresses and positions must be multiples of that size. */
    private static final int ALIGNMENT = 1 << 16;

    /** The buffer of one file after another. It lies outside the heap, and only a collection would give it back. */
    static final class Memory {
        private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES + ALIGNMENT)
                .alignedSlice(ALIGNMENT)
                .slice(0, BUFFER_BYTES);
    }

    /** Opens a file that exists for writes past the page cache. */
    interface Direct {
        /**
         * @throws IOException if the file system has no such writes
         * @throws UnsupportedOperationException if the operating system has none
         */
        FileChannel open(Path path) throws IOException;
    }

    private final Path path;
    private final FileChannel file;
    private final ByteBuffer buffer;
    private final Direct direct;

    private @Nullable FileChannel past;
    private long written;

    /** @param file open for writing, and empty; whoever opened it closes it */
    LargeFileOutput(Path path, FileChannel file, Memory memory) {
        this(path, file, memory, LargeFileOutput::direct);
    }

    LargeFileOutput(Path path, FileChannel file, Memory memory, Direct direct) {
        this.path = path;
        this.file = file;
        this.direct = direct;
        buffer = memory.buffer.clear();
    }

    private static FileChannel direct(Path path) throws IOException {
        long block = Files.getFileStore(path).getBlockSize();
        if (ALIGNMENT % block != 0) {
            throw new IOException("blocks of " + block + " bytes");
        }
        return FileChannel.open(path, StandardOpenOption.WRITE, ExtendedOpenOption.DIRECT, LinkOption.NOFOLLOW_LINKS);
    }

    @Override
    public void write(int value) throws IOException {
        if (!buffer.hasRemaining()) {
            writeFull();
        }
        buffer.put((byte) value);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        int next = from;
        int left = length;
        while (left > 0) {
            if (!buffer.hasRemaining()) {
                writeFull();
            }
            int count = Math.min(left, buffer.remaining());
            buffer.put(bytes, next, count);
            next += count;
            left -= count;
        }
    }

    private void writeFull() throws IOException {
        buffer.flip();
        if (written == 0) {
            past = open();
        }
        FileChannel channel = past;
        if (channel != null) {
            try {
                writeTo(channel);
            } catch (IOException e) {
                past = null; // a full disk, too, is told by the usual way
                channel.close();
            }
        }
        writeTo(file);
        buffer.clear();
    }

    private @Nullable FileChannel open() {
        try {
            return direct.open(path);
        } catch (IOException
                | UnsupportedOperationException
                | LinkageError e) { // a Java without the module jdk.unsupported
            return null;
        }
    }

    private void writeTo(FileChannel channel) throws IOException {
        while (buffer.hasRemaining()) {
            written += channel.write(buffer, written);
        }
    }

    /** Writes what is left, and forces the file to the disk. */
    void finish() throws IOException {
        buffer.flip();
        writeTo(file);
        buffer.clear();
        file.force(true);
    }

    @Override
    public void close() throws IOException {
        FileChannel channel = past;
        past = null;
        if (channel != null) {
            channel.close();
        }
    }
}
