// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.topology.Topology;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.kafka.Kafka;
import io.thalweg.kafka.TestBroker;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.testkit.CollectSink;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On the embedded engine. */
final class EmbeddedWireRulesTest extends WireRulesContract {
    private final RunSettings settings = RunSettings.defaults().withParallelism(PARALLELISM);

    @TempDir
    private Path folder;

    @Override
    protected Runner runner() {
        return new EmbeddedRunner(settings);
    }

    /** With topic, partition, offset and bytes. */
    @Test
    void shouldKeepDeadLetters() throws Exception {
        TestBroker broker = TestBroker.shared();
        String topic = broker.topic(1);
        Schemas schemas = Schemas.files(Map.of(7, Messages.file(folder, "text.avsc", "\"string\"")));
        byte[] bad = {0, 0, 0, 0, 7, 20, 'x'};
        for (byte[] each : List.of(new byte[] {0, 0, 0, 0, 7, 2, 'a'}, bad, new byte[] {0, 0, 0, 0, 7, 2, 'b'})) {
            broker.send(new ProducerRecord<>(topic, each));
        }
        List<BadRecord> kept = new CopyOnWriteArrayList<>();
        CollectSink<String> sink = CollectSink.of(Type.of(String.class));
        Topology topology = Topology.named("letters");
        topology.from(Kafka.read(broker.address(), topic, WireAvro.decoder(String.class, schemas))
                        .untilLatest())
                .to(sink);
        new EmbeddedRunner(settings.withBadRecords((name, operator, record) -> kept.add(record)))
                .start(topology.graph())
                .await();

        assertThat(sink.records()).containsExactly("a", "b");
        assertThat(kept).hasSize(1);
        assertThat(kept.get(0).split()).isEqualTo(topic + "-0");
        assertThat(kept.get(0).offset()).isEqualTo(1);
        assertThat(kept.get(0).bytes()).isEqualTo(bad);
        assertThat(kept.get(0).reason()).isEqualTo("the message ends before its schema says");
    }
}
