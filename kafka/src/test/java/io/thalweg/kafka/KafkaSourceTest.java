// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.Decoder;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Source;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.stats.ConnectionStats;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.Windows;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.Job;
import io.thalweg.files.Json;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.CollectSink;
import io.thalweg.testkit.FreePort;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a source of topics reads, and what it says if it cannot. */
@Timeout(900)
@Tag("integration")
final class KafkaSourceTest {
    private final TestBroker broker = TestBroker.shared();
    private final List<String> warnings = new CopyOnWriteArrayList<>();
    private final List<BadRecord> bad = new CopyOnWriteArrayList<>();

    private final RunSettings settings = RunSettings.defaults()
            .withParallelism(2)
            .withWarnings(warnings::add)
            .withBadRecords((topology, operator, record) -> bad.add(record));

    /** An order. */
    record Order(int id, double amount) {}

    /** Without what is told only where a broker takes seconds to answer, as any does on a machine that is busy enough. */
    private List<String> told() {
        return warnings.stream()
                .filter(line -> !TestBroker.isOfABusyMachine(line))
                .toList();
    }

    private KafkaSource<String> text(String topic) {
        return Kafka.read(broker.address(), topic, Decoder.text());
    }

    private <T> List<T> run(Source<T> source) throws InterruptedException {
        CollectSink<T> sink = CollectSink.of(source.type());
        start(source, sink, settings).await();
        return sink.records();
    }

    private static <T> Job start(Source<T> source, CollectSink<T> sink, RunSettings with) {
        Topology topology = Topology.named("kafka");
        topology.from(source).name("messages").to(sink);
        return new EmbeddedRunner(with).start(topology.graph());
    }

