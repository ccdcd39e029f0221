// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

final class ClientSettingsTest {
    @Test
    void shouldHideWhatKafkaDeclaresAsAPassword_butForCertificates() {
        List<String> passwords =
                List.of(ConsumerConfig.configDef(), ProducerConfig.configDef(), AdminClientConfig.configDef()).stream()
                        .flatMap(all -> all.configKeys().values().stream())
                        .filter(each -> each.type == ConfigDef.Type.PASSWORD && !each.name.contains("certificate"))
                        .map(each -> each.name)
                        .distinct()
                        .toList();

        assertThat(passwords).contains("ssl.keystore.key", "sasl.jaas.config").allMatch(ClientSettings::isSecret);
    }

    @Test
    void shouldSayHowLongItWaited_alsoIfThatWasLessThanASecond() {
        ClientSettings settings = ClientSettings.of("127.0.0.1:0"); // nobody listens there
        Map.of(250, "250 ms", 1_000, "1 s", 15_000, "15 s").forEach((ms, waited) -> {
            ClientSettings patient = settings.connectTimeout(Duration.ofMillis(ms));
            assertThat(new Failures(patient).of("read topic a", new TimeoutException()))
                    .hasMessageContaining("no answer within " + waited + ";");
        });
    }
}
