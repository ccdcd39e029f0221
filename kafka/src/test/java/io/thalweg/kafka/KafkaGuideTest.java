// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sink;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.WindowResult;
import io.thalweg.api.window.Windows;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.files.Json;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.CollectSink;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The code that the guide shows. */
@Timeout(300)
final class KafkaGuideTest {
    /** What is in the topic. */
    record Order(String shop, long cents) {}

    private static void define(
            Topology topology, String servers, String orders, Sink<WindowResult<String, Long>> sink) {
        // region read
        topology.from(Kafka.read(servers, orders, Json.decoder(Order.class))
                        .untilLatest()
                        .withRecord())
                .eventTime(KafkaRecord::timestamp, Duration.ofSeconds(5))
                .map(message -> message.value())
                .keyBy(order -> order.shop())
                .window(Windows.tumbling(Duration.ofMinutes(1)))
                .aggregate(Aggregates.sum(Order::cents))
                .to(sink);
        // endregion
    }

    @Test
    void shouldSumOrders() throws Exception {
        TestBroker broker = TestBroker.shared();
        String orders = broker.topic(2);
        for (int i = 0; i < 10; i++) {
            byte[] value = ("{\"shop\":\"s\",\"cents\":" + i + "}").getBytes(StandardCharsets.UTF_8);
            broker.send(new ProducerRecord<>(orders, i % 2, 60_000L + i, null, value));
        }
        CollectSink<WindowResult<String, Long>> sink =
                CollectSink.of(Type.of(WindowResult.class, Type.of(String.class), Type.of(Long.class)));
        Topology topology = Topology.named("orders");
        define(topology, broker.address(), orders, sink);
        new EmbeddedRunner(RunSettings.defaults()).start(topology.graph()).await();

        assertThat(sink.records()).extracting(WindowResult::value).containsExactly(45L);
        assertThat(sink.records()).extracting(WindowResult::start).containsExactly(60_000L);
    }
}
