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
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
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

    /** Bytes that were not copied follow what was written to the piece without a key; see {@link #whole(StateName, String, List)}. */
    private record Pieces(StateFormat format, @Nullable ByteWriter[] pieces, List<ByteBuffer> shared) {
        Pieces(StateFormat format) {
            this(format, new ByteWriter[WHOLE + 1], new ArrayList<>());
        }

        long sharedBytes() {
            long bytes = 0;
            for (ByteBuffer part : shared) {
                bytes += part.remaining();
            }
            return bytes;
        }
    }

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

    /**
     * Adds an array that belongs to no key, preceded by its length as {@link ByteWriter#writeBytes} would, without copying it. It is the
     * last of its state.
     *
     * @param parts of the array, with arrays of their own that must not change until they are written
     */
    public void whole(StateName name, String format, List<ByteBuffer> parts) {
        Pieces pieces = pieces(name, StateFormat.of(format));
        pieces.shared.addAll(parts);
        whole(name, format).writeVarLong(pieces.sharedBytes());
    }

    private ByteWriter piece(StateName name, StateFormat format, int number) {
        Pieces pieces = pieces(name, format);
        ByteWriter piece = pieces.pieces[number];
        if (piece == null) {
            piece = new ByteWriter(64);
            pieces.pieces[number] = piece;
        }
        return piece;
    }

    private Pieces pieces(StateName name, StateFormat format) {
        return states.computeIfAbsent(name, n -> new Pieces(format));
    }

    /** Declares a state, so that it is known even if it is empty. */
    public void declare(StateName name, StateFormat format) {
        pieces(name, format);
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
            long bytes = pieces.sharedBytes();
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
                    long shared = number == WHOLE ? pieces.sharedBytes() : 0;
                    out.writeInt(Math.toIntExact(piece.size() + shared));
                    piece.writeTo(out);
                    if (shared > 0) {
                        writeTo(out, pieces.shared);
                    }
                }
            }
            out.writeShort(-1);
        }
    }

    private static void writeTo(DataOutputStream out, List<ByteBuffer> parts) throws IOException {
        for (ByteBuffer part : parts) {
            out.write(part.array(), part.arrayOffset() + part.position(), part.remaining());
        }
    }
}
