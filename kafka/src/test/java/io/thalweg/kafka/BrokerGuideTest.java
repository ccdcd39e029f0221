// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Decoder;
import io.thalweg.api.connector.Encoder;
import io.thalweg.api.topology.Topology;
import io.thalweg.broker.KafkaBroker;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.run.RunSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The code that the guide shows for brokers in tests. */
@Timeout(900)
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
}
