// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.hand.child;

import io.thalweg.lab.driver.Message;
import io.thalweg.python.arrow.Columns;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/** As {@link PackedTuples}, but tuples travel as record batches of Arrow, with a column each for number, data and id. */
final class ColumnTuples implements Tuples {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

    /** A frame's magic number, its length, and the number of its schema. */
    private static final int HEAD = 16;

    /** What Arrow has before metadata: a mark, and how long they are. */
    private static final int MARK = 8;

    private static final int METADATA = 248;
    private static final int BODY = HEAD + MARK + METADATA;

    // places in the metadata
    private static final int BODY_LENGTH = 32;
    private static final int ROWS = 56;
    private static final int NODES = 80;
    private static final int BUFFERS = 136;

    private static final int ALIGNMENT = 8;

    private final Tuples answers;
    private final OutputStream output;
    private final int payload;
    private final long[] numbers = new long[ChildLoop.MOST_AT_ONCE];
    private final int[] offsets = new int[ChildLoop.MOST_AT_ONCE + 1];
    private final byte[] out = new byte
            [BODY + Long.BYTES * ChildLoop.MOST_AT_ONCE + Integer.BYTES * (ChildLoop.MOST_AT_ONCE + 1) + ALIGNMENT];
    private byte[] data = new byte[1 << 16];
    private int rows;

    private ColumnTuples(Tuples answers, OutputStream output, int payload) {
        this.answers = answers;
        this.output = output;
        this.payload = payload;
        System.arraycopy(metadata(), 0, out, HEAD + MARK, METADATA);
        Packs.INT.set(out, 0, PackedTuples.BATCH_MAGIC);
        INT.set(out, HEAD, -1);
        INT.set(out, HEAD + Integer.BYTES, METADATA);
    }

    static ColumnTuples open(Input input, OutputStream output, int payload) throws IOException {
        byte[] schema = Columns.ofFields(List.of("number", "data", ""), List.of(Long.class, String.class, Long.class))
                .schema();
        byte[] bytes = ByteBuffer.allocate(5 + schema.length)
                .put((byte) 0xC6)
                .putInt(schema.length)
                .put(schema)
                .array();
        output.write(PackedTuples.introduction(PackedTuples.SCHEMA, bytes));
        return new ColumnTuples(new PackedTuples(input, output, payload), output, payload);
    }

    /**
     * Two tables of FlatBuffers, each with a table before it of where its fields are: a message of Arrow, and in it a record batch
     * with three columns and seven buffers. What depends on the rows is set later.
     */
    private static byte[] metadata() {
        ByteBuffer out = ByteBuffer.allocate(METADATA).order(ByteOrder.LITTLE_ENDIAN);
        out.putInt(16); // where the message is
        shorts(out, 12, 24, 4, 6, 8, 16); // version, kind, content, length of the body
        out.putInt(12).putShort((short) 4).put((byte) 3).put((byte) 0); // the fifth version, a record batch
        out.putInt(52 - 24).putInt(0).putLong(0);
        shorts(out, 10, 20, 4, 12, 16); // rows, nodes, buffers
        out.putShort((short) 0).putInt(12).putLong(0).putInt(76 - 64).putInt(132 - 68);
        out.putInt(0).putInt(3); // at 76: how many nodes
        out.putInt(132, 7); // how many buffers
        return out.array();
    }

    private static void shorts(ByteBuffer out, int... values) {
        for (int each : values) {
            out.putShort((short) each);
        }
    }

    @Override
    public void add(Message tuple) {
        int from = offsets[rows];
        int most = 2 * payload + ALIGNMENT;
        if (data.length - from < most) {
            data = Arrays.copyOf(data, 2 * data.length + most);
        }
        numbers[rows++] = tuple.number();
        offsets[rows] = Latin.encode(tuple.data(), data, from);
    }

    @Override
    public void send() throws IOException {
        if (rows == 0) {
            return;
        }
        int longs = Long.BYTES * rows;
        int ends = Integer.BYTES * (rows + 1);
        int texts = offsets[rows];
        int textsAt = longs + padded(ends);
        int idsAt = textsAt + padded(texts);
        Packs.INT.set(out, Integer.BYTES, BODY - HEAD + Long.BYTES + idsAt + longs);
        int metadata = HEAD + MARK;
        LONG.set(out, metadata + BODY_LENGTH, (long) idsAt + longs);
        LONG.set(out, metadata + ROWS, (long) rows);
        for (int column = 0; column < 3; column++) {
            LONG.set(out, metadata + NODES + 16 * column, (long) rows);
        }
        // of each column first that of what is missing, which nothing is
        buffer(1, 0, longs);
        buffer(2, longs, 0);
        buffer(3, longs, ends);
        buffer(4, textsAt, texts);
        buffer(5, idsAt, 0);
        buffer(6, idsAt, longs);
        for (int i = 0; i < rows; i++) {
            LONG.set(out, BODY + Long.BYTES * i, numbers[i]);
        }
        for (int i = 0; i <= rows; i++) {
            INT.set(out, BODY + longs + Integer.BYTES * i, offsets[i]);
        }
        output.write(out, 0, BODY + textsAt);
        output.write(data, 0, padded(texts));
        output.write(out, BODY, longs); // a tuple's number is its id
        output.flush();
        rows = 0;
    }

    private void buffer(int number, int at, int length) {
        int place = HEAD + MARK + BUFFERS + 16 * number;
        LONG.set(out, place, (long) at);
        LONG.set(out, place + Long.BYTES, (long) length);
    }

    private static int padded(int length) {
        return (length + ALIGNMENT - 1) & -ALIGNMENT;
    }

    @Override
    public int read(Consumer<Message> taken) throws IOException {
        return answers.read(taken);
    }

    /** Takes the rows of a record batch, whose columns are the same as those that are sent. */
    static void read(byte[] in, int at, int payload, Consumer<Message> taken) {
        int metadata = at + MARK;
        int body = metadata + (int) INT.get(in, at + Integer.BYTES);
        int message = metadata + (int) INT.get(in, metadata);
        int batch = referred(in, field(in, message, 2));
        long rows = (long) LONG.get(in, field(in, batch, 0));
        int buffers = referred(in, field(in, batch, 2)) + Integer.BYTES;
        int numbers = body + (int) (long) LONG.get(in, buffers + 16);
        int ends = body + (int) (long) LONG.get(in, buffers + 3 * 16);
        int texts = body + (int) (long) LONG.get(in, buffers + 4 * 16);
        for (int i = 0; i < rows; i++) {
            int from = (int) INT.get(in, ends + Integer.BYTES * i);
            int end = (int) INT.get(in, ends + Integer.BYTES * (i + 1));
            byte[] data = Latin.decode(in, texts + from, end - from, payload);
            taken.accept(new Message((long) LONG.get(in, numbers + Long.BYTES * i), data, Message.UNTIMED));
        }
    }

    /** Where a field of a table is. */
    private static int field(byte[] in, int table, int number) {
        int places = table - (int) INT.get(in, table);
        return table + (short) SHORT.get(in, places + 4 + 2 * number);
    }

    private static int referred(byte[] in, int at) {
        return at + (int) INT.get(in, at);
    }
}
