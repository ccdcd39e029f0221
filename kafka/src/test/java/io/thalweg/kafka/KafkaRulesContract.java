// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Decoder;
import io.thalweg.api.topology.Topology;
import io.thalweg.run.Runner;
import io.thalweg.testkit.CollectSink;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Topics are read alike on any road that runs within this JVM. */
@Timeout(600)
public abstract class KafkaRulesContract {
    protected static final int PARALLELISM = 2;

    /** With a parallelism of {@link #PARALLELISM}, and no guarantee. */
    protected abstract Runner runner();

    /** The same with a checkpoint every tenth of a second. */
    protected abstract Runner checkpointing();

    private final TestBroker broker = TestBroker.shared();
    private final CollectSink<String> sink = CollectSink.of(String.class);

    private static List<String> numbers(int count) {
        return IntStream.range(0, count).mapToObj(String::valueOf).toList();
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

        assertThat(sink.records()).containsExactlyInAnyOrderElementsOf(numbers(1_000));
    }

    @Test
    void shouldReadATopicToItsEnd_withCheckpoints() throws Exception {
        String topic = broker.topic(3);
        broker.sendNumbers(topic, 3, 0, 50_000);

        checkpointing().start(topology(topic).graph()).await();

        assertThat(sink.records()).containsExactlyInAnyOrderElementsOf(numbers(50_000));
    }
}
