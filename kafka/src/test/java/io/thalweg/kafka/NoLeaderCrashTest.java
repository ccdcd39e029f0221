// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Decoder;
import io.thalweg.api.connector.LiveReader;
import io.thalweg.api.connector.RecordBatch;
import io.thalweg.api.connector.SourceContext;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Node;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A broker that alone has a partition is killed. */
@Tag("crash")
@Timeout(3_600)
final class NoLeaderCrashTest {
    private static final String TOPIC = "halved";
    private static final Duration PATIENCE = Duration.ofHours(1);

    @TempDir
    private Path folder;

    private static final class Context implements SourceContext {
        private long nowNs;
        private final List<String> warnings = new ArrayList<>();

        @Override
        public void bad(BadRecord record) {
            throw new AssertionError(record.describe());
        }

        @Override
        public void warn(String message) {
            warnings.add(message);
        }

        @Override
        public long nowNs() {
            return nowNs += 1_000_000_000;
        }
    }

    @Test
    void shouldReadTheOtherPartitions_andSayWhichHasNoLeader() throws Exception {
        try (TestCluster cluster = TestCluster.start(folder, 3, Map.of());
                Admin admin = cluster.admin()) {
            admin.createTopics(List.of(new NewTopic(TOPIC, Map.of(0, List.of(1), 1, List.of(3)))))
                    .all()
                    .get();
            send(cluster, 0, "first");
            send(cluster, 1, "other");
            KafkaSource<String> source =
                    Kafka.read(cluster.address(), TOPIC, Decoder.text()).connectTimeout(PATIENCE);
            Context reading = new Context();
            LiveReader<String> reader = source.open(reading);
            reader.add(TOPIC + "-0");
            reader.add(TOPIC + "-1");
            assertThat(read(reader, 2)).containsExactlyInAnyOrder("first", "other");
            Context begun = new Context();
            LiveReader<String> finds = source.open(begun);
            finds.add(TOPIC + "-0");
            assertThat(read(finds, 1)).containsExactly("first");

            cluster.kill(3);
            Node leader = leader(admin);
            while (leader != null && !leader.isEmpty()) {
                LockSupport.parkNanos(100_000_000);
                leader = leader(admin);
            }
            finds.addFound(TOPIC + "-1");
            String none = "topic " + TOPIC + ", partition 1 at " + cluster.address() + " has no leader";
            while (reading.warnings.isEmpty() || begun.warnings.isEmpty()) {
                reader.fetch(Duration.ofMillis(10));
                finds.fetch(Duration.ofMillis(10));
            }
            send(cluster, 0, "second");
            assertThat(read(reader, 1)).containsExactly("second");
            assertThat(read(finds, 1)).containsExactly("second");
            String late = failureOf(source.connectTimeout(Duration.ofSeconds(6)));
            while (late.contains("no answer within")) { // in time to say which partition it is, on a busy machine
                late = failureOf(source.connectTimeout(Duration.ofSeconds(6)));
            }
            assertThat(late).startsWith(none + ", so that nobody says where it begins or ends");

            cluster.start(3);
            assertThat(read(finds, 1)).containsExactly("other");
            send(cluster, 1, "again");
            assertThat(read(reader, 1)).containsExactly("again");
            assertThat(List.of(reading.warnings, begun.warnings))
                    .allSatisfy(
                            each -> assertThat(each).singleElement().asString().startsWith(none));
            reader.close();
            finds.close();
        }
    }

    /** Of a source that is to begin with both partitions. */
    private static String failureOf(KafkaSource<String> source) throws Exception {
        LiveReader<String> reader = source.open(new Context());
        reader.add(TOPIC + "-0");
        reader.add(TOPIC + "-1");
        try {
            reader.fetch(Duration.ofMillis(10));
            throw new AssertionError("it has begun");
        } catch (ConnectorException e) {
            return e.getMessage();
        } finally {
            reader.close();
        }
    }

    private static Node leader(Admin admin) throws Exception {
        return admin.describeTopics(List.of(TOPIC))
                .allTopicNames()
                .get()
                .get(TOPIC)
                .partitions()
                .get(1)
                .leader();
    }

    private static List<String> read(LiveReader<String> reader, int count) throws Exception {
        List<String> read = new ArrayList<>();
        while (read.size() < count) {
            for (RecordBatch<String> batch : reader.fetch(Duration.ofMillis(100))) {
                for (String value = batch.next(); value != null; value = batch.next()) {
                    read.add(value);
                }
            }
        }
        return read;
    }

    private static void send(TestCluster cluster, int partition, String value) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = cluster.producer()) {
            producer.send(new ProducerRecord<>(TOPIC, partition, null, value.getBytes(StandardCharsets.UTF_8)))
                    .get();
        }
    }
}
