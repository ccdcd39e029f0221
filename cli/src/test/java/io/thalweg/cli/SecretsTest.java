// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SecretsTest {
    private static final String PEM = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----";

    /** All that Kafka's clients 4.3 declare as passwords, but for certificates, which go by their values. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "sasl.jaas.config",
                "sasl.oauthbearer.assertion.private.key.passphrase",
                "sasl.oauthbearer.client.credentials.client.secret",
                "ssl.key.password",
                "ssl.keystore.key",
                "ssl.keystore.password",
                "ssl.truststore.password",
            })
    void shouldKnowThePasswordsOfKafka(String name) {
        assertThat(Secrets.without("kafka." + name, "abc")).isEqualTo(Secrets.NOT_KEPT);
    }

    @ParameterizedTest
    @CsvSource({
        "db.pass, x",
        "dbPass, x",
        "account-key, x",
        "url, Endpoint=sb://h/;SharedAccessKeyName=a;SharedAccessKey=b",
        "url, DefaultEndpointsProtocol=https;AccountKey=b",
    })
    void shouldKnowWhatOthersCallTheirs(String name, String value) {
        assertThat(Secrets.without(name, value)).isEqualTo(Secrets.NOT_KEPT);
    }

    @Test
    void shouldKnowKeysAndCertificatesByTheirValues() {
        assertThat(Secrets.without(
                        Map.of("kafka.ssl.truststore.certificates", PEM, "kafka.ssl.keystore.certificate.chain", PEM)))
                .containsOnly(
                        Map.entry("kafka.ssl.truststore.certificates", Secrets.NOT_KEPT),
                        Map.entry("kafka.ssl.keystore.certificate.chain", Secrets.NOT_KEPT));
    }

    @ParameterizedTest
    @CsvSource({
        "in, passengers.csv",
        "passengers, 3",
        "key, user",
        "kafka.security.protocol, SASL_SSL",
        "kafka.ssl.keystore.type, PEM",
        "kafka.sasl.mechanism, SCRAM-SHA-256",
    })
    void shouldKeepTheRest(String name, String value) {
        assertThat(Secrets.without(name, value)).isEqualTo(value);
    }
}
