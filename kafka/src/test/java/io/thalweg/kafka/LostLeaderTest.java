// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Encoder;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.topology.Topology;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.Job;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.RunSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Three brokers, of which the leader is killed while a job writes; with {@code -Pcrash} alone. */
@Tag("one-jdk")
@Timeout(3_600)
@EnabledIfSystemProperty(named = "thalweg.kills", matches = "[0-9]+")
final class LostLeaderTest {
    private static final int BROKERS = 3;
    private static final long RECORDS_PER_SECOND = 2_000;
    private static final String TOPIC = "replicated";

    @TempDir
    private Path folder;

    @Test
    void shouldLoseNothingThatWasAcknowledged_ifTheLeaderIsKilled() throws Exception {
        for (Guarantee guarantee : List.of(Guarantee.AT_LEAST_ONCE, Guarantee.EXACTLY_ONCE)) {
            Path into = folder.resolve(guarantee.words());
            try (TestCluster cluster = TestCluster.start(into.resolve("brokers"), BROKERS, Map.of());
                    Admin admin = cluster.admin()) {
                admin.createTopics(List.of(
                                new NewTopic(TOPIC, 1, (short) BROKERS).configs(Map.of("min.insync.replicas", "2"))))
                        .all()
                        .get();
                long read = write(cluster, admin, guarantee, into.resolve("checkpoints"));
                List<Long> found = read(cluster.address());
                assertThat(found.stream().distinct().sorted())
                        .as("%s", guarantee)
                        .containsExactlyElementsOf(
                                LongStream.range(0, read).boxed().toList());
                assertThat(found)
                        .as("no restart, so nothing was sent again by the job")
                        .doesNotHaveDuplicates();
            }
        }
    }

    /** @return how many records the job has read before it was drained: both kills are over by then, however long they took */
    private static long write(TestCluster cluster, Admin admin, Guarantee guarantee, Path checkpoints)
            throws Exception {
        Topology topology = Topology.named("leader");
        topology.from(Sources.generate(Long.MAX_VALUE, i -> i).rate(RECORDS_PER_SECOND))
                .map(String::valueOf)
                .as(String.class)
                .to(Kafka.write(cluster.address(), TOPIC, Encoder.text()).connectTimeout(Duration.ofMinutes(10)))
                .name("replicated");
        Job job = new EmbeddedRunner(RunSettings.defaults()
                        .withParallelism(1)
                        .withGuarantee(
                                guarantee, CheckpointSettings.in(checkpoints).every(Duration.ofMillis(200))))
                .start(topology.graph());
        awaitFirst(admin, job);
        for (int kill = 0; kill < 2; kill++) {
            assertThat(job.await(Duration.ofSeconds(4))).isFalse();
            int leader = leader(admin);
            cluster.kill(leader);
            assertThat(job.await(Duration.ofSeconds(4))).isFalse();
            cluster.start(leader);
            while (inSync(admin) < BROKERS) {
                LockSupport.parkNanos(100_000_000);
            }
        }
        job.drain();
        return job.await().recordsIn();
    }

    /** It has opened, and writes: that is what the leader is lost for. */
    private static void awaitFirst(Admin admin, Job job) throws Exception {
        TopicPartition partition = new TopicPartition(TOPIC, 0);
        long end = 0;
        while (end == 0) {
            assertThat(job.await(Duration.ofMillis(100))).isFalse();
            end = admin.listOffsets(Map.of(partition, OffsetSpec.latest()))
                    .partitionResult(partition)
                    .get()
                    .offset();
        }
    }

    private static int leader(Admin admin) throws Exception {
        Node leader = null;
        while (leader == null || leader.isEmpty()) { // none while one is elected
            leader = partition(admin).leader();
        }
        return leader.id();
    }

    private static TopicPartitionInfo partition(Admin admin) throws Exception {
        return admin.describeTopics(List.of(TOPIC))
                .allTopicNames()
                .get()
                .get(TOPIC)
                .partitions()
                .get(0);
    }

    private static int inSync(Admin admin) throws Exception {
        return partition(admin).isr().size();
    }

    private static List<Long> read(String servers) {
        List<Long> found = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = TestBroker.patientConsumer(servers, "read_committed")) {
            TopicPartition partition = new TopicPartition(TOPIC, 0);
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).get(partition);
            while (consumer.position(partition) < end) {
                consumer.poll(Duration.ofMillis(100))
                        .forEach(message ->
                                found.add(Long.parseLong(new String(message.value(), StandardCharsets.UTF_8))));
            }
        }
        return found;
    }
}
