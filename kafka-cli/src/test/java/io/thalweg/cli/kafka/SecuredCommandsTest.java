// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.broker.BrokerSetup;
import io.thalweg.broker.TrialBroker;
import io.thalweg.broker.TrialKeys;
import io.thalweg.cli.kafka.CommandLine.Outcome;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Properties;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code thalweg kafka} with a broker that requires TLS and a login. */
@Timeout(1_800)
@Tag("integration")
final class SecuredCommandsTest {
    private static final String SECRET = "alice's-secret-4711";

    @TempDir
    private Path folder;

    @Test
    void shouldWorkWithSettingsFromFileAndEnvironment_andKeepSecrets() throws Exception {
        TrialKeys keys = TrialKeys.make(folder.resolve("keys.p12"));
        BrokerSetup setup = CommandLine.STEADY.secured(keys).withUser("alice", SECRET);
        try (TrialBroker broker = TrialBroker.start(folder.resolve("broker"), setup)) {
            Properties settings = new Properties();
            settings.putAll(keys.client("alice", "${env:KAFKA_PASSWORD}"));
            Path file = folder.resolve("client.properties");
            try (Writer writer = Files.newBufferedWriter(file)) {
                settings.store(writer, null);
            }
            CommandLine kafka = new CommandLine(folder).with("KAFKA_PASSWORD", SECRET);
            String[] how = {"--brokers", broker.address(), "-F", file.toString(), "--connect-timeout", "600"};

            assertThat(kafka.run(with(how, "topics", "--create", "t")).error()).isEmpty();
            assertThat(kafka.runOn("secured", with(how, "produce", "t")).code()).isZero();
            assertThat(kafka.run(with(how, "consume", "t", "--to", "latest")).out())
                    .isEqualTo("secured\n");

            CommandLine wrong = new CommandLine(folder).with("KAFKA_PASSWORD", "wrong-4712");
            shouldFail(wrong.run(with(how, "topics")), "the broker refuses the login: ");
            shouldFail(wrong.run(with(how, "produce", "t")), "the broker refuses the login: ");
            shouldFail(wrong.run(with(how, "consume", "t")), "the broker refuses the login: ");
            shouldFail(wrong.run(with(how, "lag", "g")), "the broker refuses the login: ");
            TrialKeys others = TrialKeys.make(folder.resolve("others.p12"));
            String[] untrusting = {
                "topics",
                "-X",
                "ssl.truststore.location=" + others.store(),
                "-X",
                "ssl.truststore.password=" + others.password()
            };
            Outcome untrusted = kafka.run(with(how, untrusting));
            shouldFail(untrusted, "TLS with the broker fails: ");
            assertThat(untrusted.error()).doesNotContain(others.password());
            shouldFail(
                    withoutTls(kafka, broker, "topics"), "the broker accepts only TLS; set security.protocol to SSL");
            shouldFail(
                    withoutTls(kafka, broker, "consume", "t"),
                    "the broker accepts only TLS; set security.protocol to SSL");
            broker.kill(); // and wait: its folder is deleted
        }
    }

    private static String[] with(String[] how, String... command) {
        String[] all = Arrays.copyOf(command, command.length + how.length);
        System.arraycopy(how, 0, all, command.length, how.length);
        return all;
    }

    /** It is asked for a handshake, too, to which a broker on a busy machine may not answer in time. */
    private static Outcome withoutTls(CommandLine kafka, TrialBroker broker, String... command) throws Exception {
        String[] all = with(new String[] {"--brokers", broker.address(), "--connect-timeout", "3"}, command);
        Outcome outcome = kafka.run(all);
        while (outcome.error().contains("no answer within 3 s; ")) {
            outcome = kafka.run(all);
        }
        return outcome;
    }

    private static void shouldFail(Outcome outcome, String why) {
        assertThat(outcome.code()).as(outcome.error()).isEqualTo(1);
        assertThat(outcome.error())
                .contains(why)
                .hasLineCount(1)
                .doesNotContain(SECRET)
                .doesNotContain("wrong-4712")
                .doesNotContain("ScramLoginModule");
    }
}
