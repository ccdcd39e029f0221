// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SecretSettingsTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            no login with password=hunter22, user=me  | no login with password=(not kept), user=me
            PlainLoginModule username="me" password="a b"; | PlainLoginModule username="me" password=(not kept);
            "token": "abc", "n": 1                    | "token": (not kept), "n": 1
            no answer from https://me:pw@host:80/x    | no answer from https://me:(not kept)@host:80/x
            401 for Authorization: Basic bWU6cHc=     | 401 for Authorization: Basic (not kept)
            sent Bearer eyJ.abc, refused              | sent Bearer (not kept), refused
            no key in -----BEGIN KEY----- abc         | no key in (not kept)
            """)
    void shouldHideWhatLooksLikeASecret(String said, String shown) {
        assertThat(SecretSettings.text(said, Map.of(), Map.of())).isEqualTo(shown);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Unrecognized token 'abc': was expecting a number",
                "no answer from http://localhost:8080/me@home",
                "lost 3 of 10 records",
                "java.io.IOException: No space left on device"
            })
    void shouldLeaveTheRest(String said) {
        assertThat(SecretSettings.text(said, Map.of("set.in", "records"), Map.of("HOME", "/home", "PWD", "java.io")))
                .isEqualTo(said);
    }

    @Test
    void shouldHideTheValuesOfSecretSettings_whereverTheyStand() {
        Map<String, String> settings = Map.of(
                "set.token", "KEY-1",
                "set.other-token", "KEY-12",
                "set.kafka.sasl.jaas.config", "Plain required username=\"me\" password=\"s3cret!\";",
                "set.pin-secret", "1",
                "records", "1000");
        assertThat(SecretSettings.text("1000 times KEY-1 and KEY-12, and 's3cret!' is wrong", settings, Map.of()))
                .isEqualTo("1000 times (not kept) and (not kept), and '(not kept)' is wrong");
        assertThat(SecretSettings.text("password=KEY-1, token: KEY-12", settings, Map.of()))
                .isEqualTo("password=(not kept), token: (not kept)");
        assertThat(SecretSettings.text("user me: db-pw-of-env", Map.of(), Map.of("DB_PASSWORD", "db-pw-of-env")))
                .isEqualTo("user me: (not kept)");
    }
}
