// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.checkpoint;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.CodecException;
import io.thalweg.api.codec.StableHash;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.graph.GraphDescription;
import io.thalweg.api.stats.CheckpointStats;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UTFDataFormatException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * One checkpoint on disk. Format 2, all numbers big-endian:
 *
 * <pre>
 *  "THALWEG" 2                              magic and version
 *  sections: type, length in 8 bytes, as many bytes
 *    'G' description of the graph           first
 *    'T' task, states: operator, name, format, pieces: group, length, bytes      once a task
 *    'M' topology, number, times, sizes     last
 *  CRC-32C of all before, 8 bytes
 * </pre>
 *
 * A file that ends early or whose checksum differs is damaged, whatever else can be read from it. A length
 * in the file is compared with what is left of the file before anything is allocated.
 */
final class CheckpointFile {
    private static final byte[] MAGIC = {'T', 'H', 'A', 'L', 'W', 'E', 'G'};
    private static final int VERSION = 2;
    private static final int CHECKSUM_BYTES = 8;
    private static final int BUFFER_BYTES = 1 << 16;

    private CheckpointFile() {}

    /** Writes a checkpoint piece by piece, as tasks hand over their state. One thread at a time. */
    static final class Writer implements AutoCloseable {
        private final FileChannel file;
        private final LargeFileOutput bytes;
        private final CheckedOutputStream summed;
        private final DataOutputStream out;

        Writer(Path path, GraphDescription graph, LargeFileOutput.Memory memory) throws IOException {
            file = PrivateFile.create(path);
            bytes = new LargeFileOutput(path, file, memory);
            summed = new CheckedOutputStream(bytes, new CRC32C());
            out = new DataOutputStream(summed);
            out.write(MAGIC);
            out.writeByte(VERSION);
            ByteWriter description = new ByteWriter(1024);
            graph.writeTo(description);
            section('G', description.size());
            description.writeTo(out);
        }

        private void section(char type, long bytes) throws IOException {
            out.writeByte(type);
            out.writeLong(bytes);
        }

        void task(TaskState state) throws IOException {
            section('T', state.bytes());
            state.writeTo(out);
        }

        /** Ends the file and forces it to the disk. */
        void end(CheckpointStats info) throws IOException {
            ByteArrayOutputStream last = new ByteArrayOutputStream();
            writeInfo(info, new DataOutputStream(last));
            section('M', last.size());
            last.writeTo(out);
            out.writeLong(summed.getChecksum().getValue());
            bytes.finish();
            close();
        }

        private static void writeInfo(CheckpointStats info, DataOutputStream out) throws IOException {
            out.writeUTF(info.topology());
            out.writeLong(info.number());
            out.writeLong(info.beganMs());
            out.writeLong(info.tookMs());
            out.writeLong(info.alignedMs());
            out.writeLong(info.pausedMs());
            out.writeBoolean(info.last());
            out.writeInt(info.states().size());
            for (CheckpointStats.StateSize state : info.states()) {
                out.writeUTF(state.operator());
                out.writeUTF(state.name());
                out.writeLong(state.bytes());
            }
        }

        @Override
        public void close() throws IOException {
            try (file) {
                bytes.close();
            }
        }
    }

