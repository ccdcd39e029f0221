// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Secret;
import io.thalweg.api.topology.Topology;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.kafka.Kafka;
import io.thalweg.kafka.TestBroker;
import io.thalweg.run.RunSettings;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The code that the guide shows. */
@Timeout(900)
final class WireGuideTest {
    @TempDir
    private Path folder;

    // region record
    /** An order, as far as the job needs it. */
    record Order(long id, String shop, @Nullable String note) {}
    // endregion

    private static void define(
            Topology topology, String servers, String orders, String noted, String url, String token) {
        // region registry
        Schemas schemas = Schemas.registry(url).header("X-Api-Key", Secret.file(token));
        topology.from(Kafka.read(servers, orders, WireAvro.decoder(Order.class, schemas))
                        .untilLatest())
                .filter(order -> order.note() != null)
                .to(Kafka.write(
                        servers, noted, WireAvro.encoder(Order.class, schemas).subject("noted-value")));
        // endregion
    }

    private static void define(Topology topology, String servers, String orders, String noted, String file) {
        // region files
        Schemas schemas = Schemas.files(Map.of(7, file));
        topology.from(Kafka.read(servers, orders, WireProtobuf.decoder(Order.class, schemas))
                        .untilLatest())
                .filter(order -> order.note() != null)
                .to(Kafka.write(
                        servers,
                        noted,
                        WireProtobuf.encoder(Order.class, schemas).id(7)));
        // endregion
    }

    @Test
    void shouldReadAndWriteWithARegistry() throws Exception {
        TestBroker broker = TestBroker.shared();
        String orders = broker.topic(1);
        String noted = broker.topic(1);
        try (TestRegistry registry = new TestRegistry()) {
            Schemas schemas = Schemas.registry(registry.url());
            var writing = WireAvro.encoder(Order.class, schemas)
                    .subject("noted-value")
                    .register()
                    .open();
            broker.send(new ProducerRecord<>(orders, writing.encode(new Order(1, "n", null))));
            broker.send(new ProducerRecord<>(orders, writing.encode(new Order(2, "n", "x"))));
            Topology topology = Topology.named("orders");
            define(topology, broker.address(), orders, noted, registry.url(), Messages.file(folder, "token", "t"));
            new EmbeddedRunner(RunSettings.defaults()).start(topology.graph()).await();

            assertThat(broker.read(noted)).hasSize(1);
            assertThat(Messages.decode(
                            WireAvro.decoder(Order.class, schemas),
                            broker.read(noted).get(0).value()))
                    .isEqualTo(new Order(2, "n", "x"));
        }
    }

    @Test
    void shouldReadAndWriteWithFiles() throws Exception {
        TestBroker broker = TestBroker.shared();
        String orders = broker.topic(1);
        String noted = broker.topic(1);
        String file = Messages.file(
                folder,
                "order.proto",
                "syntax = \"proto3\"; message Order { int64 id = 1; string shop = 2; optional string note = 3; }");
        byte[] order = {0, 0, 0, 0, 7, 0, 8, 2, 18, 1, 'n', 26, 1, 'x'};
        broker.send(new ProducerRecord<>(orders, order));
        broker.send(new ProducerRecord<>(orders, new byte[] {0, 0, 0, 0, 7, 0, 8, 3}));
        Topology topology = Topology.named("orders");
        define(topology, broker.address(), orders, noted, file);
        new EmbeddedRunner(RunSettings.defaults()).start(topology.graph()).await();

        assertThat(broker.read(noted)).hasSize(1);
        assertThat(broker.read(noted).get(0).value()).isEqualTo(order);
    }
}
