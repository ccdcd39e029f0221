// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads all connections of a task, by one selector. */
final class SocketReader<T> implements LiveReader<T> {
    private static final int CONNECT_MS = 10_000;
    private static final int READ_BYTES = 64 * 1024;

    private final Framing<T> framing;
    private final int maxBytes;
    private final Selector selector;
    private final Map<String, SelectionKey> keys = new HashMap<>();

    SocketReader(Framing<T> framing, int maxBytes) throws IOException {
        this.framing = framing;
        this.maxBytes = maxBytes;
        selector = Selector.open();
    }

    /** What a server has sent and is no whole record yet. */
    private static final class Connection {
        final String server;
        byte[] bytes = new byte[READ_BYTES];
        int size;
        int searched;

        /** Gives away the first bytes. */
        byte[] take(int count) {
            byte[] taken = Arrays.copyOf(bytes, count);
            drop(count);
            return taken;
        }

        void drop(int count) {
            size -= count;
            System.arraycopy(bytes, count, bytes, 0, size);
            base += count;
        }

        /** Drops what belongs to a line that is too long. */
        void pass() {
            int at = 0;
            while (passing && at < size) {
                passing = bytes[at] != '\n';
                at++;
            }
            drop(at);
        }

        /** Offset in all that was sent of the first byte here. */
        long base;

        /** The rest of a line that is too long is passed over. */
        boolean passing;

        Connection(String server) {
            this.server = server;
        }
    }

    @Override
    public void add(String split) throws IOException {
        ServerAddress server = ServerAddress.of(split);
        SocketChannel channel = SocketChannel.open();
        try {
            InetSocketAddress address = new InetSocketAddress(server.host(), server.port());
            if (address.isUnresolved()) {
                throw new ConnectorException("cannot connect to " + split + ": the host is not known");
            }
            channel.socket().connect(address, CONNECT_MS);
            channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            channel.configureBlocking(false);
            keys.put(split, channel.register(selector, SelectionKey.OP_READ, new Connection(split)));
        } catch (SocketTimeoutException e) {
            channel.close();
            throw new ConnectorException(
                    "cannot connect to " + split + ": no answer within " + CONNECT_MS / 1_000 + " s", e);
        } catch (IOException e) {
            channel.close();
            throw new ConnectorException("cannot connect to " + split + ": " + e.getMessage(), e);
        } catch (ConnectorException e) {
            channel.close();
            throw e;
        }
    }

    @Override
    @SuppressWarnings("unchecked") // all keys have a connection
    public List<RecordBatch<T>> fetch(Duration atMost) throws IOException {
        selector.select(Math.max(1, atMost.toMillis()));
        List<RecordBatch<T>> batches = new ArrayList<>();
        for (SelectionKey key : selector.selectedKeys()) {
            if (key.isValid() && key.isReadable()) {
                RecordBatch<T> batch = read(key, (Connection) key.attachment());
                if (batch != null) {
                    batches.add(batch);
                }
            }
        }
        selector.selectedKeys().clear();
        return batches;
    }

    private @Nullable RecordBatch<T> read(SelectionKey key, Connection from) throws IOException {
        if (from.size == from.bytes.length) {
            from.bytes = Arrays.copyOf(from.bytes, (int) Math.min(from.bytes.length * 2L, maxBytes + 2L * READ_BYTES));
        }
        int count;
        try {
            count = ((SocketChannel) key.channel())
                    .read(ByteBuffer.wrap(from.bytes, from.size, from.bytes.length - from.size));
        } catch (IOException e) {
            throw new ConnectorException(
                    "the connection to " + from.server + " failed after byte " + (from.base + from.size) + ": "
                            + e.getMessage(),
                    e);
        }
        from.size += Math.max(0, count);
        boolean ended = count < 0;
        from.pass();
        int end = wholeRecords(from, ended);
        if (ended) {
            key.cancel();
            key.channel().close();
            keys.remove(from.server);
        }
        if (end == 0 && !ended) {
            return null;
        }
        long base = from.base;
        return new Batch(from.server, from.take(end), base, ended);
    }

    /** Where the last whole record ends. */
    private int wholeRecords(Connection from, boolean ended) {
        int end = 0;
        try {
            int length = framing.length(from.bytes, 0, from.size, from.searched, ended, maxBytes);
            while (length != Framing.NOT_YET) {
                end += length;
                length = framing.length(from.bytes, end, from.size, 0, ended, maxBytes);
            }
        } catch (ConnectorException e) {
            throw new ConnectorException(from.server + ", byte " + (from.base + end) + ": " + e.getMessage(), e);
        }
        if (end == 0 && from.size > maxBytes + 2L * Integer.BYTES) { // not even with a line break, or a length
            from.passing = true;
            end = from.size;
        }
        from.searched = from.size - end;
        return end;
    }

    @Override
    public void wakeUp() {
        selector.wakeup();
    }

    @Override
    public void pause(String split) {
        interest(split, 0);
    }

    @Override
    public void resume(String split) {
        interest(split, SelectionKey.OP_READ);
    }

    private void interest(String split, int operations) {
        SelectionKey key = keys.get(split);
        if (key != null) {
            key.interestOps(operations);
        }
    }

    @Override
    public void close() throws IOException {
        for (SelectionKey key : List.copyOf(keys.values())) {
            key.channel().close();
        }
        selector.close();
    }

    /** Whole records, decoded by the task. */
    private final class Batch implements RecordBatch<T> {
        private final String split;
        private final byte[] bytes;
        private final long base;
        private final boolean last;
        private int begin;
        private int at;

        Batch(String split, byte[] bytes, long base, boolean last) {
            this.split = split;
            this.bytes = bytes;
            this.base = base;
            this.last = last;
        }

        @Override
        public String split() {
            return split;
        }

        @Override
        public @Nullable T next() {
            int length = framing.length(bytes, at, bytes.length, 0, at < bytes.length, maxBytes);
            if (length == Framing.NOT_YET) {
                return null;
            }
            begin = at;
            at += length;
            return framing.decode(bytes, begin, at, maxBytes);
        }

        @Override
        public long position() {
            return base + at;
        }

        @Override
        public long recordOffset() {
            return base + begin;
        }

        @Override
        public boolean last() {
            return last;
        }
    }
}
