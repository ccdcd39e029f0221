// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Decoder;
import io.thalweg.api.connector.Encoder;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.stats.ConnectionStats;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.topology.Topology;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.Job;
import io.thalweg.files.Json;
import io.thalweg.run.AckSettings;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.FreePort;
import io.thalweg.testkit.LiveTestSource;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** What a sink of topics writes, and what it says if it cannot. */
@Timeout(900)
@Execution(ExecutionMode.CONCURRENT)
@Tag("integration")
final class KafkaSinkTest {
    /** Of the shared broker. All jobs here have the same name, and so the same transactional ids, of which Kafka fences all but one. */
    private static final String TRANSACTIONS = "transactions";

    private final TestBroker broker = TestBroker.shared();
    private final List<BadRecord> bad = new CopyOnWriteArrayList<>();

    private final RunSettings settings =
            RunSettings.defaults().withParallelism(2).withBadRecords((topology, operator, record) -> bad.add(record));

    @TempDir
    private Path folder;

    /** An order. */
    record Order(String shop, long cents, long time) {}

    private static final long NOW = 1_700_000_000_000L;

    /** A task may still open when its broker is killed, and the broker needs minutes to come back where many others compute. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private RunSettings guaranteed(Guarantee guarantee) {
        return settings.withGuarantee(
                guarantee,
                CheckpointSettings.in(folder).every(Duration.ofMillis(50)).restoringLatest());
    }

    private static <T> Topology topology(List<T> records, Class<T> type, KafkaSink<T> sink) {
        Topology topology = Topology.named("writing");
        topology.from(Sources.of(Type.of(type), records))
                .name("records")
                .to(sink)
                .name("topic");
        return topology;
    }

    private static <T> void run(List<T> records, Class<T> type, KafkaSink<T> sink, RunSettings with)
            throws InterruptedException {
        assertThat(new EmbeddedRunner(with)
                        .start(topology(records, type, sink).graph())
                        .await()
                        .state())
                .isEqualTo(JobState.FINISHED);
    }

    private KafkaSink<String> text(String topic) {
        return Kafka.write(broker.address(), topic, Encoder.text());
    }

    /** Until the broker says so, which hears of it some time after its controller has promised it. */
    private void configure(String topic, String name, String value) throws Exception {
        ConfigResource of = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        AlterConfigOp set = new AlterConfigOp(new ConfigEntry(name, value), AlterConfigOp.OpType.SET);
        broker.admin().incrementalAlterConfigs(Map.of(of, List.of(set))).all().get();
        String said = "";
        while (!said.equals(value)) {
            said = broker.admin()
                    .describeConfigs(List.of(of))
                    .all()
                    .get()
                    .get(of)
                    .get(name)
                    .value();
        }
    }

    private static List<String> numbers(int count) {
        return IntStream.range(0, count).mapToObj(String::valueOf).toList();
    }

    @Test
    void shouldWriteAllPartsOfAMessage() throws Exception {
        String topic = broker.topic(3);
        KafkaSink<Order> sink = Kafka.write(broker.address(), topic, Json.<Order>encoder())
                .key(Order::shop)
                .partition(order -> order.cents() == 1 ? 2 : null)
                .headers(
                        order -> List.of(KafkaHeader.of("cents", "" + order.cents()), new KafkaHeader("nothing", null)))
                .timestamp(Order::time)
                .tombstoneIf(order -> order.cents() == 2);

        run(
                List.of(new Order("a", 1, NOW), new Order("b", 2, NOW + 1), new Order("c", 3, NOW + 2)),
                Order.class,
                sink,
                settings);

        List<ConsumerRecord<byte[], byte[]>> read = new ArrayList<>(broker.read(topic));
        read.sort((one, other) -> Long.compare(one.timestamp(), other.timestamp()));
        assertThat(read)
                .extracting(message -> new String(message.key(), StandardCharsets.UTF_8))
                .containsExactly("a", "b", "c");
        assertThat(read).extracting(ConsumerRecord::timestamp).containsExactly(NOW, NOW + 1, NOW + 2);
        assertThat(read.get(0).partition()).isEqualTo(2);
        assertThat(read.get(0).value()).asString().isEqualTo("{\"shop\":\"a\",\"cents\":1,\"time\":" + NOW + "}");
        assertThat(read.get(1).value()).isNull();
        assertThat(read.get(0).headers().lastHeader("cents").value()).asString().isEqualTo("1");
        assertThat(read.get(0).headers().lastHeader("nothing").value()).isNull();
        assertThat(bad).isEmpty();
    }

