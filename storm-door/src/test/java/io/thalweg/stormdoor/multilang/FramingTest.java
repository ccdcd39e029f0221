// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor.multilang;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.storm.Constants;
import org.apache.storm.multilang.BoltMsg;
import org.apache.storm.multilang.JsonSerializer;
import org.apache.storm.multilang.SpoutMsg;
import org.apache.storm.task.ShellBolt;
import org.apache.storm.tuple.Tuple;
import org.junit.jupiter.api.Test;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

final class FramingTest {
    private static final int DEEP = 2_000_000;

    private static InputStream packed(byte[] message) {
        return new ByteArrayInputStream(ByteBuffer.allocate(9 + message.length)
                .putInt(0x5448464D)
                .putInt(1 + message.length)
                .put((byte) 0x91) // one message
                .put(message)
                .array());
    }

    @Test
    void shouldRefuseListsThatAreNestedTooDeep() throws IOException {
        ByteArrayOutputStream emit = new ByteArrayOutputStream();
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            packer.packArrayHeader(7).packInt(0).packNil().packNil().packNil();
            packer.packInt(0).packBoolean(false);
            emit.write(packer.toByteArray());
        }
        for (int i = 0; i < DEEP; i++) {
            emit.write(0x91);
        }
        emit.write(0xC0);
        Framing framing = new PackedFraming(OutputStream.nullOutputStream(), packed(emit.toByteArray()), true);