    private static void await(Job job, BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            assertThat(job.await(Duration.ofMillis(10))).as("the job has ended").isFalse();
        }
    }

    private void awaitCommitted(Job job, String group, String partition, long offset) throws Exception {
        while (broker.committed(group).getOrDefault(partition, -1L) < offset) {
            await(job, () -> true);
        }
    }

    private static void stop(Job job) throws InterruptedException {
        job.cancel();
        assertThat(job.await().state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void shouldGiveAllThatAMessageHas() throws Exception {
        String topic = broker.topic(2);
        ProducerRecord<byte[], byte[]> message = new ProducerRecord<>(
                topic, 1, 1_700_000_000_123L, "key".getBytes(StandardCharsets.UTF_8), new byte[] {'v'});
        message.headers().add(new RecordHeader("trace", new byte[] {'1'})).add(new RecordHeader("none", (byte[]) null));
        broker.send(message);
        broker.send(new ProducerRecord<>(topic, 1, 1_700_000_000_124L, new byte[0], (byte[]) null));

        List<KafkaRecord<byte[], String>> read = run(text(topic).untilLatest().withRecord());

        assertThat(read).hasSize(2);
        KafkaRecord<byte[], String> first = read.get(0);
        assertThat(List.of(first.topic(), first.partition(), first.offset(), first.timestamp()))
                .isEqualTo(List.of(topic, 1, 0L, 1_700_000_000_123L));
        assertThat(first.key()).asString().isEqualTo("key");
        assertThat(first.value()).isEqualTo("v");
        assertThat(first.header("trace").text()).isEqualTo("1");
        assertThat(first.header("none").value()).isNull();
        assertThat(first.header("other")).isNull();
        assertThat(read.get(1).key()).isEmpty();
        assertThat(read.get(1).value()).isNull();
    }

    @Test
    void shouldKeepBytesThatCannotBeDecoded_withTheirPlace() throws Exception {
        String topic = broker.topic(1);
        broker.send(topic, 0, "{\"id\":1,\"amount\":2.5}", "{\"id\":", "{\"id\":2,\"amount\":1}");
        broker.send(new ProducerRecord<>(topic, 0, null, null));

        assertThat(run(Kafka.read(broker.address(), topic, Json.decoder(Order.class))
                        .untilLatest()))
                .containsExactly(new Order(1, 2.5), new Order(2, 1));
        assertThat(bad).extracting(BadRecord::split).containsOnly(topic + "-0");
        assertThat(bad).extracting(BadRecord::offset).containsExactly(1L, 3L);
        assertThat(bad.get(0).bytes()).asString().isEqualTo("{\"id\":");
        assertThat(bad.get(1).reason()).contains("no value");
    }

    /** Gives null for what it wants to leave out, which it may not. */
    record Skipping() implements Decoder<String> {
        private static final long serialVersionUID = 1L;

        @Override
        public Type<String> type() {
            return Type.of(String.class);
        }

        @Override
        @SuppressWarnings("NullAway") // as code of users does that is not checked
        public Decoding<String> open() {
            return (bytes, from, to) ->
                    bytes[from] == '-' ? null : new String(bytes, from, to - from, StandardCharsets.UTF_8);
        }
    }

    /** All messages behind it in its batch were lost, without a word. */
    @Test
    void shouldKeepAMessageWhoseDecoderGivesNull_andReadTheOthers() throws Exception {
        String topic = broker.topic(1);
        broker.send(topic, 0, "a", "-", "b", "c");

        assertThat(run(Kafka.read(broker.address(), topic, new Skipping()).untilLatest()))
                .containsExactly("a", "b", "c");
        assertThat(bad).extracting(BadRecord::offset).containsExactly(1L);
        assertThat(bad.get(0).reason()).isEqualTo("its decoder gives null, which is no record");
        assertThat(bad.get(0).bytes()).asString().isEqualTo("-");
    }

    /** As little as possible: each partition has a batch at most, and none is left behind. */
    @Test
    void shouldReadAllPartitions_ifItMayHardlyReadAhead() throws Exception {
        String topic = broker.topic(20);
        broker.sendNumbers(topic, 20, 0, 2_000);
        KafkaSource<String> source = text(topic).untilLatest().readAhead(1).set("max.poll.records", "7");
        assertThat(run(source))
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, 2_000).mapToObj(String::valueOf).toList());
    }

    /** Somebody deleted one of those that match between two requests, and the job did not start. */
    @Test
    void shouldLeaveOutATopicThatIsDeletedWhileItLooks() throws Exception {
        String topic = broker.topic(1);
        TopicList topics = new TopicList(ClientSettings.of(broker.address()));
        try (Admin admin = topics.admin()) {
            assertThat(topics.describe(admin, List.of("gone", topic), false)).containsOnlyKeys(topic);
            assertThatThrownBy(() -> topics.describe(admin, List.of("gone", topic), true))
                    .hasMessageContaining("there is no topic gone at " + broker.address());
        }
    }

    @Test
    void shouldShowInThePlanHowFarItReadsAhead() {
        assertThat(text("orders").describe())
                .isEqualTo("topic orders of " + broker.address() + " (reads 64 MiB ahead)");
        Topology topology = Topology.named("kafka");
        topology.from(text("orders").readAhead(1_000)).to(CollectSink.of(String.class));
        assertThat(new EmbeddedRunner(settings).explain(topology.graph()))
                .contains("topic orders of " + broker.address() + " (reads 1000 bytes ahead)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> text("orders").readAhead(0))
                .withMessage("a task must be able to read at least 1 byte ahead, not 0");
    }

    @Test
    void shouldReadCompressedMessages() throws Exception {
        for (String codec : List.of("gzip", "snappy", "lz4", "zstd")) {
            String topic = broker.topic(1);
            broker.admin()
                    .incrementalAlterConfigs(Map.of(
                            new org.apache.kafka.common.config.ConfigResource(
                                    org.apache.kafka.common.config.ConfigResource.Type.TOPIC, topic),
                            List.of(new org.apache.kafka.clients.admin.AlterConfigOp(
                                    new org.apache.kafka.clients.admin.ConfigEntry("compression.type", codec),
                                    org.apache.kafka.clients.admin.AlterConfigOp.OpType.SET))))
                    .all()
                    .get();
            broker.sendNumbers(topic, 1, 0, 100);
            assertThat(run(text(topic).untilLatest())).as(codec).isEqualTo(numbers(0, 100));
        }
    }

    private static List<String> numbers(int from, int to) {
        return IntStream.range(from, to).mapToObj(String::valueOf).toList();
    }

    @Test
    void shouldBeginWhereItIsTold() throws Exception {
        String topic = broker.topic(2);
        for (int i = 0; i < 4; i++) {
            broker.send(new ProducerRecord<>(
                    topic, 0, 1_000L * i, null, String.valueOf(i).getBytes(StandardCharsets.UTF_8)));
        }
        broker.send(new ProducerRecord<>(topic, 1, 500L, null, new byte[] {'b'}));

        assertThat(run(text(topic).untilLatest().from(Start.at(Instant.ofEpochMilli(1_500)))))
                .containsExactly("2", "3");
        assertThat(run(text(topic).untilLatest().from(Start.offsets(Map.of(topic + "-0", 3L)))))
                .containsExactlyInAnyOrder("3", "b");
        assertThat(run(text(topic).untilLatest().from(Start.latest()))).isEmpty();
        assertThat(run(text(topic).untilLatest().partitions(Set.of(1)))).containsExactly("b");
    }

    @Test
    void shouldReadWhatComes_andShowTheGroupHowFarItIs(@TempDir Path folder) throws Exception {
        String topic = broker.topic(1);
        String group = "group-of-" + topic;
        broker.send(topic, 0, "old");
        CollectSink<String> sink = CollectSink.of(String.class);
        KafkaSource<String> source = text(topic).group(group);
        Job job = start(
                source.from(Start.latest()),
                sink,
                settings.withGuarantee(
                        Guarantee.EXACTLY_ONCE, CheckpointSettings.in(folder).every(Duration.ofMillis(20))));
        awaitCommitted(job, group, topic + "-0", 1); // so it has begun, and knows where
        broker.send(topic, 0, "new", "newer");
        await(job, () -> sink.records().size() == 2);
        awaitCommitted(job, group, topic + "-0", 3);
        await(
                job,
                () -> job.stats().tasks().stream().anyMatch(task -> task.input().commitMs() > 0));
        List<String> read = sink.records();
        stop(job);

        assertThat(read).containsExactly("new", "newer");
        broker.send(topic, 0, "last");
        assertThat(run(source.from(Start.committed()).untilLatest())).containsExactly("last");
    }

    @Test
    void shouldSayThatNoOffsetsAreCommitted_withoutAGuarantee() throws Exception {
        String topic = broker.topic(1);
        broker.sendNumbers(topic, 1, 0, 10);
        String group = topic + "-readers";

        run(text(topic).untilLatest().group(group));

        assertThat(told())
                .singleElement()
                .asString()
                .endsWith("no offsets are committed to group " + group
                        + ": for that, a job needs --guarantee acked, at-least-once or exactly-once");
        assertThat(broker.committed(group)).isEmpty();
    }

    @Test
    void shouldReadTopicsThatMatch_andPartitionsAndTopicsThatAreCreatedLater() throws Exception {
        String first = broker.topic(1);
        broker.send(first, 0, "a");
        CollectSink<String> sink = CollectSink.of(String.class);
        Job job = start(
                Kafka.readMatching(broker.address(), first + "(-later)?", Decoder.text())
                        .from(Start.latest())
                        .discovery(Duration.ofMillis(20)),
                sink,
                settings);
        broker.grow(first, 3);
        broker.send(first, 1, "b");
        broker.send(first, 2, "c");
        String later = broker.topic(first + "-later", 2);
        broker.send(later, 0, "d");
        broker.send(later, 1, "e");
        await(job, () -> sink.records().containsAll(List.of("b", "c", "d", "e")));
        stop(job);
        assertThat(sink.records()).doesNotHaveDuplicates();
    }

    /** Otherwise it would hold the window back for ever. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldNotWaitForAPartitionThatStaysEmpty_ifItMayBeIdle(int parallelism) throws Exception {
        String topic = broker.topic(2);
        broker.send(topic, 0, "5", "50", "150");
        CollectSink<Long> sink = CollectSink.of(Long.class);
        Topology topology = Topology.named("idle");
        topology.from(text(topic))
                .eventTime(Long::parseLong, Duration.ZERO, Duration.ofMillis(50))
                .window(Windows.tumbling(Duration.ofMillis(100)))
                .aggregate(Aggregates.count())
                .map(window -> window.value())
                .as(Long.class)
                .to(sink);
        Job job = new EmbeddedRunner(settings.withParallelism(parallelism)).start(topology.graph());
        while (sink.records().isEmpty()) {
            broker.send(topic, 0, "150"); // it may be idle itself
            await(job, () -> true);
        }
        stop(job);

        assertThat(sink.records()).containsExactly(2L);
    }

    /** Markers of transactions stand at the end, where no message is that could say that it has come. */
    @Test
    void shouldReadWhatWasCommitted_andEndBehindTransactions() throws Exception {
        String topic = broker.topic(2);
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.address(), "transactional.id", topic),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(topic, 0, null, new byte[] {'a'}))
                    .get();
            producer.commitTransaction();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(topic, 0, null, new byte[] {'x'}))
                    .get();
            producer.send(new ProducerRecord<>(topic, 1, null, new byte[] {'y'}))
                    .get();
            producer.abortTransaction();
        }
        assertThat(run(text(topic).untilLatest())).containsExactly("a");
        assertThat(run(text(topic).untilLatest().set("isolation.level", "read_uncommitted")))
                .containsExactlyInAnyOrder("a", "x", "y");
    }

    /** Stopped on the way, and started with another number of tasks. */
    @Test
    void shouldGoOnFromACheckpoint_withMoreTasksAndFewer(@TempDir Path folder) throws Exception {
        String topic = broker.topic(5);
        broker.sendNumbers(topic, 5, 0, 5_000);
        List<String> all = new ArrayList<>();
        int sent = 5_000;
        for (int parallelism : List.of(1, 4, 2)) {
            CollectSink<String> sink = CollectSink.of(String.class);
            Job job = start(
                    text(topic),
                    sink,
                    settings.withParallelism(parallelism)
                            .withGuarantee(
                                    Guarantee.EXACTLY_ONCE,
                                    CheckpointSettings.in(folder)
                                            .every(Duration.ofMillis(20))
                                            .restoringLatest()));
            int expected = sent;
            await(job, () -> sink.records().size() >= expected);
            all = sink.records();
            stop(job);
            broker.sendNumbers(topic, 5, sent, sent + 1_000);
            sent += 1_000;
        }
        assertThat(all).containsExactlyInAnyOrderElementsOf(numbers(0, 7_000));
    }

    /** They are read from their beginning, wherever the job began to read the others. */
    @Test
    void shouldReadPartitionsThatWereAddedWhileItWasAway(@TempDir Path folder) throws Exception {
        String topic = broker.topic(1);
        broker.send(topic, 0, "old");
        String group = "group-of-" + topic;
        KafkaSource<String> source =
                text(topic).from(Start.latest()).group(group).discovery(Duration.ofDays(1)); // so it must look at once
        RunSettings restoring = settings.withGuarantee(
                Guarantee.EXACTLY_ONCE,
                CheckpointSettings.in(folder).every(Duration.ofMillis(20)).restoringLatest());
        CollectSink<String> first = CollectSink.of(String.class);
        Job job = start(source, first, restoring);
        awaitCommitted(job, group, topic + "-0", 1);
        broker.send(topic, 0, "a");
        await(job, () -> first.records().equals(List.of("a")));
        stop(job);
        broker.grow(topic, 3);
        broker.send(topic, 0, "b");
        broker.send(topic, 1, "c");
        broker.send(topic, 2, "d", "e");

        CollectSink<String> second = CollectSink.of(String.class);
        Job restored = start(source, second, restoring);
        await(restored, () -> second.records().size() >= 5);
        List<String> read = second.records();
        stop(restored);

        assertThat(read).containsExactlyInAnyOrder("a", "b", "c", "d", "e");
    }

    @Test
    void shouldGoOnAfterTheBrokerWasRestarted() throws Exception {
        try (TestBroker own = TestBroker.start()) {
            String topic = own.topic(2);
            own.sendNumbers(topic, 2, 0, 1_000);
            CollectSink<String> sink = CollectSink.of(String.class);
            KafkaSource<String> source = Kafka.read(own.address(), topic, Decoder.text())
                    .connectTimeout(Duration.ofMinutes(10))
                    .discovery(Duration.ZERO); // which would say that it cannot look, if the broker is away for long
            Job job = start(source, sink, settings);
            await(job, () -> sink.records().size() == 1_000);
            own.process().kill();
            await(job, () -> job.stats().connections().stream().anyMatch(ConnectionStats::isLost));
            own.process().restart();
            own.sendNumbers(topic, 2, 1_000, 2_000);
            await(job, () -> sink.records().size() >= 2_000);
            await(job, () -> job.stats().connections().stream().noneMatch(ConnectionStats::isLost));
            String name = "operator 'messages': Kafka at " + own.address();
            // On a busy machine it may be silent for so long again.
            List<String> lines = List.copyOf(warnings);
            for (int i = 0; i < lines.size(); i++) {
                if (i % 2 == 0) {
                    assertThat(lines.get(i))
                            .isEqualTo(name + " is not available (no answer for 5 s); the job waits for it");
                } else {
                    assertThat(lines.get(i)).startsWith(name + " is available again; it was lost ");
                }
            }
            assertThat(lines).hasSizeGreaterThanOrEqualTo(2);
            assertThat(lines.get(1)).startsWith(name + " is available again; it was lost once, for ");
            stop(job);
            assertThat(sink.records()).containsExactlyInAnyOrderElementsOf(numbers(0, 2_000));
        }
    }

    @Test
    void shouldSayThatNoBrokerAnswers() throws Exception {
        String address = "127.0.0.1:" + FreePort.find();
        assertThatThrownBy(() -> run(Kafka.read(address, "orders", Decoder.text())
                        .connectTimeout(Duration.ofMillis(1_500))
                        .set("sasl.jaas.config", "no secret shall be told")))
                .hasMessageContaining("cannot read topic orders at " + address)
                .hasMessageContaining("connection refused, for 2 s")
                .hasMessageNotContaining("secret");
    }

    @Test
    void shouldSayThatATopicIsMissing_withTheNearestName() throws Exception {
        String topic = broker.topic("payments", 1);
        assertThatThrownBy(() -> run(text("paymets")))
                .hasMessageContaining("there is no topic paymets at " + broker.address() + "; did you mean payments?");
        assertThatThrownBy(() -> run(text("no topic")))
                .hasMessageContaining("'no topic' cannot be the name of a topic");
        assertThatThrownBy(() -> run(text(topic).partitions(Set.of(0, 7))))
                .hasMessageContaining(
                        "topic payments at " + broker.address() + " has 1 partition, from 0 on, and no partition 7");
        assertThatThrownBy(() -> run(Kafka.readMatching(broker.address(), "nothing.*like", Decoder.text())))
                .hasMessageContaining("no topic at " + broker.address() + " matches nothing.*like; there are ");
    }

    @Test
    void shouldSayThatItsOffsetIsGone_orGoOnIfToldSo() throws Exception {
        String topic = broker.topic(1);
        broker.sendNumbers(topic, 1, 0, 10);
        broker.deleteBefore(topic, 0, 6);
        KafkaSource<String> source = text(topic).untilLatest().from(Start.offsets(Map.of(topic + "-0", 2L)));

        assertThatThrownBy(() -> run(source))
                .hasMessageContaining("topic " + topic + ", partition 0 at " + broker.address()
                        + " has offsets from 6 to before 10, but the source is at 2");
        assertThat(run(source.onOutOfRange(OutOfRange.EARLIEST))).isEqualTo(numbers(6, 10));
        assertThat(warnings).anyMatch(line -> line.endsWith("; it continues at 6"));
    }

    /** As with offsets of a group that are left from a topic of the same name: it read nothing, and said nothing. */
    @Test
    void shouldSayThatItsPartitionEndsBeforeItBegins_orGoOnIfToldSo() throws Exception {
        String topic = broker.topic(1);
        broker.sendNumbers(topic, 1, 0, 4);
        KafkaSource<String> source = text(topic).untilLatest();
        KafkaSource<String> beyond = source.from(Start.offsets(Map.of(topic + "-0", 9L)));

        assertThat(run(source.from(Start.offsets(Map.of(topic + "-0", 4L))))).isEmpty();
        assertThat(told()).isEmpty();
        assertThatThrownBy(() -> run(beyond))
                .hasMessageContaining("topic " + topic + ", partition 0 at " + broker.address()
                        + " has offsets from 0 to before 4, but the source is at 9; the topic never had that offset");
        assertThat(run(beyond.onOutOfRange(OutOfRange.EARLIEST))).isEqualTo(numbers(0, 4));
        assertThat(told()).singleElement().asString().endsWith("; it continues at 0");
        assertThat(run(beyond.onOutOfRange(OutOfRange.LATEST))).isEmpty();
        assertThat(told()).hasSize(2).last().asString().endsWith("; nothing else of the partition is read");
    }

    @Test
    void shouldRefuseOffsetsOfPartitionsThatItDoesNotRead() throws Exception {
        String topic = broker.topic("of-orders", 2);
        for (String other : List.of(topic + "-2", "of-order-0")) {
            assertThatThrownBy(() -> run(text(topic).untilLatest().from(Start.offsets(Map.of(other, 1L)))))
                    .hasMessageContaining("Start.offsets(…) names " + other + ", which is no partition of topic "
                            + topic + " of " + broker.address() + "; did you mean of-orders-");
        }
    }

    @Test
    void shouldBeginAtAnyTime() throws Exception {
        String topic = broker.topic(1);
        broker.sendNumbers(topic, 1, 0, 3);
        KafkaSource<String> source = text(topic).untilLatest();

        for (Instant early : List.of(Instant.MIN, Instant.ofEpochSecond(-5), Instant.EPOCH)) {
            assertThat(run(source.from(Start.at(early)))).isEqualTo(numbers(0, 3));
        }
        assertThat(run(source.from(Start.at(Instant.MAX)))).isEmpty();
    }

    /** The end is before the transaction, also for what was written behind it. */
    @Test
    void shouldSayThatATransactionHoldsUpTheEnd() throws Exception {
        String topic = broker.topic(3);
        broker.sendNumbers(topic, 3, 0, 6);
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        broker.address(),
                        "transactional.id",
                        topic,
                        "transaction.timeout.ms",
                        "600000"),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(topic, 1, null, new byte[] {'x'}))
                    .get();
            broker.send(topic, 1, "behind");

            assertThat(run(text(topic).untilLatest())).containsExactlyInAnyOrderElementsOf(numbers(0, 6));

            assertThat(told())
                    .singleElement()
                    .asString()
                    .endsWith("the offsets from 2 to before 4 of partition 1 of topic " + topic + " at "
                            + broker.address() + " are not read, since a transaction is open there");
            assertThat(run(text(topic).untilLatest().set("isolation.level", "read_uncommitted")))
                    .hasSize(8);
            assertThat(told()).hasSize(1);
        }
    }

    @Test
    void shouldRefuseSettingsThatAreItsOwn_andTellNoSecrets() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> text("orders").set("group.id", "g"))
                .withMessageContaining("group(…)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> text("orders").set(Map.of("group.id", "${env:GROUP}")))
                .withMessageContaining("group(…)");
        assertThatThrownBy(() -> run(text("orders")
                        .set("security.protocol", "SASL_PLAINTEXT")
                        .set("sasl.mechanism", "PLAIN")
                        .set("sasl.jaas.config", "hunter2")))
                .hasMessageContaining("JAAS config")
                .hasMessageNotContaining("hunter2");
        assertThatThrownBy(() -> run(text("orders")
                        .set("security.protocol", "SASL_PLAINTEXT")
                        .set("sasl.mechanism", "PLAIN")
                        .set(
                                "sasl.jaas.config",
                                "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"u\""
                                        + " password=\"a\"hunter2\";")))
                .as("part of a password")
                .hasMessageContaining("not specified for key '(hidden)' in JAAS config")
                .hasMessageNotContaining("hunter2");
    }

    @Test
    void shouldRefuseACheckpointOfAnotherTopic() {
        assertThatThrownBy(() -> text("orders").checkSplits(List.of("returns-0")))
                .hasMessageContaining("it reads topic orders of " + broker.address()
                        + ", but the checkpoint was reading returns-0, too");
    }
}
