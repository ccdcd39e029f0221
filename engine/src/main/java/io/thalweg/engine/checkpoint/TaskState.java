// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.checkpoint;

import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.StableHash;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The serialized state of one task at a barrier: keyed state in a piece for each key group, so that it can be
 * redistributed over another number of tasks; operator state in one piece. Filled by the task's thread, then handed
 * over.
 */
public final class TaskState {
    private static final int WHOLE = StableHash.KEY_GROUPS;

    private final String task;
    private final long checkpoint;
    private final Map<StateName, Pieces> states = new LinkedHashMap<>();

    private record Pieces(StateFormat format, @Nullable ByteWriter[] pieces) {}

    /** @param checkpoint number of the checkpoint; 0 for the last state, when the input has ended */
    public TaskState(String task, long checkpoint) {
        this.task = task;
        this.checkpoint = checkpoint;
    }

    public long checkpoint() {
        return checkpoint;
    }

    /** Where to write the state of keys of one key group. */
    public ByteWriter keyed(StateName name, StateFormat format, int keyGroup) {
        return piece(name, format, keyGroup);
    }

    /** Where to write what belongs to no key. */
    public ByteWriter whole(StateName name, String format) {
        return whole(name, StateFormat.of(format));
    }

    /** Where to write what belongs to no key. */
    public ByteWriter whole(StateName name, StateFormat format) {
        return piece(name, format, WHOLE);
    }

    private ByteWriter piece(StateName name, StateFormat format, int number) {
        Pieces pieces = states.get(name);
        if (pieces == null) {
            pieces = new Pieces(format, new ByteWriter[WHOLE + 1]);
            states.put(name, pieces);
        }
        ByteWriter piece = pieces.pieces[number];
        if (piece == null) {
            piece = new ByteWriter(64);
            pieces.pieces[number] = piece;
        }
        return piece;
    }

    /** Declares a state, so that it is known even if it is empty. */
    public void declare(StateName name, StateFormat format) {
        states.computeIfAbsent(name, n -> new Pieces(format, new ByteWriter[WHOLE + 1]));
    }

    /** Serialized for {@link #of}. */
    public byte[] toBytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            writeTo(new DataOutputStream(bytes));
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a name that is too long
        }
        return bytes.toByteArray();
    }

    /** Reads what {@link #toBytes} wrote, in another JVM. */
    public static TaskState of(long checkpoint, byte[] bytes) {
        try {
            Bounded all = new Bounded(new ByteArrayInputStream(bytes), bytes.length);
            TaskState read = new TaskState(new DataInputStream(all).readUTF(), checkpoint);
            CheckpointFile.states(all, new CheckpointFile.Reader() {
                private StateFormat format = StateFormat.of("");

                @Override
                public void state(StateName name, StateFormat stateFormat) {
                    format = stateFormat;
                    read.declare(name, format);
                }

                @Override
                public void piece(StateName name, int group, byte[] piece) {
                    ByteWriter out = read.piece(name, format, group);
                    for (byte each : piece) {
                        out.writeByte(each);
                    }
                }
            });
            return read;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void addSizes(Map<StateName, Long> sizes) {
        states.forEach((name, pieces) -> {
            long bytes = 0;
            for (ByteWriter piece : pieces.pieces) {
                bytes += piece == null ? 0 : piece.size();
            }
            sizes.merge(name, bytes, Long::sum);
        });
    }

    /** The number of bytes that {@link #writeTo} writes. */
    long bytes() throws IOException {
        long[] count = new long[1];
        writeTo(new DataOutputStream(new OutputStream() {
            @Override
            public void write(int value) {
                count[0]++;
            }

            @Override
            public void write(byte[] bytes, int from, int length) {
                count[0] += length;
            }
        }));
        return count[0];
    }

    void writeTo(DataOutputStream out) throws IOException {
        out.writeUTF(task);
        out.writeInt(states.size());
        for (Map.Entry<StateName, Pieces> state : states.entrySet()) {
            Pieces pieces = state.getValue();
            out.writeUTF(state.getKey().operator());
            out.writeUTF(state.getKey().name());
            ByteWriter format = new ByteWriter(128);
            pieces.format.writeTo(format);
            out.writeInt(format.size());
            format.writeTo(out);
            for (int number = 0; number <= WHOLE; number++) {
                ByteWriter piece = pieces.pieces[number];
                if (piece != null) {
                    out.writeShort(number);
                    out.writeInt(piece.size());
                    piece.writeTo(out);
                }
            }
            out.writeShort(-1);
        }
    }
}
