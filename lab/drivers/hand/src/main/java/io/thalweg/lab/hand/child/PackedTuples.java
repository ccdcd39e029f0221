// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.hand.child;

import io.thalweg.lab.driver.Message;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;

/** By the frames of Thalweg's package: many messages at once, in MessagePack. */
final class PackedTuples implements Tuples {
    static final int BATCH_MAGIC = 0x54484641;
    private static final int MAGIC = 0x5448464D;

    // kinds of messages to the child
    private static final int INPUT = 0;
    private static final int SOURCE = 4;
    static final int SCHEMA = 5;

    // and from it
    private static final int EMIT = 0;
    private static final int ACK = 1;
    private static final int FAIL = 2;
    private static final int ERROR = 5;
    private static final int ACKS = 7;

    /** Magic number and length. */
    private static final int HEAD = 8;

    /** With that of the array of messages. */
    private static final int MESSAGES = HEAD + 5;

    private static final int ARRAY = 0x90;
    private static final int ARRAY_32 = 0xDD;
    private static final int TEXT_32 = 0xDB;
    private static final int INT_64 = 0xD3;
    private static final int NUMBER = 9;

    /** A message without its data and times. */
    private static final int AROUND = 64;

    private static final int CAPACITY = 1 << 16;

    private final Input input;
    private final OutputStream output;
    private final int payload;
    private final Packs packs = new Packs();
    private byte[] out = new byte[CAPACITY];
    private int size = MESSAGES;
    private int count;

    /** Of a child that gets its tuples in such frames. */
    static PackedTuples open(Input input, OutputStream output, int payload) throws IOException {
        output.write(introduction(SOURCE, new byte[] {1})); // the task
        return new PackedTuples(input, output, payload);
    }

    PackedTuples(Input input, OutputStream output, int payload) {
        this.input = input;
        this.output = output;
        this.payload = payload;
    }

    /** A frame with one message that says what the number 0 stands for in later ones: the source's stream, and what {@code last} has. */
    static byte[] introduction(int kind, byte[] last) {
        byte[] names = "\u0000source\u0000default".getBytes(StandardCharsets.US_ASCII);
        names[0] = (byte) 0xA6; // how long the texts are
        names[7] = (byte) 0xA7;
        return ByteBuffer.allocate(HEAD + 4 + names.length + last.length)
                .putInt(MAGIC)
                .putInt(4 + names.length + last.length)
                .put((byte) (ARRAY | 1))
                .put((byte) (ARRAY | 5))
                .put((byte) kind)
                .put((byte) 0)
                .put(names)
                .put(last)
                .array();
    }

    // ---- to the child

    @Override
    public void add(Message tuple) {
        long[] times = tuple.times();
        int most = AROUND + 2 * payload + NUMBER * times.length;
        if (out.length - size < most) {
            out = Arrays.copyOf(out, 2 * out.length + most);
        }
        put(ARRAY | 4);
        put(INPUT);
        put(tuple.number());
        put(0); // the source's number
        put(ARRAY | (times.length > 0 ? 3 : 2));
        put(tuple.number());
        put(TEXT_32);
        int from = size + Integer.BYTES;
        int end = Latin.encode(tuple.data(), out, from);
        Packs.INT.set(out, size, end - from);
        size = end;
        if (times.length > 0) {
            put(ARRAY | times.length);
            for (long time : times) {
                put(time);
            }
        }
        count++;
    }

    private void put(int octet) {
        out[size++] = (byte) octet;
    }

    private void put(long number) {
        out[size] = (byte) INT_64;
        Packs.LONG.set(out, size + 1, number);
        size += NUMBER;
    }

    @Override
    public void send() throws IOException {
        if (count == 0) {
            return;
        }
        Packs.INT.set(out, 0, MAGIC);
        Packs.INT.set(out, Integer.BYTES, size - HEAD);
        out[HEAD] = (byte) ARRAY_32;
        Packs.INT.set(out, HEAD + 1, count);
        output.write(out, 0, size);
        output.flush();
        size = MESSAGES;
        count = 0;
    }

    // ---- from the child

    @Override
    public int read(Consumer<Message> taken) throws IOException {
        if (!input.has(HEAD)) {
            return -1;
        }
        int magic = (int) Packs.INT.get(input.bytes, input.at);
        int length = (int) Packs.INT.get(input.bytes, input.at + Integer.BYTES);
        if ((magic != MAGIC && magic != BATCH_MAGIC) || length < 0) {
            throw new IOException("it wrote what is no frame");
        }
        if (!input.has(HEAD + length)) {
            return -1;
        }
        int from = input.at + HEAD;
        input.at = from + length;
        if (magic == BATCH_MAGIC) {
            ColumnTuples.read(input.bytes, from + Long.BYTES, payload, taken); // behind its number
            return 0;
        }
        packs.begin(input.bytes, from);
        return messages(taken);
    }

    private int messages(Consumer<Message> taken) throws IOException {
        int acks = 0;
        for (int left = packs.array(); left > 0; left--) {
            int fields = packs.array();
            switch ((int) packs.integer()) {
                case EMIT -> taken.accept(emitted());
                case ACK -> {
                    packs.skip();
                    acks++;
                }
                case ACKS -> acks += packs.binary() / Long.BYTES;
                case FAIL -> throw new IOException("it failed a tuple; its standard error says why");
                case ERROR -> throw new IOException("it reports: " + packs.text());
                default -> {
                    for (int i = 1; i < fields; i++) {
                        packs.skip(); // a line for the log, or the types of columns, which are known
                    }
                }
            }
        }
        return acks;
    }

    private Message emitted() {
        packs.skip(); // its stream
        packs.skip(); // no id
        packs.skip(); // what it is anchored to
        packs.skip(); // no task
        packs.skip(); // does not wait for tasks
        int values = packs.array();
        long number = packs.integer();
        byte[] data = packs.latin(payload);
        if (values == 2) {
            return new Message(number, data, Message.UNTIMED);
        }
        long[] times = new long[packs.array()];
        for (int i = 0; i < times.length; i++) {
            times[i] = packs.integer();
        }
        return new Message(number, data, times);
    }
}
