// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.junit.jupiter.api.Test;

/** What a consumer that waits has heard of its brokers. */
final class LostBrokerTest {
    private record Counted(MetricName metricName, Object metricValue) implements Metric {}

    private static Map<MetricName, Metric> inOrder(List<Counted> metrics) {
        Map<MetricName, Metric> all = new LinkedHashMap<>();
        metrics.forEach(each -> all.put(each.metricName(), each));
        return all;
    }

    private static Counted bytes(String group, Map<String, String> tags, double value) {
        return new Counted(new MetricName("incoming-byte-total", group, "", tags), value);
    }

    /** One broker that has nothing to say was taken for all of them. */
    @Test
    void shouldHearAllBrokersTogether_whateverTheirOrder() {
        Counted node = bytes("consumer-node-metrics", Map.of("client-id", "c", "node-id", "node-1"), 7);
        Counted all = bytes("consumer-metrics", Map.of("client-id", "c"), 900);

        assertThat(LostBroker.bytesIn(inOrder(List.of(node, all)))).isEqualTo(900);
        assertThat(LostBroker.bytesIn(inOrder(List.of(all, node)))).isEqualTo(900);
        assertThat(LostBroker.bytesIn(inOrder(List.of(node)))).as("unknown").isNaN();
    }
}