    @Test
    void shouldWriteTextAndBytes_inEachCompression() throws Exception {
        for (String codec : List.of("none", "gzip", "snappy", "lz4", "zstd")) {
            String topic = broker.topic(1);
            run(List.of("a", "", "ä𝄞"), String.class, text(topic).set("compression.type", codec), settings);
            assertThat(broker.values(topic)).as(codec).containsExactlyInAnyOrder("a", "", "ä𝄞");
        }
        String topic = broker.topic(1);
        byte[] bytes = {0, -1, 'x'};
        run(List.of(bytes), byte[].class, Kafka.write(broker.address(), topic, Encoder.bytes()), settings);
        assertThat(broker.read(topic).get(0).value()).isEqualTo(bytes);
        assertThat(broker.read(topic).get(0).key()).isNull();
    }

    /** Kafka would refuse each of these, and its transaction with it. */
    @Test
    @ResourceLock(TRANSACTIONS)
    void shouldKeepWhatKafkaWouldRefuse_asBadRecords() throws Exception {
        for (Guarantee guarantee : List.of(Guarantee.AT_LEAST_ONCE, Guarantee.EXACTLY_ONCE)) {
            bad.clear();
            String topic = broker.topic(2);
            configure(topic, "max.message.bytes", "1000");
            String large = "x".repeat(2_000);
            String nearly = "y".repeat(900);
            long future = System.currentTimeMillis() + Duration.ofDays(30).toMillis();
            configure(topic, "cleanup.policy", "compact");
            KafkaSink<String> sink = text(topic)
                    .key(value -> value.equals("no key") ? null : value.substring(0, 1))
                    .partition(value -> value.equals("partition") ? Integer.valueOf(7) : null)
                    .timestamp(
                            value -> value.equals("future") ? Long.valueOf(future) : value.equals("past") ? -1L : null);

            List<String> good = new ArrayList<>(numbers(20));
            good.add(nearly);
            List<String> all = new ArrayList<>(good);
            all.addAll(3, List.of(large, "no key", "partition", "future", "past", "half \ud800"));

            run(
                    all,
                    String.class,
                    sink,
                    settings.withGuarantee(guarantee, CheckpointSettings.in(folder.resolve(guarantee.words()))));

            assertThat(broker.values(topic)).containsExactlyInAnyOrderElementsOf(good);
            assertThat(bad)
                    .extracting(BadRecord::reason)
                    .anyMatch(reason -> reason.contains("too large for topic " + topic)
                            && reason.contains("1000 the topic's max.message.bytes"))
                    .anyMatch(reason -> reason.contains("it has no key, but topic " + topic + " is compacted"))
                    .anyMatch(reason -> reason.contains("its partition is 7, but topic " + topic + " has 2"))
                    .anyMatch(reason -> reason.contains("does not take its timestamp"))
                    .anyMatch(reason -> reason.contains("before 1970"))
                    .anyMatch(reason -> reason.contains("surrogate"))
                    .hasSize(6);
        }
    }

    /** Its records were bad for five minutes, as long as the producer keeps what it knows of the topic. */
    @Test
    void shouldWriteToAPartitionThatTheTopicHasGotSince() throws Exception {
        String topic = broker.topic(2);
        KafkaSink<String> sink = text(topic).partition(Integer::valueOf);
        SinkContext context = new SinkContext(
                "job", "sink", 0, 1, System.out, null, Guarantee.AT_LEAST_ONCE, SinkContext.NO_CHECKPOINTS, "run");
        SinkWriter<String> writer = sink.open(context);
        try {
            writer.write("1");
            broker.grow(topic, 4);
            while (broker.admin()
                            .describeTopics(List.of(topic))
                            .allTopicNames()
                            .get()
                            .get(topic)
                            .partitions()
                            .size()
                    < 4) {
                Thread.onSpinWait(); // the broker hears of it from its controller
            }
            writer.write("3");
            assertThatThrownBy(() -> writer.write("4"))
                    .isInstanceOf(BadRecordException.class)
                    .hasMessage("its partition is 4, but topic " + topic + " has 4");
            writer.finish();
        } finally {
            writer.close();
        }
        assertThat(broker.read(topic)).extracting(ConsumerRecord::partition).containsExactlyInAnyOrder(1, 3);
    }

