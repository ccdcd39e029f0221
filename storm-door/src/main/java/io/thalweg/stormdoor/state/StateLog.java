// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor.state;

import io.thalweg.api.connector.ConnectorException;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The changes of one task's state, in a file: what a transaction has changed, and that it was committed or rolled back. Each entry has its
 * length and a checksum of each, and is on the disk when the call returns. When a file has grown, it is replaced by one entry with all.
 *
 * <p>What a killed process has written in part is the end of the file, and is cut off.
 */
final class StateLog implements AutoCloseable {
    /** The length, its checksum, and that of the content. */
    private static final int HEAD = 12;

    private static final byte PREPARED = 1;
    private static final byte COMMITTED = 2;
    private static final byte ROLLED_BACK = 3;
    private static final byte ALL = 4;
    private static final byte CHANGED = 5;
    private static final int ABSENT = -1;
    private static final long LARGE = 1 << 20;
    private static final int GROWN = 4;

    private final Path file;
    private FileChannel channel;

    /** Which file was opened; null where the system does not say. */
    private @Nullable Object key;

    /** Serialized values by serialized keys. */
    private Map<ByteBuffer, byte[]> committed = new HashMap<>();

    private long committedTxid = Long.MIN_VALUE;

    /** What a transaction changes that is not committed yet; empty values for keys that it removes. Null if there is none. */
    private @Nullable Map<ByteBuffer, Optional<byte[]>> prepared;

    private long preparedTxid;

    /** Of all that is committed. */
    private long bytes;

    /** It is not asked to prepare each transaction that it is asked to commit. */
    private final boolean skips;

    private StateLog(Path file, boolean skips, FileChannel channel) throws IOException {
        this.file = file;
        this.skips = skips;
        this.channel = channel;
        key = key();
    }

    /**
     * @param skips whether it is not asked to prepare each transaction that it is asked to commit: then there is nothing to commit
     * @throws ConnectorException if it cannot be read, or is damaged
     */
    static StateLog open(Path file, boolean skips) {
        try {
            FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            StateLog log = new StateLog(file, skips, channel);
            try {
                log.read();
            } catch (IOException | RuntimeException e) {
                channel.close();
                throw e;
            }
            return log;
        } catch (IOException e) {
            throw new ConnectorException("the state in " + file + " cannot be read: " + e, e);
        }
    }

    // ---- what it holds

    Map<ByteBuffer, byte[]> committed() {
        return committed;
    }

    @Nullable Map<ByteBuffer, Optional<byte[]>> prepared() {
        return prepared;
    }

    // ---- reading

