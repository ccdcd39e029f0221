// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.Decoder;
import io.thalweg.api.connector.Encoder;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.stats.SplitLag;
import io.thalweg.api.topology.Topology;
import io.thalweg.files.Csv;
import io.thalweg.files.Json;
import io.thalweg.run.BadRecordListener;
import io.thalweg.run.Runner;
import io.thalweg.run.RunningJob;
import io.thalweg.testkit.CollectSink;
import io.thalweg.testkit.Lines;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Topics are read and written alike on any road that runs within this JVM. */
@Timeout(600)
public abstract class KafkaRulesContract {
    protected static final int PARALLELISM = 2;

    /** So many messages, a millisecond apart, that a consumer does not hold all of them. */
    private static final int FAR = 30_000;

    /** With a parallelism of {@link #PARALLELISM}, and no guarantee. */
    protected abstract Runner runner(BadRecordListener bad);

    private Runner runner() {
        return runner((topology, operator, record) -> {});
    }

    /** The same with a checkpoint every tenth of a second. */
    protected abstract Runner checkpointing();

    /** Tasks of a source with aligned splits. */
    protected int aligned() {
        return PARALLELISM;
    }

    private final TestBroker broker = TestBroker.shared();
    private final CollectSink<String> sink = CollectSink.of(String.class);

    /** Each once, in any order. */
    private static void assertNumbers(List<String> found, int count) {
        List<String> expected =
                IntStream.range(0, count).mapToObj(String::valueOf).toList();
        assertThat(Lines.surplus(expected, found)).as("missing").isEmpty();
        assertThat(Lines.surplus(found, expected)).as("twice").isEmpty();
    }

    private Topology topology(String topic) {
        Topology topology = Topology.named("kafka");
        topology.from(Kafka.read(broker.address(), topic, Decoder.text()).untilLatest())
                .name("numbers")
                .to(sink);
        return topology;
    }

    @Test
    void shouldReadATopicToItsEnd() throws Exception {
        String topic = broker.topic(3);
        broker.sendNumbers(topic, 3, 0, 1_000);

        runner().start(topology(topic).graph()).await();

        assertNumbers(sink.records(), 1_000);
    }

    /** What messages have as a key. */
    public record Shop(int id) {}

    private void send(String topic, @Nullable String key, byte @Nullable [] value) throws Exception {
        byte[] keyBytes = key == null ? null : key.getBytes(StandardCharsets.UTF_8);
        broker.send(new ProducerRecord<>(topic, 0, keyBytes, value));
    }

    @Test
    void shouldDecodeKeys_andKeepThoseOfBadMessages_withTheirHeaders() throws Exception {
        String topic = broker.topic(1);
        send(topic, "{\"id\":7}", new byte[] {'a'});
        send(topic, null, new byte[] {'b'});
        send(topic, "{\"id\":8}", null);
        send(topic, "{\"id\":", new byte[] {'c'});
        send(topic, "{\"id\":9}", new byte[] {(byte) 0xff});
        ProducerRecord<byte[], byte[]> headed = new ProducerRecord<>(topic, 0, null, new byte[] {(byte) 0xfe});
        headed.headers().add("trace", new byte[] {'1'}).add("none", null);
        broker.send(headed);
        send(topic, "{\"id\":7}", new byte[] {'d'});
        Topology topology = Topology.named("keys");
        topology.from(Kafka.read(broker.address(), topic, Decoder.text())
                        .untilLatest()
                        .withRecord(Json.decoder(Shop.class)))
                .name("messages")
                .map(message -> message.key() + " " + message.value())
                .to(sink);
        Queue<String> bad = new ConcurrentLinkedQueue<>();

        runner((job, operator, record) -> bad.add(record.describe() + "|" + headers(record) + text(record.key()) + "|"
                        + (record.bytes()[0] & 0xff)))
                .start(topology.graph())
                .await();

        assertThat(sink.records())
                .containsExactlyInAnyOrder("Shop[id=7] a", "null b", "Shop[id=8] null", "Shop[id=7] d");
        assertThat(bad)
                .satisfiesExactlyInAnyOrder(
                        key -> assertThat(key)
                                .startsWith(topic + "-0, offset 3: the key: ")
                                .endsWith("|{\"id\":|" + (int) 'c'),
                        value -> assertThat(value)
                                .startsWith(topic + "-0, offset 4: ")
                                .endsWith("|{\"id\":9}|" + 0xff),
                        keyless -> assertThat(keyless)
                                .startsWith(topic + "-0, offset 5: ")
                                .endsWith("|trace=1 none=null null|" + 0xfe));
    }

    /** What messages are as rows. */
    public record Sale(String shop, long cents, @Nullable String note) {}