    /** One byte more is one too many; Kafka itself is the judge of what is not. */
    @Test
    @ResourceLock(TRANSACTIONS)
    void shouldTakeTheLargestMessageThatKafkaTakes() throws Exception {
        String topic = broker.topic(1);
        configure(topic, "max.message.bytes", "1000");
        List<String> all = IntStream.range(860, 960).mapToObj("x"::repeat).toList();
        KafkaSink<String> sink = text(topic).headers(value -> List.of(KafkaHeader.of("ä", "b")));
        run(all, String.class, sink, guaranteed(Guarantee.EXACTLY_ONCE));
        List<String> taken = broker.values(topic);
        int largest = taken.stream().mapToInt(String::length).max().orElse(0);
        assertThat(taken).containsExactlyInAnyOrderElementsOf(all.subList(0, largest - 859));
        assertThat(bad).hasSize(959 - largest);
        byte[] larger = "x".repeat(largest + 1).getBytes(StandardCharsets.UTF_8);
        ProducerRecord<byte[], byte[]> message = new ProducerRecord<>(topic, larger);
        message.headers().add(new RecordHeader("ä", new byte[] {'b'}));
        assertThatThrownBy(() -> broker.send(message)).hasCauseInstanceOf(RecordTooLargeException.class);
    }

    @Test
    @SuppressWarnings("NullAway")
    void shouldRefuseHeadersThatAreNull() throws Exception {
        SinkSettings sink = SinkSettings.of(ClientSettings.of(broker.address()), broker.topic(1));
        MessageParts<String> parts = MessageParts.of(Encoder.text());
        MessageMaker<String> none = MessageMaker.open(sink, parts.withHeaders(text -> null), warning -> {});
        MessageMaker<String> missing =
                MessageMaker.open(sink, parts.withHeaders(text -> Arrays.asList((KafkaHeader) null)), warning -> {});

        assertThatThrownBy(() -> none.message("a"))
                .isInstanceOf(BadRecordException.class)
                .hasMessage("headers(…) gives null; an empty list means none");
        assertThatThrownBy(() -> missing.message("a"))
                .isInstanceOf(BadRecordException.class)
                .hasMessage("headers(…) gives a header that is null");
        assertThatThrownBy(() -> KafkaHeader.of("trace", null))
                .isInstanceOf(BadRecordException.class)
                .hasMessage("the text of header 'trace' is null");
    }

    /** It counted as a message without a key, which goes to any partition. */
    @Test
    @SuppressWarnings("NullAway")
    void shouldRefuseAKeyOfWhichItsEncoderGivesNull() throws Exception {
        SinkSettings sink = SinkSettings.of(ClientSettings.of(broker.address()), broker.topic(1));
        Encoder<String> broken = () -> text -> null;
        MessageMaker<String> maker = MessageMaker.open(
                sink,
                MessageParts.of(Encoder.text()).withKey(new MessageParts.Key<>(text -> text, broken)),
                warning -> {});

        assertThatThrownBy(() -> maker.message("a"))
                .isInstanceOf(BadRecordException.class)
                .hasMessage("the encoder of its key gives null");
    }

    @Test
    void shouldRefuseHalfASurrogatePairInAHeader() throws Exception {
        SinkSettings sink = SinkSettings.of(ClientSettings.of(broker.address()), broker.topic(1));
        MessageParts<String> parts = MessageParts.of(Encoder.text());
        for (String[] header : new String[][] {
            {"\ud83d", "a", "the name of a header"}, {"name", "a\ude42", "the text of header 'name'"}
        }) {
            MessageMaker<String> maker = MessageMaker.open(
                    sink, parts.withHeaders(text -> List.of(KafkaHeader.of(header[0], header[1]))), warning -> {});
            assertThatThrownBy(() -> maker.message("a"))
                    .isInstanceOf(BadRecordException.class)
                    .hasMessage(header[2] + " contains half a surrogate pair, which UTF-8 cannot encode");
        }
        assertThat(KafkaHeader.of("name", "ä🙂").text()).isEqualTo("ä🙂");
        assertThatThrownBy(() -> new KafkaHeader("name", new byte[] {'a', -1}).text())
                .isInstanceOf(BadRecordException.class)
                .hasMessage("the value of header 'name' is not valid UTF-8");
    }