    private void read() throws IOException {
        long size = channel.size();
        long at = 0;
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
            while (size - at >= HEAD) {
                int length = in.readInt();
                boolean lengthHolds = in.readInt() == checksum(bytes(length));
                int checksum = in.readInt();
                if (!lengthHolds) {
                    if (allZero(in)) {
                        break; // written in part
                    }
                    throw damaged(at);
                }
                long end = at + HEAD + length;
                if (end > size) {
                    break; // written in part
                }
                byte[] entry = in.readNBytes(length);
                if (checksum(entry) != checksum) {
                    if (end == size) {
                        break;
                    }
                    throw damaged(at);
                }
                apply(entry);
                at = end;
            }
        }
        if (at < size) {
            channel.truncate(at);
            channel.force(true);
        }
        channel.position(at);
    }

    private ConnectorException damaged(long at) {
        return new ConnectorException("the state in " + file + " is damaged: checksum mismatch at offset " + at
                + "; restore the folder from a copy, or remove it to begin anew");
    }

    /** A file may have got its length and not its content. */
    private static boolean allZero(DataInputStream in) throws IOException {
        for (int next = in.read(); next >= 0; next = in.read()) {
            if (next != 0) {
                return false;
            }
        }
        return true;
    }

    private void apply(byte[] entry) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(entry));
        byte kind = in.readByte();
        long txid = in.readLong();
        switch (kind) {
            case PREPARED -> {
                prepared = changes(in);
                preparedTxid = txid;
            }
            case COMMITTED -> applyCommit(txid);
            case ROLLED_BACK -> prepared = null;
            case CHANGED -> {
                prepared = changes(in);
                applyCommit(txid);
            }
            case ALL -> {
                committed = new HashMap<>();
                bytes = 0;
                prepared = changes(in);
                applyCommit(txid);
            }
            default ->
                throw new ConnectorException(
                        "the state in " + file + " was written by a newer version: an entry of kind " + kind);
        }
    }

    private static Map<ByteBuffer, Optional<byte[]>> changes(DataInputStream in) throws IOException {
        Map<ByteBuffer, Optional<byte[]>> changes = new HashMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            ByteBuffer key = ByteBuffer.wrap(in.readNBytes(in.readInt()));
            int length = in.readInt();
            changes.put(key, length == ABSENT ? Optional.empty() : Optional.of(in.readNBytes(length)));
        }
        return changes;
    }

    private void applyCommit(long txid) {
        Map<ByteBuffer, Optional<byte[]>> changes = prepared;
        if (changes != null) {
            changes.forEach((key, value) -> {
                byte[] before = value.isPresent() ? committed.put(key, value.orElseThrow()) : committed.remove(key);
                bytes += value.map(each -> each.length + key.capacity()).orElse(0)
                        - (before == null ? 0 : before.length + key.capacity());
            });
        }
        prepared = null;
        committedTxid = txid;
    }

    // ---- writing

    void prepare(long txid, Map<ByteBuffer, Optional<byte[]>> changes) throws IOException {
        Map<ByteBuffer, Optional<byte[]>> all = new HashMap<>();
        if (prepared != null) {
            if (txid > preparedTxid) {
                throw new IllegalStateException(
                        "transaction " + preparedTxid + " is neither committed nor rolled back");
            }
            all.putAll(prepared); // the same one again
        }
        all.putAll(changes);
        write(entry(PREPARED, txid, all));
        prepared = all;
        preparedTxid = txid;
    }

    /** Nothing for the transaction that was committed last: others may have failed to commit it, and it is asked of all again. */
    void commit(long txid) throws IOException {
        if (prepared == null && (skips || txid == committedTxid)) {
            return;
        }
        if (prepared == null || txid != preparedTxid) {
            throw new IllegalStateException("transaction " + txid + " is not prepared");
        }
        write(entry(COMMITTED, txid, null));
        applyCommit(txid);
        if (channel.position() > LARGE && channel.position() > GROWN * bytes) {
            compact();
        }
    }

    /** Commits without a transaction. */
    void commit(Map<ByteBuffer, Optional<byte[]>> changes) throws IOException {
        long txid = committedTxid;
        if (prepared != null) {
            throw new IllegalStateException("transaction " + preparedTxid + " is neither committed nor rolled back");
        }
        write(entry(CHANGED, txid, changes));
        prepared = changes;
        applyCommit(txid);
        if (channel.position() > LARGE && channel.position() > GROWN * bytes) {
            compact();
        }
    }

    void rollback() throws IOException {
        if (prepared != null) {
            write(entry(ROLLED_BACK, preparedTxid, null));
            prepared = null;
        }
    }

    private void compact() throws IOException {
        Map<ByteBuffer, Optional<byte[]>> all = new HashMap<>();
        committed.forEach((key, value) -> all.put(key, Optional.of(value)));
        byte[] content = framed(entry(ALL, committedTxid, all));
        replace(file, content);
        channel.close();
        channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        channel.position(content.length);
        key = key();
    }

    private static byte[] entry(byte kind, long txid, @Nullable Map<ByteBuffer, Optional<byte[]>> changes)
            throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeByte(kind);
        out.writeLong(txid);
        if (changes != null) {
            out.writeInt(changes.size());
            for (Map.Entry<ByteBuffer, Optional<byte[]>> each : changes.entrySet()) {
                out.writeInt(each.getKey().capacity());
                out.write(each.getKey().array());
                byte[] value = each.getValue().orElse(null);
                out.writeInt(value == null ? ABSENT : value.length);
                if (value != null) {
                    out.write(value);
                }
            }
        }
        return bytes.toByteArray();
    }

    private static byte[] framed(byte[] entry) {
        return ByteBuffer.allocate(HEAD + entry.length)
                .putInt(entry.length)
                .putInt(checksum(bytes(entry.length)))
                .putInt(checksum(entry))
                .put(entry)
                .array();
    }

    private static byte[] bytes(int number) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
    }

    private static int checksum(byte[] bytes) {
        CRC32 checksum = new CRC32();
        checksum.update(bytes);
        return (int) checksum.getValue();
    }

    private void write(byte[] entry) throws IOException {
        ByteBuffer framed = ByteBuffer.wrap(framed(entry));
        while (framed.hasRemaining()) {
            channel.write(framed);
        }
        channel.force(false);
        checkPlace();
    }

    /** What is in a file that nobody finds again is not kept. */
    private void checkPlace() throws IOException {
        boolean there;
        try {
            there = Objects.equals(key(), key);
        } catch (NoSuchFileException e) {
            there = false;
        }
        if (!there) {
            throw new ConnectorException("the state of a bolt cannot be written: " + file
                    + " was moved, replaced or removed while the topology ran");
        }
    }

    private @Nullable Object key() throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    }

    /** Either the old content or the new one is there, whatever happens meanwhile. */
    static void replace(Path file, byte[] content) throws IOException {
        Path made = file.resolveSibling(file.getFileName() + ".new");
        try (FileChannel out = FileChannel.open(
                made, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            ByteBuffer left = ByteBuffer.wrap(content);
            while (left.hasRemaining()) {
                out.write(left);
            }
            out.force(true);
        }
        Files.move(made, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            try (FileChannel directory = FileChannel.open(folder, StandardOpenOption.READ)) {
                directory.force(true);
            }
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // all that counts is on the disk
        }
    }
}