    @Test
    void shouldReadAndWriteRowsOfCsv() throws Exception {
        String from = broker.topic(1);
        String to = broker.topic(1);
        send(from, null, "7,x,north,\"a \"\"b\"\", c\"\n".getBytes(StandardCharsets.UTF_8));
        send(from, "k", "seven,x,south,".getBytes(StandardCharsets.UTF_8));
        send(from, null, "8,x,Köln,".getBytes(StandardCharsets.UTF_8));
        send(from, null, "9,\"x,west,".getBytes(StandardCharsets.UTF_8));
        send(from, null, new byte[0]);
        send(from, null, "1,,a,".getBytes(StandardCharsets.UTF_8));
        send(from, null, "2,,b,\r\n".getBytes(StandardCharsets.UTF_8));
        Topology topology = Topology.named("rows");
        topology.from(Kafka.read(broker.address(), from, Csv.decoder(Sale.class).header("cents", "x", "shop", "note"))
                        .untilLatest())
                .name("sales")
                .to(Kafka.write(broker.address(), to, Csv.encoder(Sale.class).delimiter(';')));
        Queue<String> bad = new ConcurrentLinkedQueue<>();

        runner((job, operator, record) ->
                        bad.add(record.describe() + "|" + text(record.key()) + "|" + text(record.bytes())))
                .start(topology.graph())
                .await();

        assertThat(broker.values(to))
                .containsExactlyInAnyOrder("north;7;\"a \"\"b\"\", c\"", "Köln;8;", "a;1;", "b;2;");
        assertThat(bad)
                .containsExactlyInAnyOrder(
                        from + "-0, offset 1: byte 0, column 'cents': a whole number that fits a long is expected,"
                                + " found 'seven'|k|seven,x,south,",
                        from + "-0, offset 3: byte 2: the quote opened here is not closed before the input ends"
                                + "|null|9,\"x,west,",
                        from + "-0, offset 4: the row has 1 field, not 4 as the header|null|");
    }

    private static String headers(BadRecord record) {
        return record.headers().stream()
                .map(header -> header.name() + "=" + text(header.value()) + " ")
                .collect(Collectors.joining());
    }

    private static @Nullable String text(byte @Nullable [] bytes) {
        return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
    }

    @Test
    void shouldSayHowFarItIsBehind() throws Exception {
        String topic = broker.topic(3);
        broker.sendNumbers(topic, 3, 0, 1_000);
        Topology topology = Topology.named("lag");
        topology.from(Kafka.read(broker.address(), topic, Decoder.text()))
                .name("numbers")
                .to(sink);
        RunningJob job = runner().start(topology.graph());
        awaitRecords(job, 1_000);
        while (job.stats().lag() > 0 || splits(job.stats()).size() < 3) {
            assertThat(job.await(Duration.ofMillis(20))).isFalse();
        }
        assertThat(splits(job.stats())).containsExactlyInAnyOrder(topic + "-0", topic + "-1", topic + "-2");
        job.cancel();
        job.await();
    }

    private static List<String> splits(JobStats stats) {
        return stats.tasks().stream()
                .flatMap(task -> task.input().splits().stream())
                .map(SplitLag::split)
                .toList();
    }

    /** One partition holds what is long past the other's, which gets on only when the test lets it. */
    @Test
    void shouldPauseAPartitionThatIsAheadOfAnother() throws Exception {
        String topic = broker.topic(2);
        broker.sendNumbers(topic, 1, 0, FAR);
        broker.send(topic, 1, "5");
        Topology topology = Topology.named("aligned");
        topology.from(Kafka.read(broker.address(), topic, Decoder.text()).set("max.poll.records", "100"))
                .name("numbers")
                .parallelism(aligned())
                .eventTime(Long::parseLong, Duration.ZERO)
                .alignedWithin(Duration.ofMillis(100))
                .parallelism(aligned())
                .to(sink);
        RunningJob job = runner().start(topology.graph());
        awaitRecords(job, 108);
        broker.send(topic, 1, "3000");
        awaitRecords(job, 3_104);
        job.cancel();
        job.await();

        assertThat(sink.records()).hasSize(3_104).contains("5", "3000", "3101").doesNotContain("3102");
    }

    private void awaitRecords(RunningJob job, int count) throws InterruptedException {
        while (sink.records().size() < count) {
            assertThat(job.await(Duration.ofMillis(20))).isFalse();
        }
    }

    @Test
    void shouldReadATopicToItsEnd_withCheckpoints() throws Exception {
        String topic = broker.topic(3);
        broker.sendNumbers(topic, 3, 0, 50_000);

        checkpointing().start(topology(topic).graph()).await();

        assertNumbers(sink.records(), 50_000);
    }

    private void copy(Runner runner) throws Exception {
        String from = broker.topic(3);
        String to = broker.topic(2);
        broker.sendNumbers(from, 3, 0, 20_000);
        Topology topology = Topology.named("copy");
        topology.from(Kafka.read(broker.address(), from, Decoder.text()).untilLatest())
                .name("numbers")
                .to(Kafka.write(broker.address(), to, Encoder.text())
                        .key(number -> number)
                        .transactionalIdPrefix(to))
                .name("copies");
        runner.start(topology.graph()).await();

        assertNumbers(broker.values(to), 20_000);
    }

    @Test
    void shouldWriteATopic() throws Exception {
        copy(runner());
    }

    @Test
    void shouldWriteATopic_withCheckpoints() throws Exception {
        copy(checkpointing());
    }
}