    @Test
    void shouldRefuseANullValue_unlessATombstoneIsAskedFor() throws Exception {
        String topic = broker.topic(1);
        KafkaSink<String> sink = Kafka.write(broker.address(), topic, new Nothing());
        run(List.of("nothing", "b"), String.class, sink, settings);
        assertThat(broker.values(topic)).containsExactly("b");
        assertThat(bad).extracting(BadRecord::reason).singleElement().asString().contains("tombstoneIf");
        run(List.of("nothing"), String.class, sink.tombstoneIf(value -> true), settings);
        assertThat(broker.read(topic)).hasSize(2);
    }

    /** Breaks the contract of encoders. */
    private record Nothing() implements Encoder<String> {
        private static final long serialVersionUID = 1L;

        @Override
        @SuppressWarnings("NullAway")
        public Encoding<String> open() {
            return value -> value.equals("nothing") ? null : value.getBytes(StandardCharsets.UTF_8);
        }
    }

    @Test
    @ResourceLock(TRANSACTIONS)
    void shouldWriteEachRecord_withEachGuarantee() throws Exception {
        for (Guarantee guarantee : Guarantee.values()) {
            String topic = broker.topic(3);
            RunSettings with = switch (guarantee) {
                case NONE -> settings;
                case ACKED -> // each is written alone, and none is to be sent again
                    settings.withAcks(AckSettings.defaults().withTimeout(Duration.ofHours(1)), null);
                default -> settings.withGuarantee(guarantee, CheckpointSettings.in(folder.resolve(guarantee.words())));
            };
            run(numbers(500), String.class, text(topic), with);
            assertThat(broker.values(topic)).as("%s", guarantee).containsExactlyInAnyOrderElementsOf(numbers(500));
        }
    }

    /** It would be asked for messages that it does not keep. */
    @Test
    @ResourceLock(TRANSACTIONS)
    void shouldNotReplayFromACompactedTopic() throws Exception {
        String topic = broker.topic(1);
        configure(topic, "cleanup.policy", "compact");
        KafkaSink<String> sink = text(topic).key(n -> n).replayFromTopic();
        assertThatThrownBy(() -> run(numbers(1), String.class, sink, guaranteed(Guarantee.EXACTLY_ONCE)))
                .hasMessageContaining("cannot replay from topic " + topic + ": it is compacted");
        run(numbers(1), String.class, sink, settings);
        assertThat(broker.values(topic)).containsExactly("0");
    }

    /** In a job with checkpoints that writes without transactions. */
    @Test
    @ResourceLock(TRANSACTIONS)
    void shouldWriteWithoutTransactions_ifToldSo() throws Exception {
        String topic = broker.topic(1);
        run(numbers(10), String.class, text(topic).atLeastOnce(), guaranteed(Guarantee.EXACTLY_ONCE));
        assertThat(broker.end(topic, 0)).as("no markers of transactions").isEqualTo(10);
    }

    @Test
    void shouldShowItsSettingsInThePlan_andNoSecrets() {
        KafkaSink<String> sink = Kafka.write("broker:9092", "totals", Encoder.text())
                .set("sasl.jaas.config", "hunter2")
                .set("linger.ms", "20");
        String plan = new EmbeddedRunner(settings)
                .explain(topology(List.of("a"), String.class, sink).graph());
        assertThat(plan)
                .contains(
                        "topic totals of broker:9092 (acks=all, compression.type=none, batch.size=131072, linger.ms=20,"
                                + " transaction.timeout.ms=300000)")
                .doesNotContain("hunter2");
    }

    @Test
    @ResourceLock(TRANSACTIONS)
    void shouldRefuseSettingsThatBreakThePromise() throws Exception {
        String topic = broker.topic(1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> text(topic).set("transactional.id", "t"))
                .withMessageContaining("transactionalIdPrefix(…)");
        assertThatThrownBy(() -> run(
                        numbers(1), String.class, text(topic).set("acks", "0"), guaranteed(Guarantee.AT_LEAST_ONCE)))
                .hasMessageContaining("cannot write topic " + topic + " with the guarantee at-least-once and acks=0");
        assertThatThrownBy(() -> run(
                        numbers(1),
                        String.class,
                        text(topic).set("enable.idempotence", "false"),
                        guaranteed(Guarantee.EXACTLY_ONCE)))
                .hasMessageContaining("with the guarantee exactly-once and enable.idempotence=false");
        assertThatThrownBy(() -> run(numbers(1), String.class, text(topic).set("batch.size", "many"), settings))
                .hasMessageContaining("settings are not valid")
                .hasMessageContaining("batch.size");
        run(numbers(1), String.class, text(topic).set("acks", "0"), settings);
        assertThat(broker.values(topic)).containsExactly("0");
    }

