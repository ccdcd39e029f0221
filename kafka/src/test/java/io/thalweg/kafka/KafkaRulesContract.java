// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Decoder;
import io.thalweg.api.connector.Encoder;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.stats.SplitLag;
import io.thalweg.api.topology.Topology;
import io.thalweg.run.Runner;
import io.thalweg.run.RunningJob;
import io.thalweg.testkit.CollectSink;
import io.thalweg.testkit.Lines;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Topics are read and written alike on any road that runs within this JVM. */
@Timeout(600)
public abstract class KafkaRulesContract {
    protected static final int PARALLELISM = 2;

    /** So many messages, a millisecond apart, that a consumer does not hold all of them. */
    private static final int FAR = 30_000;

    /** With a parallelism of {@link #PARALLELISM}, and no guarantee. */
    protected abstract Runner runner();

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
