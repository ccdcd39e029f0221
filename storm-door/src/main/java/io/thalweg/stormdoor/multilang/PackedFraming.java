// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor.multilang;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.python.Packing;
import io.thalweg.python.arrow.Columns;
import io.thalweg.python.text.HalfPairException;
import io.thalweg.python.text.MalformedTextException;
import io.thalweg.python.text.Utf8;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessageFormat;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessagePackException;
import org.msgpack.core.MessageUnpacker;
import org.msgpack.value.ValueType;

/**
 * Frames of messages: a magic number, the number of bytes, and a MessagePack array of messages, each an array whose first element is
 * its kind. Where tuples come from is sent once, and then by its number. A child that asks for columns gets tuples as record batches
 * of Arrow, and may send such: each is a frame with another magic number, the number of bytes, the number of its schema, and the batch.
 * If it is a spout, it gets the ids of many acks, or fails, as one message.
 */
final class PackedFraming implements Framing {
    /** What a child asks for. */
    static final String NAME = "msgpack-1";

    /** What a child asks for whose tuples travel as record batches. */
    static final String WITH_COLUMNS = "arrow-1";

    private static final int MAGIC = 0x5448464D;
    private static final int COLUMNS_MAGIC = 0x54484641;
    private static final int INPUT = 0;
    private static final int TASKS = 1;
    private static final int HEARTBEAT = 2;
    private static final int COMMAND = 3;
    private static final int SOURCE = 4;
    private static final int SCHEMA = 5;
    private static final int EMIT = 0;
    private static final int ACK = 1;
    private static final int FAIL = 2;
    private static final int SYNC = 3;
    private static final int LOG = 4;
    private static final int PROBLEM = 5;
    private static final int METRIC = 6;
    private static final int ACKS = 7;
    private static final int COLUMNS = 8;

    /** A frame is sent when it has so many bytes. */
    private static final int ENOUGH = 1 << 20;

    private static final int LARGEST = 1 << 30;

    /** Of larger ones it has to be seen that they come. */
    private static final int LARGE = 1 << 23;

    private static final int CAPACITY = 1 << 16;

    private record Source(String component, String stream, int task) {}

    private final OutputStream output;
    private final DataInputStream input;
    private final Map<Source, Integer> sources = new HashMap<>();
    private final @Nullable SentColumns sent;
    private final ReceivedColumns received = new ReceivedColumns();
    private MessageBufferPacker packer = Packing.packer();
    private int count;

    /** What the packer had written before this frame: it does not begin at zero when it is cleared. */
    private long before;

    /** @param columns whether tuples are sent as record batches */
    PackedFraming(OutputStream output, InputStream input, boolean columns) {
        this.output = output;
        sent = columns ? new SentColumns() : null;
        this.input = new DataInputStream(new BufferedInputStream(input, CAPACITY));
    }

    @Override
    public boolean packed() {
        return true;
    }

    @Override
    public boolean columns() {
        return sent != null;
    }

    // ---- to the child

    @Override
    public List<Refused> write(List<ToChild> messages) throws IOException {
        List<Refused> refused = new ArrayList<>(0);
        begin();
        for (ToChild message : messages) {
            if (sent != null && message instanceof ToChild.Input in && sent.add(in)) {
                continue;
            }
            pack(message, refused);
            if (written() >= ENOUGH) {
                send();
            }
        }
        if (sent != null) {
            sent.write(new Frames(), refused);
        }
        send();
        output.flush();
        return refused;
    }

    /** Where record batches are written to. */
    private final class Frames implements SentColumns.Frames {
        @Override
        public void schema(int number, String component, String stream, byte[] schema) throws IOException {
            packer.packArrayHeader(5).packInt(SCHEMA).packInt(number).packString(component);
            packer.packString(stream).packBinaryHeader(schema.length).writePayload(schema);
            count++;
        }

        @Override
        public void batch(int number, Columns.Message batch) throws IOException {
            send();
            output.write(ByteBuffer.allocate(16)
                    .putInt(COLUMNS_MAGIC)
                    .putInt(Math.toIntExact(Long.BYTES + batch.length()))
                    .putLong(number)
                    .array());
            batch.writeTo(output);
        }
    }

    private void begin() {
        packer.clear();
        before = packer.getTotalWrittenBytes();
        count = 0;
    }

    private long written() {
        return packer.getTotalWrittenBytes() - before;
    }