    @Test
    void shouldSayThatNoBrokerAnswers_andThatATopicIsMissing() throws Exception {
        String address = "127.0.0.1:" + FreePort.find();
        assertThatThrownBy(() -> run(
                        numbers(1),
                        String.class,
                        Kafka.write(address, "orders", Encoder.text()).connectTimeout(Duration.ofMillis(1_500)),
                        settings))
                .hasMessageContaining("cannot write topic orders at " + address)
                .hasMessageContaining("connection refused, for 2 s");
        broker.topic("invoices", 1);
        assertThatThrownBy(() -> run(numbers(1), String.class, text("invoces"), settings))
                .hasMessageContaining("there is no topic invoces at " + broker.address() + "; did you mean invoices?");
    }

    /** It waits for as long as it may. */
    @Test
    void shouldSayThatTheClusterDoesNotTakeMessages() throws Exception {
        try (TestBroker own = TestBroker.start()) {
            String from = own.topic(1);
            String to = own.topic(1);
            KafkaSink<String> sink = Kafka.write(own.address(), to, Encoder.text())
                    .connectTimeout(PATIENCE)
                    .set("delivery.timeout.ms", "20000")
                    .set("request.timeout.ms", "10000")
                    .set("max.block.ms", "20000");
            Job job = new EmbeddedRunner(guaranteed(Guarantee.AT_LEAST_ONCE))
                    .start(copy(own, from, sink).graph());
            own.sendNumbers(from, 1, 0, 10);
            await(job, own, to, 10);
            own.process().kill();
            own.process().restart();
            own.delete(to);
            own.sendNumbers(from, 1, 10, 20);
            assertThatThrownBy(job::await)
                    .hasMessageContaining("cannot write topic " + to + " at " + own.address())
                    .hasMessageContaining("delivery.timeout.ms");
        }
    }

    private static Topology copy(TestBroker own, String from, KafkaSink<String> sink) {
        Topology topology = Topology.named("copying");
        topology.from(Kafka.read(own.address(), from, Decoder.text()).connectTimeout(PATIENCE))
                .name("numbers")
                .to(sink)
                .name("topic");
        return topology;
    }

    private static final List<Guarantee> KEPT = List.of(Guarantee.AT_LEAST_ONCE, Guarantee.EXACTLY_ONCE);

    /** With checkpoints, every 50 ms, in a folder for each. */
    private RunSettings kept(Guarantee guarantee) {
        return settings.withGuarantee(
                guarantee,
                CheckpointSettings.in(folder.resolve(guarantee.words())).every(Duration.ofMillis(50)));
    }

    /** A job that a broker is killed under, and the topic that it writes. */
    private record Writing(Job job, String from, String to) {}

    /** It waits, and goes on. */
    @Test
    void shouldGoOnAfterTheBrokerWasRestarted() throws Exception {
        try (TestBroker own = TestBroker.start()) {
            List<Writing> all = new ArrayList<>();
            for (Guarantee guarantee : KEPT) {
                String from = own.topic(2);
                String to = own.topic(2);
                Topology topology = copy(
                        own,
                        from,
                        Kafka.write(own.address(), to, Encoder.text()).connectTimeout(PATIENCE));
                Job job = new EmbeddedRunner(kept(guarantee)).start(topology.graph());
                all.add(new Writing(job, from, to));
            }
            for (Writing each : all) {
                own.sendNumbers(each.from(), 2, 0, 1_000);
                await(each.job(), own, each.to(), 1_000);
            }
            own.process().kill();
            for (Writing each : all) {
                assertThat(each.job().await(Duration.ofMillis(500))).isFalse();
            }
            own.process().restart();
            for (Writing each : all) {
                own.sendNumbers(each.from(), 2, 1_000, 2_000);
                await(each.job(), own, each.to(), 2_000);
                each.job().cancel();
                assertThat(each.job().await().state()).isEqualTo(JobState.CANCELLED);
                assertThat(own.values(each.to())).containsExactlyInAnyOrderElementsOf(numbers(2_000));
            }
        }
    }

