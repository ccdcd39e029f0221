// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.broker.TrialBroker;
import io.thalweg.cli.kafka.CommandLine.Outcome;
import io.thalweg.doctor.Diagnosis;
import io.thalweg.doctor.Doctor;
import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.observation.GroupLook;
import io.thalweg.doctor.observation.Observation;
import io.thalweg.kafka.KafkaCluster;
import io.thalweg.testkit.FreePort;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Consumer groups on a real broker; only the time between two looks is the test's. */
@Timeout(1_800)
@Tag("integration")
final class GroupObserverTest {
    private static final AtomicInteger NAMES = new AtomicInteger();

    @TempDir
    private static Path data;

    private static TrialBroker broker;
    private static Admin admin;

    @TempDir
    private Path folder;

    private final AtomicLong nowNs = new AtomicLong(TimeUnit.DAYS.toNanos(3));
    private String topic = "";
    private String group = "";

    @BeforeAll
    static void start() throws Exception {
        broker = TrialBroker.start(data, CommandLine.STEADY);
        admin = KafkaCluster.at(broker.address())
                .connectTimeout(Duration.ofMinutes(10))
                .admin();
    }

    @AfterAll
    static void stop() throws Exception {
        admin.close();
        broker.kill();
    }

    @BeforeEach
    void name() {
        int number = NAMES.incrementAndGet();
        topic = "orders-" + number;
        group = "billing-" + number;
    }

    private void create(int partitions) throws Exception {
        admin.createTopics(List.of(new NewTopic(topic, Optional.of(partitions), Optional.empty())))
                .all()
                .get();
    }

