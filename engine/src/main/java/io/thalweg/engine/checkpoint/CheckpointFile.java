// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.checkpoint;

import io.thalweg.api.stats.CheckpointStats;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;

/**
 * One checkpoint on disk. Format 1, all numbers big-endian:
 *
 * <pre>
 *  "THALWEG" 1                              magic and version
 *  'T' task, states: operator, name, format, pieces: group, length, bytes      once a task
 *  'M' topology, number, times, tasks       last
 *  CRC-32C of all before, 8 bytes
 * </pre>
 *
 * A file that ends early or whose sum does not hold is damaged, whatever else can be read from it.
 */
final class CheckpointFile {
    private static final byte[] MAGIC = {'T', 'H', 'A', 'L', 'W', 'E', 'G'};
    private static final int VERSION = 1;
    private static final int SUM_BYTES = 8;
    private static final int BUFFER_BYTES = 1 << 16;

    private CheckpointFile() {}

    /** Writes a checkpoint piece by piece, as tasks come to it. One thread at a time. */
    static final class Writer implements AutoCloseable {
        private final FileChannel file;
        private final CheckedOutputStream summed;
        private final DataOutputStream out;

        Writer(Path path) throws IOException {
            file = PrivateFile.create(path);
            summed = new CheckedOutputStream(
                    new BufferedOutputStream(Channels.newOutputStream(file), BUFFER_BYTES), new CRC32C());
            out = new DataOutputStream(summed);
            out.write(MAGIC);
            out.writeByte(VERSION);
        }

        void task(TaskState state) throws IOException {
            out.writeByte('T');
            state.writeTo(out);
        }

        /** Ends the file and sees it on the disk. */
        void end(CheckpointStats info) throws IOException {
            out.writeByte('M');
            writeInfo(info);
            out.writeLong(summed.getChecksum().getValue());
            out.flush();
            file.force(true);
            file.close();
        }

        private void writeInfo(CheckpointStats info) throws IOException {
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
            file.close();
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

    /** What is read, in the order of the file. */
    interface Reader {
        /** A state of a task; pieces of it may follow. */
        void state(StateName name, String format);

        void piece(StateName name, int group, byte[] bytes);
    }

    /** @throws IOException where the file is damaged, with what is wrong */
    static void verify(Path path) throws IOException {
        long size = Files.size(path);
        if (size < MAGIC.length + 1 + SUM_BYTES) {
            throw new IOException("it ends after " + size + " bytes");
        }
        CRC32C sum = new CRC32C();
        try (InputStream in = Files.newInputStream(path)) {
            byte[] buffer = new byte[BUFFER_BYTES];
            long left = size - SUM_BYTES;
            while (left > 0) {
                int length = in.read(buffer, 0, (int) Math.min(left, buffer.length));
                if (length < 0) {
                    throw new IOException("it ends early");
                }
                sum.update(buffer, 0, length);
                left -= length;
            }
            byte[] head = new byte[MAGIC.length + 1];
            try (InputStream again = Files.newInputStream(path)) {
                again.readNBytes(head, 0, head.length);
            }
            if (!Arrays.equals(Arrays.copyOf(head, MAGIC.length), MAGIC)) {
                throw new IOException("it is no checkpoint");
            }
            if (head[MAGIC.length] != VERSION) {
                throw new IOException(
                        "its format is version " + head[MAGIC.length] + ", and this Thalweg reads " + VERSION);
            }
            if (new DataInputStream(in).readLong() != sum.getValue()) {
                throw new IOException("its sum does not hold: it is damaged");
            }
        }
    }

    /** Reads a file that was verified. */
    static CheckpointStats read(Path path, Reader reader) throws IOException {
        try (DataInputStream in =
                new DataInputStream(new BufferedInputStream(Files.newInputStream(path), BUFFER_BYTES))) {
            in.skipNBytes(MAGIC.length + 1);
            while (true) {
                int kind = in.readByte();
                if (kind == 'M') {
                    return readInfo(in);
                }
                if (kind != 'T') {
                    throw new IOException("it holds something unknown: " + kind);
                }
                task(in, reader);
            }
        } catch (EOFException e) {
            throw new IOException("it ends early", e);
        }
    }

    private static void task(DataInputStream in, Reader reader) throws IOException {
        in.readUTF(); // the task's name is for people
        states(in, reader);
    }

    /** Of one task, behind its name. */
    static void states(DataInputStream in, Reader reader) throws IOException {
        int states = in.readInt();
        for (int i = 0; i < states; i++) {
            StateName name = new StateName(in.readUTF(), in.readUTF());
            String format = in.readUTF();
            reader.state(name, format);
            for (int group = in.readShort(); group >= 0; group = in.readShort()) {
                reader.piece(name, group, in.readNBytes(in.readInt()));
            }
        }
    }

    /** The info alone. */
    static CheckpointStats info(Path path) throws IOException {
        return read(path, new Reader() {
            @Override
            public void piece(StateName name, int group, byte[] bytes) {}

            @Override
            public void state(StateName name, String format) {}
        });
    }
}