    private void send() throws IOException {
        send((int) written());
    }

    /** @param length of what is sent; behind it is the beginning of a message that is not */
    private void send(int length) throws IOException {
        byte[] content = packer.toByteArray();
        if (count > 0) {
            output.write(ByteBuffer.allocate(13)
                    .putInt(MAGIC)
                    .putInt(length + 5)
                    .put((byte) 0xDD) // an array, and its length
                    .putInt(count)
                    .array());
            output.write(content, 0, length);
        }
        if (content.length > 4 * ENOUGH) {
            packer = Packing.packer(); // leaves no large buffer behind
        }
        begin();
    }

    private void pack(ToChild message, List<Refused> refused) throws IOException {
        if (message instanceof ToChild.Input in) {
            Tuple tuple = in.tuple();
            int source = source(tuple);
            int good = (int) written();
            packer.packArrayHeader(4).packInt(INPUT).packLong(in.id()).packInt(source);
            try {
                values(tuple);
            } catch (HalfPairException e) {
                refused.add(Refused.of(
                        in.id(), tuple.getSourceComponent(), tuple.getSourceStreamId(), tuple.getValues(), e));
                send(good);
                return;
            } catch (ConnectorException e) {
                throw new ConnectorException(
                        "the tuple " + JsonFraming.shown(tuple.getValues().toString()) + " of '"
                                + tuple.getSourceComponent() + "' cannot be sent to a child: " + e.getMessage(),
                        e);
            }
        } else if (message instanceof ToChild.Heartbeat) {
            packer.packArrayHeader(1).packInt(HEARTBEAT);
        } else if (message instanceof ToChild.Tasks tasks) {
            packer.packArrayHeader(2).packInt(TASKS);
            Packing.pack(tasks.tasks(), packer);
        } else if (message instanceof ToChild.Next next) {
            packer.packArrayHeader(3).packInt(COMMAND).packString("next").packInt(next.most());
        } else if (message instanceof ToChild.Command command) {
            packer.packArrayHeader(3).packInt(COMMAND).packString(command.command());
            Packing.pack(command.id(), packer);
        }
        count++;
    }

    private void values(Tuple tuple) throws IOException {
        packer.packArrayHeader(tuple.size());
        for (int i = 0; i < tuple.size(); i++) {
            try {
                Packing.pack(tuple.getValue(i), packer);
            } catch (HalfPairException e) {
                throw e.in(
                        i < tuple.getFields().size()
                                ? "field '" + tuple.getFields().get(i) + "'"
                                : "value " + i);
            }
        }
    }

    /** Its number, which the child knows by a message before. */
    private int source(Tuple tuple) throws IOException {
        Source source = new Source(tuple.getSourceComponent(), tuple.getSourceStreamId(), tuple.getSourceTask());
        Integer known = sources.get(source);
        if (known == null) {
            known = sources.size();
            sources.put(source, known);
            packer.packArrayHeader(5).packInt(SOURCE).packInt(known).packString(source.component);
            packer.packString(source.stream).packInt(source.task);
            count++;
        }
        return known;
    }

    // ---- from the child

    @Override
    public @Nullable List<FromChild> read() throws IOException {
        int magic;
        int size;
        try {
            magic = input.readInt();
            size = input.readInt();
        } catch (EOFException e) {
            return null;
        }
        if (magic != MAGIC && magic != COLUMNS_MAGIC) {
            throw new MalformedException("it wrote what is no frame; something in it writes to the pipe by itself");
        }
        if (size < 0 || size > LARGEST) {
            throw new MalformedException("it sent a frame of " + Integer.toUnsignedLong(size) + " bytes, and " + LARGEST
                    + " are possible; send fewer or smaller tuples at once");
        }
        byte[] bytes = bytes(size);
        if (bytes == null) {
            return null;
        }
        if (magic == COLUMNS_MAGIC) {
            return received.read(bytes);
        }
        try {
            return messages(MessagePack.newDefaultUnpacker(bytes));
        } catch (MessagePackException | EOFException e) {
            throw new MalformedException("it sent a frame that cannot be read: " + e);
        } catch (StackOverflowError e) {
            throw MalformedException.tooDeep();
        }
    }