    private void write(int partition, int records) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.address()), new ByteArraySerializer(), new ByteArraySerializer())) {
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            for (int i = 0; i < records; i++) {
                sent.add(producer.send(new ProducerRecord<>(topic, partition, null, new byte[10])));
            }
            for (Future<RecordMetadata> each : sent) {
                each.get();
            }
        }
    }

    private Consumer<byte[], byte[]> member() {
        Consumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        broker.address(),
                        "group.id",
                        group,
                        "client.id",
                        "reader",
                        "enable.auto.commit",
                        "false"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        consumer.subscribe(List.of(topic));
        return consumer;
    }

    private static void poll(Consumer<byte[], byte[]> consumer) {
        consumer.poll(Duration.ofMillis(50));
    }

    private void commit(Consumer<byte[], byte[]> consumer, int partition, long offset) {
        consumer.commitSync(Map.of(new TopicPartition(topic, partition), new OffsetAndMetadata(offset)));
    }

    private GroupObserver observer(String of) {
        return new GroupObserver(admin, broker.address(), of, nowNs::get);
    }

    private void second() {
        nowNs.addAndGet(TimeUnit.SECONDS.toNanos(1));
    }

    private static List<String> rules(GroupObserver observer) {
        return Doctor.diagnose(Observation.of(observer.group())).findings().stream()
                .map(Finding::rule)
                .toList();
    }

    private static void untilAssigned(Consumer<byte[], byte[]> consumer) {
        while (consumer.assignment().isEmpty()) {
            poll(consumer);
        }
    }

    @Test
    void shouldMeasureHowFastAGroupFallsBehind() throws Exception {
        create(2);
        write(0, 50);
        try (Consumer<byte[], byte[]> reader = member()) {
            untilAssigned(reader);
            commit(reader, 0, 10);
            GroupObserver observer = observer(group);
            observer.look();
            for (int second = 1; second <= 10; second++) {
                write(0, 60);
                write(1, 40);
                commit(reader, 0, 10 + 25 * second);
                second();
                observer.look();
            }

            Diagnosis diagnosis = Doctor.diagnose(Observation.of(observer.group()));

            List<GroupLook> looks = observer.group().looks();
            assertThat(looks.get(0)).isEqualTo(new GroupLook(0, "Stable", 1, 40, 0, 0));
            assertThat(looks.get(10).atNs()).isEqualTo(TimeUnit.SECONDS.toNanos(10));
            assertThat(looks.get(10).produced()).isEqualTo(1_000);
            assertThat(looks.get(10).consumed()).isEqualTo(250);
            assertThat(looks.get(10).lag()).isEqualTo(50 + 600 - 260);
            assertThat(observer.group().partitions())
                    .hasSize(2)
                    .allSatisfy(partition -> assertThat(partition.member()).startsWith("reader"));
            assertThat(diagnosis.findings().get(0).rule()).isEqualTo("growing-lag");
            assertThat(diagnosis.findings().get(0).remedy()).contains("up to 2 can read, and 1 does");
            assertThat(diagnosis.bound().text()).contains("lag grows by 35 records a second");
        }
    }

    @Test
    void shouldSeeMembersThatReadNothingAndGroupsThatAreEmpty() throws Exception {
        create(1);
        write(0, 500);
        GroupObserver observer = observer(group);
        try (Consumer<byte[], byte[]> one = member();
                Consumer<byte[], byte[]> other = member()) {
            untilAssigned(one);
            while (!haveOneBetweenThem(one, other) || !isStableWith(2)) {
                poll(one);
                poll(other);
            }
            commit(one.assignment().isEmpty() ? other : one, 0, 500);
            observer.look();

            assertThat(rules(observer)).containsExactly("idle-members");
        }
        write(0, 10);
        GroupObserver later = observer(group);
        later.look();
        second();
        later.look();

        assertThat(rules(later)).containsExactly("no-members");
        assertThat(later.group().state()).isEqualTo("Empty");
        observer.look();
        assertThat(observer.group().changes()).isEqualTo(1);
    }

    private static boolean haveOneBetweenThem(Consumer<?, ?> one, Consumer<?, ?> other) {
        return one.assignment().size() + other.assignment().size() == 1;
    }

    private boolean isStableWith(int members) throws Exception {
        var described = admin.describeConsumerGroups(List.of(group))
                .all()
                .get()
                .values()
                .iterator()
                .next();
        return described.members().size() == members
                && described.groupState().toString().equals("Stable");
    }

    @Test
    void shouldNotTakeAFirstCommitForThatManyRecords() throws Exception {
        create(2);
        write(1, 500);
        moveTo(0, 0);
        GroupObserver observer = observer(group);
        observer.look();
        moveTo(1, 490); // as by a reader that begins at the end
        second();
        observer.look();
        moveTo(1, 500);
        second();
        observer.look();

        assertThat(observer.group().looks()).extracting(GroupLook::consumed).containsExactly(0L, 0L, 10L);
    }

    private void moveTo(int partition, long offset) throws Exception {
        admin.alterConsumerGroupOffsets(
                        group, Map.of(new TopicPartition(topic, partition), new OffsetAndMetadata(offset)))
                .all()
                .get();
    }

    @Test
    void shouldSeeRecordsThatAreGone() throws Exception {
        create(1);
        write(0, 100);
        admin.alterConsumerGroupOffsets(group, Map.of(new TopicPartition(topic, 0), new OffsetAndMetadata(20)))
                .all()
                .get();
        admin.deleteRecords(Map.of(new TopicPartition(topic, 0), RecordsToDelete.beforeOffset(50)))
                .all()
                .get();
        GroupObserver observer = observer(group);
        observer.look();

        assertThat(rules(observer)).contains("lost-records", "no-members");
        assertThat(observer.group().looks().get(0).lag()).isEqualTo(50);
    }

    @Test
    void shouldSuggestTheNearestGroup() throws Exception {
        create(1);
        admin.alterConsumerGroupOffsets(group, Map.of(new TopicPartition(topic, 0), new OffsetAndMetadata(0)))
                .all()
                .get();

        assertThatThrownBy(observer(group.replace("billing", "biling"))::look)
                .isInstanceOf(ConnectorException.class)
                .hasMessageContaining("there is no consumer group biling-")
                .hasMessageContaining("did you mean billing-");
        assertThatThrownBy(observer("")::look)
                .isInstanceOf(ConnectorException.class)
                .hasMessageContaining("there")
                .hasMessageContaining(group);
    }

    @Test
    void shouldDiagnoseAGroupFromTheCommandLine() throws Exception {
        create(1);
        write(0, 30);
        admin.alterConsumerGroupOffsets(group, Map.of(new TopicPartition(topic, 0), new OffsetAndMetadata(5)))
                .all()
                .get();
        CommandLine doctor = new CommandLine(folder).of("doctor");
        Path settings = Files.writeString(folder.resolve("client.properties"), "client.id=watcher\n");

        Outcome run = doctor.run(
                "kafka=" + broker.address() + "/" + group,
                "--for",
                "1s",
                "--set",
                "kafka.settings=" + settings,
                "--set",
                "kafka.request.timeout.ms=30000",
                "--json",
                "found.json");

        assertThat(run.code()).as(run.error()).isZero();
        assertThat(run.out())
                .startsWith("Doctor: " + group + "\n")
                .contains("1. no-members: nobody reads", "lag 25 records");
        Outcome again = doctor.run("found.json");
        assertThat(again.out()).isEqualTo(run.out());
        assertThat(doctor.run("found.json", "--what-if", "threads=2").error())
                .contains("is a consumer group")
                .hasLineCount(1);
    }

    @Test
    void shouldRefuseInOneLine() throws Exception {
        int closed = FreePort.find();
        refuses(
                1,
                "127.0.0.1:" + closed + ": no answer within 2 s",
                "kafka=127.0.0.1:" + closed + "/g",
                "--set",
                "kafka.default.api.timeout.ms=2000");
        refuses(1, "there is no consumer group", "kafka=" + broker.address() + "/none-such-at-all");
        refuses(2, "a consumer group is kafka=HOST:PORT/GROUP", "kafka=/g");
        refuses(2, "--set takes kafka.NAME=VALUE", "kafka=h:1/g", "--set", "client.id=x");
        refuses(2, "--set kafka.a is given twice", "kafka=h:1/g", "--set", "kafka.a=1", "--set", "kafka.a=2");
        refuses(2, "bootstrap.servers is named behind kafka=", "kafka=h:1/g", "--set", "kafka.bootstrap.servers=x");
        refuses(2, "there is no such file", "kafka=h:1/g", "--set", "kafka.settings=none.properties");
        refuses(2, "--threads is for a job", "kafka=h:1/g", "--threads", "2");
        refuses(2, "--what-if is for a job", "kafka=h:1/g", "--what-if", "a=2");
        refuses(2, "did you mean kafka?", "kafak=h:1/g");
    }

    private void refuses(int code, String message, String... arguments) throws Exception {
        Outcome run = new CommandLine(folder).of("doctor").run(arguments);

        assertThat(run.error())
                .as(String.join(" ", arguments))
                .contains(message)
                .hasLineCount(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.code()).isEqualTo(code);
    }
}
