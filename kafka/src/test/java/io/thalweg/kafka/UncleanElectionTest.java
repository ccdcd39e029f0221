// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Node;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** A replica that has not seen all becomes the leader, and messages that were read are gone; with {@code -Pcrash} alone. */
@Tag("one-jdk")
@Timeout(3_600)
@EnabledIfSystemProperty(named = "thalweg.kills", matches = "[0-9]+")
final class UncleanElectionTest {
    private static final String TOPIC = "unclean";

    @TempDir
    private Path folder;

    /** Of a job with checkpoints. */
    private static final class Context implements SourceContext {
        private long nowNs;

        @Override
        public void bad(BadRecord record) {
            throw new AssertionError(record.describe());
        }

        @Override
        public void warn(String message) {
            throw new AssertionError(message);
        }

        @Override
        public long nowNs() {
            return nowNs += 1_000_000_000;
        }

        @Override
        public boolean checkpoints() {
            return true;
        }
    }

    private byte[] state = {};
    private long position;

    @Test
    void shouldSayThatWhatItHasReadIsGone_whileItRuns_andWhenItIsRestored() throws Exception {
        try (TestCluster cluster = TestCluster.start(folder, 3, Map.of());
                Admin admin = cluster.admin()) {
            admin.createTopics(List.of(new NewTopic(TOPIC, Map.of(0, List.of(1, 2)))
                            .configs(Map.of("unclean.leader.election.enable", "true"))))
                    .all()
                    .get();
            KafkaSource<String> source =
                    Kafka.read(cluster.address(), TOPIC, Decoder.text()).connectTimeout(Duration.ofMinutes(10));
            LiveReader<String> reader = source.open(new Context());
            reader.add(TOPIC + "-0");
            await(admin, 1, 2);
            send(cluster, 0, 5);
            cluster.kill(2);
            await(admin, 1, 1);
            send(cluster, 5, 10);
            assertThat(read(reader, 10)).hasSize(10);
            cluster.kill(1);
            cluster.start(2);
            await(admin, 2, 1);
            send(cluster, 100, 120); // so that the offset is there again, with another message

            String gone =
                    "has offsets from 0 to before 25, but the source is at 10; what it has read from 5 on is not in"
                            + " the topic any more";
            assertThatThrownBy(() -> read(reader, 1))
                    .isInstanceOf(ConnectorException.class)
                    .hasMessageContaining(gone);
            reader.close();

            LiveReader<String> restored = source.open(new Context());
            assertThat(restored.changed(TOPIC + "-0", state)).isNull();
            restored.addAt(TOPIC + "-0", position);
            assertThatThrownBy(() -> read(restored, 1))
                    .isInstanceOf(ConnectorException.class)
                    .hasMessageContaining(gone);
            restored.close();
        }
    }

    private List<String> read(LiveReader<String> reader, int count) throws Exception {
        List<String> read = new ArrayList<>();
        while (read.size() < count) {
            for (RecordBatch<String> batch : reader.fetch(Duration.ofSeconds(1))) {
                for (String value = batch.next(); value != null; value = batch.next()) {
                    read.add(value);
                }
                position = batch.position();
                state = batch.fingerprint();
            }
        }
        return read;
    }

    private static void send(TestCluster cluster, int from, int to) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = cluster.producer()) {
            for (int i = from; i < to; i++) {
                producer.send(new ProducerRecord<>(
                                TOPIC, 0, null, String.valueOf(i).getBytes(StandardCharsets.UTF_8)))
                        .get();
            }
        }
    }

    private static void await(Admin admin, int leader, int inSync) throws Exception {
        boolean there = false;
        while (!there) {
            LockSupport.parkNanos(100_000_000);
            try {
                TopicDescription topic = admin.describeTopics(List.of(TOPIC))
                        .allTopicNames()
                        .get()
                        .get(TOPIC);
                Node now = topic.partitions().get(0).leader();
                there = now != null
                        && now.id() == leader
                        && topic.partitions().get(0).isr().size() == inSync;
            } catch (ExecutionException e) {
                there = false; // no broker answers
            }
        }
    }
}