    /** What waits for a broker, and what it says. */
    private record Waiting(LiveTestSource<String> source, String to, List<String> said, Job job) {}

    private Waiting waiting(TestBroker own, Guarantee guarantee) throws Exception {
        String to = own.topic(1);
        List<String> said = new CopyOnWriteArrayList<>();
        LiveTestSource<String> source = LiveTestSource.of(String.class).add("s", "a");
        Topology topology = Topology.named("waiting");
        topology.from(source)
                .to(Kafka.write(own.address(), to, Encoder.text()).connectTimeout(PATIENCE))
                .name("topic");
        Job job = new EmbeddedRunner(kept(guarantee).withWarnings(said::add)).start(topology.graph());
        return new Waiting(source, to, said, job);
    }

    /** Its task waits in Kafka's client meanwhile. */
    @Test
    void shouldSayThatItWaitsForTheCluster() throws Exception {
        try (TestBroker own = TestBroker.start()) {
            List<Waiting> all = new ArrayList<>();
            for (Guarantee guarantee : KEPT) {
                all.add(waiting(own, guarantee));
            }
            for (Waiting each : all) {
                await(each.job(), own, each.to(), 1);
            }
            own.process().kill();
            for (Waiting each : all) {
                each.source().add("s", "b");
            }
            for (Waiting each : all) {
                awaitConnection(each.job(), ConnectionStats::isLost);
            }
            own.process().restart();
            for (Waiting each : all) {
                awaitConnection(each.job(), connection -> !connection.isLost());
                each.source().end();
                JobStats end = each.job().await();
                ConnectionStats last = end.connections().get(0);
                long ofAllTasks = end.tasks().stream()
                        .flatMap(task -> task.connections().stream())
                        .mapToLong(ConnectionStats::timesLost)
                        .sum();
                assertThat(own.values(each.to())).containsExactly("a", "b");
                assertThat(List.of(last.operator(), last.system()))
                        .isEqualTo(List.of("topic", "Kafka at " + own.address()));
                assertThat(each.said().stream()
                                .filter(line -> line.contains("Kafka at " + own.address() + " is not available")))
                        .as(
                                "once, but on a busy machine the broker may be silent for seconds besides, for one task alone")
                        .isNotEmpty()
                        .hasSizeBetween((int) last.timesLost(), (int) ofAllTasks);
            }
        }
    }

    /** The client takes it for a leader that moves, and waits for ten minutes. */
    @Test
    void shouldSayThatItsTopicWasDeleted() throws Exception {
        Waiting writing = waiting(broker, Guarantee.AT_LEAST_ONCE);
        await(writing.job(), broker, writing.to(), 1);
        broker.delete(writing.to());
        writing.source().add("s", "b");
        awaitConnection(writing.job(), ConnectionStats::isLost);
        broker.topic(writing.to(), 1);
        awaitConnection(writing.job(), connection -> !connection.isLost());
        writing.source().end();
        assertThat(writing.job().await().state()).isEqualTo(JobState.FINISHED);
        assertThat(broker.values(writing.to())).containsExactly("b");
        String begin = "operator 'topic': topic " + writing.to() + " at " + broker.address();
        assertThat(writing.said())
                .contains(begin
                        + " is not available (it was deleted; delivery.timeout.ms and max.block.ms limit the wait);"
                        + " the job waits for it");
    }

    private static void awaitConnection(Job job, Predicate<ConnectionStats> condition) throws InterruptedException {
        while (job.stats().connections().stream().noneMatch(condition)) {
            assertThat(job.await(Duration.ofMillis(20))).isFalse();
        }
    }

    private static void await(Job job, TestBroker broker, String topic, int messages) throws Exception {
        int found = 0;
        try (TestBroker.Following following = broker.follow(topic)) {
            while (found < messages) {
                assertThat(job.await(Duration.ofMillis(10)))
                        .as("the job has ended")
                        .isFalse();
                found += following.poll().size();
            }
        }
    }

