// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.Decoder;
import io.thalweg.api.connector.Encoder;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.topology.Topology;
import io.thalweg.kafka.Kafka;
import io.thalweg.kafka.TestBroker;
import io.thalweg.run.Runner;
import io.thalweg.run.RunningJob;
import io.thalweg.testkit.CollectSink;
import io.thalweg.testkit.FreePort;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Messages of Avro and Protobuf are read and written alike on any road that runs within this JVM. */
@Timeout(600)
public abstract class WireRulesContract {
    protected static final int PARALLELISM = 2;
    private static final int ORDERS = 200;

    private static final String ORDER = "{\"type\":\"record\",\"name\":\"Order\",\"fields\":["
            + "{\"name\":\"id\",\"type\":\"long\"},{\"name\":\"shop\",\"type\":\"string\"}]}";
    private static final String PROTO = "syntax = \"proto3\"; message Order { int64 id = 1; string shop = 2; }";

    /** With a parallelism of {@link #PARALLELISM}, and no guarantee. */
    protected abstract Runner runner();

    /** An order. */
    public record Order(long id, String shop) {}

    private final TestBroker broker = TestBroker.shared();

    @TempDir
    private Path files;

    private static byte[] order(long id) {
        Schema schema = new Schema.Parser().parse(ORDER);
        return Messages.avro(
                schema,
                new GenericRecordBuilder(schema)
                        .set("id", id)
                        .set("shop", "s" + id)
                        .build());
    }

    private String filled(List<byte[]> messages) throws Exception {
        String topic = broker.topic(2);
        for (int i = 0; i < messages.size(); i++) {
            broker.send(new ProducerRecord<>(topic, i % 2, null, messages.get(i)));
        }
        return topic;
    }

    private JobStats copy(String from, Decoder<Order> decoder, String to, Encoder<Order> encoder) throws Exception {
        Topology topology = Topology.named("wire");
        topology.from(Kafka.read(broker.address(), from, decoder).untilLatest())
                .name("orders")
                .shuffle()
                .filter(order -> order.id() % 2 == 0)
                .to(Kafka.write(broker.address(), to, encoder).key(Order::shop).transactionalIdPrefix(to));
        RunningJob job = runner().start(topology.graph());
        job.await();
        return job.stats();
    }

    private List<Order> read(String topic, Decoder<Order> decoder) throws Exception {
        List<Order> orders = new ArrayList<>();
        for (var message : broker.read(topic)) {
            orders.add(Messages.decode(decoder, message.value()));
        }
        orders.sort((one, other) -> Long.compare(one.id, other.id));
        return orders;
    }

    private static List<Order> evenOrders() {
        List<Order> orders = new ArrayList<>();
        for (int i = 0; i < ORDERS; i += 2) {
            orders.add(new Order(i, "s" + i));
        }
        return orders;
    }

    /** Their schemas are in files, which only the process that builds the job can read. */
    @Test
    void shouldCopyATopicOfAvro() throws Exception {
        Schemas schemas = Schemas.files(Map.of(7, Messages.file(files, "order.avsc", ORDER)));
        List<byte[]> messages = new ArrayList<>();
        for (int i = 0; i < ORDERS; i++) {
            messages.add(Messages.framed(7, order(i)));
        }
        messages.add(Messages.framed(8, order(1)));
        messages.add(new byte[] {0, 0});
        messages.add(new byte[] {'x'});
        messages.add(Messages.framed(7, new byte[] {2, 20, 'x'}));
        String to = broker.topic(1);

        JobStats stats = copy(
                filled(messages),
                WireAvro.decoder(Order.class, schemas),
                to,
                WireAvro.encoder(Order.class, schemas).id(7));

        assertThat(read(to, WireAvro.decoder(Order.class, schemas))).isEqualTo(evenOrders());
        assertThat(stats.recordsBad()).isEqualTo(4);
    }

    @Test
    void shouldCopyFromAvroToProtobufWithARegistry() throws Exception {
        try (TestRegistry registry = new TestRegistry()) {
            Schemas schemas = Schemas.registry(registry.url());
            int id = registry.add("orders-value", "AVRO", ORDER, "[]");
            registry.answerFirst(503, ""); // which is asked again
            List<byte[]> messages = new ArrayList<>();
            for (int i = 0; i < ORDERS; i++) {
                messages.add(Messages.framed(id, order(i)));
            }
            String to = broker.topic(1);
            Encoder<Order> encoder = WireProtobuf.encoder(Order.class, schemas)
                    .subject(to + "-value")
                    .schema(Messages.file(files, "order.proto", PROTO))
                    .register();

            JobStats stats = copy(filled(messages), WireAvro.decoder(Order.class, schemas), to, encoder);

            assertThat(read(to, WireProtobuf.decoder(Order.class, schemas))).isEqualTo(evenOrders());
            assertThat(stats.recordsBad()).isZero();
            assertThat(registry.size()).isEqualTo(2);
        }
    }

    @Test
    void shouldFailIfTheRegistryIsDown() throws Exception {
        String nobody = "http://127.0.0.1:" + FreePort.find();
        CollectSink<Map<String, Object>> sink = CollectSink.of(ValueCodec.MAPS);
        Topology topology = Topology.named("down");
        topology.from(Kafka.read(
                                broker.address(),
                                filled(Collections.nCopies(4, Messages.framed(7, order(1)))),
                                WireAvro.maps(Schemas.registry(nobody).patience(Duration.ofMillis(300))))
                        .untilLatest())
                .name("orders")
                .to(sink);
        RunningJob job = runner().start(topology.graph());

        assertThatThrownBy(job::await)
                .hasStackTraceContaining("schema registry " + nobody)
                .hasStackTraceContaining("cannot be asked, tried");
        assertThat(job.stats().recordsBad()).isZero();
        assertThat(sink.records()).isEmpty();
    }
}
