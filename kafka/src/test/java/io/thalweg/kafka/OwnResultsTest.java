// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Decoder;
import io.thalweg.api.connector.Encoder;
import io.thalweg.api.connector.Source;
import io.thalweg.api.topology.Topology;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A job that reads the topic that it writes is a loop: allowed, and said. */
final class OwnResultsTest {
    private static List<String> warnings(Source<String> source) {
        Topology topology = Topology.named("again");
        topology.from(source)
                .name("read")
                .to(Kafka.write("a:9092, b:9092", "orders", Encoder.text()))
                .name("write");
        return topology.graph().warnings();
    }

    private static KafkaSource<String> read(String servers, String topic) {
        return Kafka.read(servers, topic, Decoder.text());
    }

    @Test
    void shouldSayThatAJobReadsItsOwnResults() {
        assertThat(warnings(read("b:9092", "orders")))
                .containsExactly(
                        "topology 'again', operator 'write': it writes to topic orders of a:9092, b:9092, which"
                                + " operator 'read' reads: the job reads its own results, without an end unless it drops them");
        assertThat(warnings(Kafka.readMatching("a:9092", "or.*", Decoder.text())))
                .hasSize(1);
        assertThat(warnings(Kafka.read("a:9092", List.of("others", "orders"), Decoder.text())))
                .hasSize(1);
        assertThat(warnings(read("a:9092", "orders").partitions(Set.of(3)))).hasSize(1);
    }

    @Test
    void shouldSayNothingOfOtherTopics_norIfTheSourceEndsBefore() {
        assertThat(warnings(read("a:9092", "others"))).isEmpty();
        assertThat(warnings(read("c:9092", "orders"))).isEmpty();
        assertThat(warnings(Kafka.readMatching("a:9092", "others.*", Decoder.text())))
                .isEmpty();
        assertThat(warnings(read("a:9092", "orders").untilLatest())).isEmpty();
    }
}