    @Test
    void shouldSayWhatItIsNotAuthorisedTo() throws Exception {
        Map<String, String> strict = Map.of(
                "authorizer.class.name",
                "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
                "allow.everyone.if.no.acl.found",
                "true",
                "super.users",
                "User:nobody");
        try (TestCluster cluster = TestCluster.start(folder.resolve("brokers"), 1, strict);
                Admin admin = cluster.admin()) {
            admin.createTopics(List.of(new NewTopic("out", 1, (short) 1))).all().get();
            denySettings(admin);
            List<String> told = new CopyOnWriteArrayList<>();
            run(
                    numbers(3),
                    String.class,
                    Kafka.write(cluster.address(), "out", Encoder.text()).connectTimeout(PATIENCE),
                    settings.withParallelism(2).withWarnings(told::add));
            assertThat(told)
                    .filteredOn(line -> !TestBroker.isOfABusyMachine(line))
                    .singleElement()
                    .asString()
                    .startsWith("operator 'topic': cannot read the settings of topic out at " + cluster.address()
                            + ": not authorised: ")
                    .contains("; so a message that the topic does not take")
                    .endsWith("; allow DescribeConfigs on it");
            deny(admin, new ResourcePattern(ResourceType.TRANSACTIONAL_ID, "writing.topic-0-0-0", PatternType.LITERAL));
            assertThatThrownBy(() -> denied(cluster, Guarantee.EXACTLY_ONCE))
                    .hasMessageContaining("not authorised")
                    .hasMessageContaining("ransactional");
            deny(admin, new ResourcePattern(ResourceType.TOPIC, "out", PatternType.LITERAL));
            assertThatThrownBy(() -> denied(cluster, Guarantee.AT_LEAST_ONCE))
                    .hasMessageContaining("cannot write topic out")
                    .hasMessageContaining("not authorised");
        }
    }

    /** They counted as none, so that what the topic refuses failed the job later. */
    @Test
    void shouldNotBeginWithoutTheSettingsOfATopic() throws Exception {
        TopicList topics = new TopicList(ClientSettings.of(broker.address()));
        List<String> told = new ArrayList<>();
        try (Admin admin = topics.admin()) {
            assertThatThrownBy(() -> topics.configuration(admin, "gone", told::add))
                    .isInstanceOf(ConnectorException.class)
                    .hasMessageStartingWith("cannot read the settings of topic gone at " + broker.address() + ": ");
        }
        assertThat(told).isEmpty();
    }

    private static void denySettings(Admin admin) throws Exception {
        ResourcePattern topic = new ResourcePattern(ResourceType.TOPIC, "out", PatternType.LITERAL);
        await(
                admin,
                List.of(
                        binding(topic, AclOperation.DESCRIBE_CONFIGS, AclPermissionType.DENY),
                        binding(topic, AclOperation.DESCRIBE, AclPermissionType.ALLOW),
                        binding(topic, AclOperation.WRITE, AclPermissionType.ALLOW)));
    }

    private static AclBinding binding(ResourcePattern what, AclOperation operation, AclPermissionType permission) {
        return new AclBinding(what, new AccessControlEntry("User:ANONYMOUS", "*", operation, permission));
    }

    private static void deny(Admin admin, ResourcePattern what) throws Exception {
        await(
                admin,
                List.of(
                        binding(what, AclOperation.WRITE, AclPermissionType.DENY),
                        binding(what, AclOperation.DESCRIBE, AclPermissionType.ALLOW)));
    }

    /** Until the broker does, which hears of it some time after its controller has promised it. */
    private static void await(Admin admin, List<AclBinding> all) throws Exception {
        admin.createAcls(all).all().get();
        while (!admin.describeAcls(AclBindingFilter.ANY).values().get().containsAll(all)) {
            Thread.onSpinWait();
        }
    }

    private void denied(TestCluster cluster, Guarantee guarantee) throws InterruptedException {
        run(
                numbers(3),
                String.class,
                Kafka.write(cluster.address(), "out", Encoder.text()),
                guaranteed(guarantee).withParallelism(1));
    }

    @Test
    void shouldEncodeKeysOfAnyKind() throws Exception {
        String topic = broker.topic(1);
        run(
                List.of("ab"),
                String.class,
                text(topic).key(value -> new byte[] {(byte) value.length(), 0}, Encoder.bytes()),
                settings);
        assertThat(Arrays.toString(broker.read(topic).get(0).key())).isEqualTo("[2, 0]");
    }
}
