// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.WindowResult;
import io.thalweg.api.window.Windows;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.files.Json;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.CollectSink;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The code that the guide shows. */
@Timeout(900)
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

    /** What is written. */
    record Total(String shop, long minute, long cents) {}

    private static void define(Topology topology, String servers, String totals, List<Total> all) {
        Stream<Total> stream = topology.from(Sources.of(Type.of(Total.class), all));
        // region write
        stream.to(Kafka.write(servers, totals, Json.<Total>encoder())
                .key(Total::shop)
                .timestamp(Total::minute)
                .headers(total -> List.of(KafkaHeader.of("unit", "cents")))
                .set("compression.type", "lz4"));
        // endregion
    }

    @Test
    void shouldWriteTotals() throws Exception {
        TestBroker broker = TestBroker.shared();
        String totals = broker.topic(1);
        Topology topology = Topology.named("totals");
        define(topology, broker.address(), totals, List.of(new Total("s", 60_000, 45)));
        new EmbeddedRunner(RunSettings.defaults()).start(topology.graph()).await();

        assertThat(broker.values(totals)).containsExactly("{\"shop\":\"s\",\"minute\":60000,\"cents\":45}");
        assertThat(broker.read(totals).get(0).timestamp()).isEqualTo(60_000);
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