    /** So many bytes; null if fewer come. An array of that size is made only when a part of them is there. */
    private byte @Nullable [] bytes(int size) throws IOException {
        byte[] bytes = new byte[Math.min(size, LARGE)];
        int there = input.readNBytes(bytes, 0, bytes.length);
        while (there == bytes.length && there < size) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(size, 2L * there));
            there += input.readNBytes(bytes, there, bytes.length - there);
        }
        return there < size ? null : bytes;
    }

    private List<FromChild> messages(MessageUnpacker in) throws IOException {
        int size = in.unpackArrayHeader();
        List<FromChild> messages = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            int length = in.unpackArrayHeader();
            int kind = in.unpackInt();
            if (kind == ACKS) {
                ByteBuffer ids =
                        ByteBuffer.wrap(in.readPayload(in.unpackBinaryHeader())).order(ByteOrder.LITTLE_ENDIAN);
                while (ids.remaining() >= Long.BYTES) {
                    messages.add(new FromChild.Ack(ids.getLong()));
                }
                continue;
            }
            if (kind == COLUMNS) {
                received.declare(in.unpackInt(), stream(in), list(in), length > 4 ? value(in) : null);
                continue;
            }
            messages.add(
                    switch (kind) {
                        case EMIT -> emit(in);
                        case ACK -> new FromChild.Ack(value(in));
                        case FAIL -> new FromChild.Fail(value(in));
                        case SYNC -> new FromChild.Sync();
                        case LOG -> new FromChild.Log(in.unpackInt(), in.unpackString());
                        case PROBLEM -> new FromChild.Problem(in.unpackString());
                        case METRIC -> new FromChild.Metric(in.unpackString(), value(in));
                        default -> throw new MalformedException("it sent a message of unknown kind " + kind);
                    });
        }
        return messages;
    }

    private static FromChild.Emit emit(MessageUnpacker in) throws IOException {
        String stream = stream(in);
        Object id = value(in);
        List<Object> anchors = in.tryUnpackNil() ? List.of() : list(in);
        long task = in.unpackLong();
        boolean needsTasks = in.unpackBoolean();
        if (in.getNextFormat().getValueType() != ValueType.ARRAY) {
            throw new MalformedException("it emitted something that is no list: " + in.unpackValue());
        }
        return new FromChild.Emit(stream, id, anchors, task, list(in), needsTasks);
    }

    private static String stream(MessageUnpacker in) throws IOException {
        return in.tryUnpackNil() ? Utils.DEFAULT_STREAM_ID : text(in);
    }

    private static List<Object> list(MessageUnpacker in) throws IOException {
        int size = in.unpackArrayHeader();
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            values.add(value(in));
        }
        return values;
    }

    @SuppressWarnings("NullAway") // values of tuples may be null
    private static Object value(MessageUnpacker in) throws IOException {
        return switch (in.getNextFormat().getValueType()) {
            case NIL -> {
                in.unpackNil();
                yield null;
            }
            case BOOLEAN -> in.unpackBoolean();
            case INTEGER -> integer(in);
            case FLOAT -> in.unpackDouble();
            case STRING -> text(in);
            case BINARY -> in.readPayload(in.unpackBinaryHeader());
            case ARRAY -> list(in);
            case MAP -> {
                Map<Object, Object> map = new LinkedHashMap<>();
                for (int left = in.unpackMapHeader(); left > 0; left--) {
                    Object key = value(in);
                    map.put(key, value(in));
                }
                yield map;
            }
            case EXTENSION -> throw new MalformedException("it sent a value of an extension type");
        };
    }

    private static String text(MessageUnpacker in) throws IOException {
        byte[] bytes = in.readPayload(in.unpackRawStringHeader());
        try {
            return Utf8.text(bytes, 0, bytes.length);
        } catch (MalformedTextException e) {
            throw new MalformedException("it sent a text that is no UTF-8, '"
                    + JsonFraming.shown(new String(bytes, StandardCharsets.UTF_8)) + "': " + e.getMessage());
        }
    }

    /** As JSON has them here: an Integer if it fits, a Long, or a BigInteger. */
    private static Object integer(MessageUnpacker in) throws IOException {
        if (in.getNextFormat() == MessageFormat.UINT64) {
            BigInteger large = in.unpackBigInteger();
            return large.bitLength() < Long.SIZE ? (Object) large.longValue() : large;
        }
        return integer(in.unpackLong());
    }

    static Object integer(long value) {
        return (int) value == value ? (Object) (int) value : value;
    }
}