        assertThatThrownBy(framing::read)
                .isInstanceOf(Framing.MalformedException.class)
                .hasMessageContaining("nested too deep");
    }

    private static byte[] log(String text) throws IOException {
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            packer.packArrayHeader(3).packInt(4).packInt(2).packString(text);
            return packer.toByteArray();
        }
    }

    @Test
    void shouldReadFramesOfAllSizes_thatComeInPieces() throws IOException {
        for (int size : List.of(0, 1 << 16, (8 << 20) - 20, 8 << 20, 33 << 20)) {
            String text = "x".repeat(size);
            InputStream one = packed(log(text));
            InputStream pieces = new SequenceInputStream(one, packed(log("next"))) {
                @Override
                public int read(byte[] into, int from, int length) throws IOException {
                    return super.read(into, from, Math.min(length, 60_000));
                }
            };
            Framing framing = new PackedFraming(OutputStream.nullOutputStream(), pieces, true);

            assertThat(framing.read()).isEqualTo(List.of(new FromChild.Log(2, text)));
            assertThat(framing.read()).isEqualTo(List.of(new FromChild.Log(2, "next")));
            assertThat(framing.read()).isNull();
        }
    }

    @Test
    void shouldTakeAFrameThatIsCutOffForTheEnd() throws IOException {
        for (int size : List.of(10, 8 << 20, 20 << 20)) {
            byte[] whole = packed(log("x".repeat(size))).readAllBytes();
            for (int length : List.of(9, whole.length / 2, whole.length - 1)) {
                InputStream cut = new ByteArrayInputStream(whole, 0, length);
                assertThat(new PackedFraming(OutputStream.nullOutputStream(), cut, true).read())
                        .isNull();
            }
        }
    }

    /** A child that has lost its senses does not take the memory of the others. */
    @Test
    void shouldNotMakeRoomForWhatIsOnlyAnnounced() throws IOException {
        byte[] head = ByteBuffer.allocate(8).putInt(0x5448464D).putInt(1 << 30).array();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();

        assertThat(new PackedFraming(OutputStream.nullOutputStream(), new ByteArrayInputStream(head), true).read())
                .isNull();

        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(64 << 20);
    }

    @Test
    void shouldRefuseJsonThatIsNestedTooDeep() {
        String emit = "{\"command\": \"emit\", \"tuple\": " + "[".repeat(DEEP) + "]".repeat(DEEP) + "}\nend\n";
        Framing framing = new JsonFraming(
                OutputStream.nullOutputStream(),
                new ByteArrayInputStream(emit.getBytes(StandardCharsets.UTF_8)),
                line -> {});

        assertThatThrownBy(framing::read).isInstanceOf(Framing.MalformedException.class);
    }

    private static final byte[] LATIN = {'h', (byte) 0xE9};

    /** Storm reads U+FFFD. */
    @Test
    void shouldRefuseAFrameWithATextThatIsNoUtf8() throws IOException {
        byte[] message;
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            packer.packArrayHeader(7).packInt(0).packNil().packNil().packNil().packInt(0);
            packer.packBoolean(false).packArrayHeader(1).packArrayHeader(1);
            packer.packRawStringHeader(2).writePayload(LATIN);
            message = packer.toByteArray();
        }
        assertThatThrownBy(new PackedFraming(OutputStream.nullOutputStream(), packed(message), true)::read)
                .isInstanceOf(Framing.MalformedException.class)
                .hasMessage("it sent a text that is no UTF-8, 'h\uFFFD': byte 1 of the text is invalid UTF-8");
    }

    private static Framing json(List<String> strays, Object... parts) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (Object each : parts) {
            bytes.writeBytes(each instanceof byte[] some ? some : ((String) each).getBytes(StandardCharsets.UTF_8));
        }
        return new JsonFraming(
                OutputStream.nullOutputStream(), new ByteArrayInputStream(bytes.toByteArray()), strays::add);
    }

    @Test
    void shouldRefuseJsonThatIsNoUtf8() {
        Framing framing = json(new ArrayList<>(), "{\"command\": \"emit\",\n\"tuple\": [\"", LATIN, "\"]\n}\nend\n");
        assertThatThrownBy(framing::read)
                .isInstanceOf(Framing.MalformedException.class)
                .hasMessage(
                        "it sent a message that is no UTF-8, \"tuple\": [\"h\uFFFD\"]: byte 12 of the text is invalid"
                                + " UTF-8");
    }

    /** A child may print in another encoding, and a line of its log may lose a letter. */
    @Test
    void shouldReadWhatIsPrintedAndLogged_alsoIfItIsNoUtf8() throws IOException {
        List<String> strays = new ArrayList<>();
        Framing framing = json(
                strays,
                LATIN,
                "\n{\"command\": \"emit\", \"tuple\": [\"\uFFFD\"]}\nend\n{\"command\": \"log\", \"msg\": \"",
                LATIN,
                "\"}\nend\n");
        assertThat(framing.read())
                .singleElement()
                .isInstanceOfSatisfying(
                        FromChild.Emit.class, emit -> assertThat(emit.values()).isEqualTo(List.of("\uFFFD")));
        assertThat(strays).containsExactly("h\uFFFD");
        assertThat(framing.read())
                .singleElement()
                .isInstanceOfSatisfying(
                        FromChild.Log.class, log -> assertThat(log.text()).isEqualTo("h\uFFFD"));
    }

    /** Python's are dicts, which the parser takes for JSON. */
    @Test
    void shouldTakePrintedObjectsForWhatTheyAre() throws IOException {
        List<String> strays = new ArrayList<>();
        Framing framing = json(
                strays,
                "{'a': 1}\n\n{\"b\": [2]}\n{\"command\": \"sync\"}\nend\n",
                "{'c': 3}\n{\"command\": \"ack\",\n\"id\": 4}\nend\n",
                "{\"d\": 5}\nend\n");
        assertThat(framing.read()).containsExactly(new FromChild.Sync());
        assertThat(strays).containsExactly("{'a': 1}", "{\"b\": [2]}");
        assertThat(framing.read()).containsExactly(new FromChild.Ack(4));
        assertThat(strays).hasSize(3).last().isEqualTo("{'c': 3}");
        assertThatThrownBy(framing::read)
                .isInstanceOf(Framing.MalformedException.class)
                .hasMessage("it sent a message without a command: {\"d\":5}");
    }

    /** With as many bytes read again for each of them, that would take longer than a child may be silent. */
    @Test
    void shouldFindTheMessageBehindManyPrintedLines() throws IOException {
        List<String> strays = new ArrayList<>();
        int many = 20_000;
        String printed = "a line that was printed by mistake, number 1234567890\n".repeat(many);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Framing framing = json(strays, printed, "{\"command\": \"sync\"}\nend\n");
        long before = threads.getCurrentThreadAllocatedBytes();

        assertThat(framing.read()).containsExactly(new FromChild.Sync());

        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(1 << 28);
        assertThat(strays).hasSize(many);
    }

    @Test
    void shouldWriteJsonAsStormsSerializerDoes() throws IOException {
        checkJson(Arrays.asList(
                "é\"\\/?\n\u2028😀", 1, 2.5, Double.NaN, null, true, List.of(1L << 40), Map.of("a", "b")));
        checkJson(List.of());
        checkJson(List.of("", "?", "\"", "\\/", "a/b\\c\"d", "\u007F", "~", "\t", "\u0000", "é", "\u2028"));
        checkJson(List.of("x".repeat(5_000), "y".repeat(3 << 20), "/".repeat(9_000), "z".repeat(5_000) + "é"));
        checkJson(Arrays.asList(Integer.MIN_VALUE, Long.MIN_VALUE, false, (short) 7, (byte) -7, 'c', 1.5f, 1e300));
        checkJson(List.of(
                new BigInteger("9".repeat(30)), new BigDecimal("1.50"), new int[] {1, 2}, Set.of("s/"), Kind.A));
        checkJson(List.of(Arrays.asList("a\"", null, List.of(Map.of("k/", List.of("\u00a0"))))));
    }

    private enum Kind {
        A
    }

    private static void checkJson(List<Object> values) throws IOException {
        ByteArrayOutputStream ours = new ByteArrayOutputStream();
        new JsonFraming(ours, InputStream.nullInputStream(), line -> {})
                .write(List.of(
                        new ToChild.Input(7, tuple(values)),
                        new ToChild.Heartbeat(8),
                        new ToChild.Tasks(List.of(1, 2)),
                        new ToChild.Next(1),
                        new ToChild.Command("ack", 9)));

        ByteArrayOutputStream storms = new ByteArrayOutputStream();
        JsonSerializer serializer = new JsonSerializer();
        serializer.initialize(storms, InputStream.nullInputStream());
        BoltMsg input = new BoltMsg();
        input.setId("7");
        input.setComp("words");
        input.setStream("default");
        input.setTask(3);
        input.setTuple(values);
        serializer.writeBoltMsg(input);
        BoltMsg heartbeat = new BoltMsg();
        heartbeat.setId("8");
        heartbeat.setTask(Constants.SYSTEM_TASK_ID);
        heartbeat.setStream(ShellBolt.HEARTBEAT_STREAM_ID);
        heartbeat.setTuple(List.of());
        serializer.writeBoltMsg(heartbeat);
        serializer.writeTaskIds(List.of(1, 2));
        SpoutMsg next = new SpoutMsg();
        next.setCommand("next");
        next.setId("");
        serializer.writeSpoutMsg(next);
        SpoutMsg ack = new SpoutMsg();
        ack.setCommand("ack");
        ack.setId(9);
        serializer.writeSpoutMsg(ack);
        assertThat(ours.toString(StandardCharsets.UTF_8)).isEqualTo(storms.toString(StandardCharsets.UTF_8));
    }

    private static Tuple tuple(List<Object> values) {
        Class<?>[] types = {Tuple.class};
        return (Tuple) Proxy.newProxyInstance(
                Tuple.class.getClassLoader(), types, (proxy, method, arguments) -> switch (method.getName()) {
                    case "getSourceComponent" -> "words";
                    case "getSourceStreamId" -> "default";
                    case "getSourceTask" -> 3;
                    case "getValues" -> values;
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }
}
