// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.OverlappingFileLockException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * An open file of a {@link FaultyDisk}, or an open directory, which can be fsynced and nothing else. As there is one process
 * only, a lock that overlaps another is an error, as the JVM has it.
 */
final class FaultyChannel extends FileChannel {
    /** Held by open channels of this JVM. Guarded by the disk. */
    private static final List<Lock> LOCKS = new ArrayList<>();

    private final FaultyDisk disk;
    private final DiskNode node;
    private final Path path;
    private final boolean writes;
    private final boolean append;
    private final long boot;
    private long position;

    FaultyChannel(FaultyDisk disk, DiskNode node, Path path, boolean writes, boolean append) {
        this.disk = disk;
        this.node = node;
        this.path = path;
        this.writes = writes;
        this.append = append;
        boot = disk.boots();
    }

    private void call(String what) throws IOException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
        disk.call(what, path);
        if (boot != disk.boots()) {
            throw new FileSystemException(path.toString(), null, "it was open before the restart");
        }
    }

    @Override
    public int read(ByteBuffer to) throws IOException {
        synchronized (disk) {
            int length = read(to, position);
            position += Math.max(0, length);
            return length;
        }
    }

    @Override
    public int read(ByteBuffer to, long at) throws IOException {
        synchronized (disk) {
            call("read");
            if (to.hasRemaining() && at >= node.size()) {
                return -1;
            }
            byte[] bytes = node.read(at, to.remaining());
            to.put(bytes);
            return bytes.length;
        }
    }

    @Override
    public long read(ByteBuffer[] to, int offset, int length) throws IOException {
        long sum = 0;
        for (int i = offset; i < offset + length; i++) {
            int read = read(to[i]);
            if (read < 0) {
                return sum == 0 ? -1 : sum;
            }
            sum += read;
        }
        return sum;
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        synchronized (disk) {
            if (append) {
                position = node.size();
            }
            int length = write(from, position);
            position += length;
            return length;
        }
    }

    @Override
    public int write(ByteBuffer from, long at) throws IOException {
        synchronized (disk) {
            checkWrites();
            call("write " + from.remaining() + " bytes to");
            byte[] bytes = new byte[from.remaining()];
            from.duplicate().get(bytes);
            int written = disk.write(node, path, bytes, at);
            from.position(from.position() + written);
            return written;
        }
    }

    private void checkWrites() {
        if (!writes) {
            throw new NonWritableChannelException();
        }
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) throws IOException {
        long sum = 0;
        for (int i = offset; i < offset + length; i++) {
            sum += write(from[i]);
        }
        return sum;
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public FileChannel position(long next) {
        position = next;
        return this;
    }

    @Override
    public long size() throws IOException {
        synchronized (disk) {
            call("size of");
            return node.size();
        }
    }

    @Override
    public FileChannel truncate(long length) throws IOException {
        synchronized (disk) {
            checkWrites();
            call("truncate to " + length + ":");
            node.truncate(length);
            position = Math.min(position, length);
            return this;
        }
    }

    @Override
    public void force(boolean metadata) throws IOException {
        synchronized (disk) {
            call("fsync");
            if (!disk.skips("fsync")) {
                node.sync();
            }
        }
    }

    @Override
    public long transferTo(long at, long count, WritableByteChannel target) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(count, 1 << 16));
        int read = read(bytes, at);
        return read <= 0 ? 0 : target.write(bytes.flip());
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long at, long count) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(count, 1 << 16));
        int read = source.read(bytes);
        return read <= 0 ? 0 : write(bytes.flip(), at);
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long at, long size) {
        throw new UnsupportedOperationException("the faulty disk maps nothing into memory");
    }

    @Override
    public FileLock lock(long at, long size, boolean shared) throws IOException {
        return tryLock(at, size, shared);
    }

    @Override
    public FileLock tryLock(long at, long size, boolean shared) throws IOException {
        synchronized (disk) {
            call("lock");
            LOCKS.removeIf(each -> !each.isValid());
            for (Lock each : LOCKS) {
                if (each.node == node && each.overlaps(at, size)) {
                    throw new OverlappingFileLockException();
                }
            }
            Lock lock = new Lock(this, node, at, size, shared);
            LOCKS.add(lock);
            return lock;
        }
    }

    @Override
    protected void implCloseChannel() {
        synchronized (disk) {
            LOCKS.removeIf(each -> each.acquiredBy() == this);
        }
    }

    private static final class Lock extends FileLock {
        private final FaultyChannel channel;
        private final DiskNode node;
        private boolean released;

        Lock(FaultyChannel channel, DiskNode node, long at, long size, boolean shared) {
            super(channel, at, size, shared);
            this.channel = channel;
            this.node = node;
        }

        @Override
        public boolean isValid() {
            return !released && channel.isOpen() && channel.boot == channel.disk.boots();
        }

        @Override
        public void release() {
            released = true;
        }
    }
}
