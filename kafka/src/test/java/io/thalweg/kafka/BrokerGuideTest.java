// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Decoder;
import io.thalweg.api.connector.Encoder;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.broker.KafkaBroker;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.run.RunSettings;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The code that the guide shows for brokers in tests. */
@Timeout(900)
@Tag("integration")
final class BrokerGuideTest {
    // region broker
    @RegisterExtension
    static KafkaBroker broker = KafkaBroker.single().withTopic("orders", 2).withTopic("large", 1);

    @Test
    void shouldPassLargeOrdersOn() throws Exception {
        broker.topics().send("orders", 0, "17", "4711");

        Topology topology = Topology.named("orders");
        topology.from(Kafka.read(broker.address(), "orders", Decoder.text()).untilLatest())
                .filter(order -> Long.parseLong(order) > 1_000)
                .to(Kafka.write(broker.address(), "large", Encoder.text()));
        new EmbeddedRunner(RunSettings.defaults()).start(topology.graph()).await();

        assertThat(broker.topics().values("large")).containsExactly("4711");
    }
    // endregion

    /** As if it were a secret. */
    private static final String PATH = String.valueOf(System.getenv("PATH"));

    private static KafkaSource<String> secured(String servers) {
        String password = String.valueOf(System.getenv("KAFKA_PASSWORD"));
        // region secured
        KafkaSource<String> orders = Kafka.read(servers, "orders", Decoder.text())
                .set("security.protocol", "SASL_SSL")
                .set("ssl.truststore.location", "/etc/kafka/trusted.p12")
                .set("sasl.mechanism", "SCRAM-SHA-512")
                .set(
                        "sasl.jaas.config",
                        "org.apache.kafka.common.security.scram.ScramLoginModule required"
                                + " username=\"alice\" password=\"" + password + "\";");
        // endregion
        return orders;
    }

    @Test
    void shouldKeepSettingsToItself() {
        assertThat(secured("localhost:9093").name()).isEqualTo("topic orders of localhost:9093");
    }

    private static void copy(Topology topology, Settings settings) {
        String servers = settings.required("brokers");
        // region passed
        Map<String, String> client = settings.startingWith("kafka.");
        topology.from(Kafka.read(servers, "orders", Decoder.text()).set(client))
                .to(Kafka.write(servers, "copies", Encoder.text()).set(client));
        // endregion
    }

    @Test
    void shouldPassTheSettingsOfAUserOn_andShowNoSecrets() {
        Topology topology = Topology.named("copy");
        Map<String, String> set =
                Map.of("brokers", "a:1", "kafka.linger.ms", "7", "kafka.sasl.jaas.config", "${env:PATH}");
        copy(topology, new Settings(set, Path.of("")));

        assertThat(new EmbeddedRunner(RunSettings.defaults()).explain(topology.graph()))
                .contains("linger.ms=7")
                .doesNotContain("jaas");
        ClientSettings client =
                ClientSettings.of("a:1").with(Map.of("sasl.jaas.config", "${env:PATH}", "acks", "1"), Map.of());
        assertThat(client.over(Map.of())).containsAllEntriesOf(Map.of("sasl.jaas.config", PATH, "acks", "1"));
        assertThat(client.withoutSecrets("no " + PATH)).isEqualTo("no (hidden)");
        assertThat(client.shownOver(Map.of())).containsOnlyKeys("acks");
    }
}