    private static CheckpointStats readInfo(DataInputStream in) throws IOException {
        String topology = in.readUTF();
        long number = in.readLong();
        long beganMs = in.readLong();
        long tookMs = in.readLong();
        long alignedMs = in.readLong();
        long pausedMs = in.readLong();
        boolean last = in.readBoolean();
        List<CheckpointStats.StateSize> states = new ArrayList<>();
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            states.add(new CheckpointStats.StateSize(in.readUTF(), in.readUTF(), in.readLong()));
        }
        return new CheckpointStats(topology, number, beganMs, tookMs, alignedMs, pausedMs, last, states);
    }

    /** Receives what is read, in the order of the file. */
    interface Reader {
        default void graph(GraphDescription graph) {}

        /** The state of a task begins; pieces of it may follow. */
        void state(StateName name, StateFormat format);

        void piece(StateName name, int group, byte[] bytes);
    }

    /**
     * Reads the whole file once.
     *
     * @throws DamagedException if the file is damaged; the message says how
     * @throws IOException if the disk does not give it
     * @throws ConnectorException if it is intact but of another version: it must not be treated as damaged
     */
    static void verify(Path path) throws IOException {
        long size = Files.size(path);
        if (size < MAGIC.length + 1 + CHECKSUM_BYTES) {
            throw new DamagedException("it ends after " + size + " bytes");
        }
        CRC32C sum = new CRC32C();
        try (InputStream in = Files.newInputStream(path)) {
            byte[] buffer = new byte[BUFFER_BYTES];
            long left = size - CHECKSUM_BYTES;
            while (left > 0) {
                int length = in.read(buffer, 0, (int) Math.min(left, buffer.length));
                if (length < 0) {
                    throw new DamagedException("it ends early");
                }
                sum.update(buffer, 0, length);
                left -= length;
            }
            byte[] head = new byte[MAGIC.length + 1];
            try (InputStream again = Files.newInputStream(path)) {
                again.readNBytes(head, 0, head.length);
            }
            if (!Arrays.equals(Arrays.copyOf(head, MAGIC.length), MAGIC)) {
                throw new DamagedException("it is not a checkpoint");
            }
            byte[] last = in.readNBytes(CHECKSUM_BYTES);
            if (last.length < CHECKSUM_BYTES || ByteBuffer.wrap(last).getLong() != sum.getValue()) {
                throw new DamagedException("checksum mismatch: it is damaged");
            }
            if (head[MAGIC.length] != VERSION) {
                throw new ConnectorException("cannot continue from " + path + ": its format is version "
                        + head[MAGIC.length] + ", and this Thalweg reads version " + VERSION
                        + "; continue with the version of Thalweg that wrote it, or begin in an empty directory");
            }
        }
    }

    /**
     * Reads a verified file. Its contents must still not be trusted.
     *
     * @throws DamagedException if they make no sense
     * @throws IOException if the disk does not give them
     */
    static CheckpointStats read(Path path, Reader reader) throws IOException {
        try (Bounded file = new Bounded(
                new BufferedInputStream(Files.newInputStream(path), BUFFER_BYTES), Files.size(path) - CHECKSUM_BYTES)) {
            DataInputStream in = new DataInputStream(file);
            in.skipNBytes(MAGIC.length + 1);
            while (true) {
                int type = in.readByte();
                long length = in.readLong();
                Bounded section = new Bounded(file, file.checked(length));
                CheckpointStats info = section(type, section, reader);
                if (section.left() > 0) {
                    throw new DamagedException(
                            "its section '" + (char) type + "' has " + section.left() + " bytes too many");
                }
                if (info != null) {
                    return info;
                }
            }
        } catch (EOFException e) {
            throw new DamagedException("it ends early", e);
        } catch (CodecException | UTFDataFormatException e) {
            throw new DamagedException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Reads a section. Returns the stats, which are the last one; null for any other section. */
    private static @Nullable CheckpointStats section(int type, Bounded section, Reader reader) throws IOException {
        DataInputStream in = new DataInputStream(section);
        switch (type) {
            case 'G' -> reader.graph(GraphDescription.read(new ByteReader(section.bytes(section.left()))));
            case 'T' -> {
                in.readUTF(); // the task's name is for people
                states(section, reader);
            }
            case 'M' -> {
                return readInfo(in);
            }
            default -> throw new DamagedException("it holds a section of an unknown type: " + type);
        }
        return null;
    }

    /** Reads the states of one task, after its name. */
    static void states(Bounded from, Reader reader) throws IOException {
        DataInputStream in = new DataInputStream(from);
        int states = in.readInt();
        for (int i = 0; i < states; i++) {
            StateName name = new StateName(in.readUTF(), in.readUTF());
            reader.state(name, StateFormat.read(new ByteReader(from.bytes(in.readInt()))));
            for (int group = in.readShort(); group >= 0; group = in.readShort()) {
                if (group > StableHash.KEY_GROUPS) {
                    throw new DamagedException("it names key group " + group);
                }
                reader.piece(name, group, from.bytes(in.readInt()));
            }
        }
    }
}
