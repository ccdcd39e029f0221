// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.broker.BrokerSetup;
import io.thalweg.broker.TrialBroker;
import io.thalweg.broker.TrialTopics;
import io.thalweg.cli.kafka.CommandLine.Outcome;
import io.thalweg.testkit.FreePort;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code thalweg run} of a job whose broker is not there when it starts. */
@Timeout(900)
@Tag("integration")
final class RunWithoutBrokerTest {
    @TempDir
    private Path folder;

    private CommandLine run;

    @BeforeEach
    void writeJob() throws Exception {
        run = new CommandLine(folder).of("run");
        Files.writeString(folder.resolve("Orders.java"), """
                import io.thalweg.api.connector.*;
                import io.thalweg.api.topology.*;
                import io.thalweg.kafka.*;

                public class Orders implements TopologyDefinition {
                    @Override
                    public void define(Topology topology, Settings settings) {
                        topology.from(Kafka.read(settings.text("brokers", "127.0.0.1:9092"), "orders", Decoder.text())
                                        .connectTimeout(java.time.Duration.ofMinutes(10))
                                        .untilLatest())
                                .to(Sinks.print());
                    }
                }
                """);
    }

    @Test
    void shouldFailInOneLine_atOnceIfTheUserSaysSo() throws Exception {
        String address = "127.0.0.1:" + FreePort.find();

        Outcome failed = run.run("Orders.java", "--set", "brokers=" + address, "--connect-timeout", "0");

        assertThat(failed.code()).isEqualTo(1);
        assertThat(failed.error())
                .isEqualTo(
                        "thalweg: cannot read topic orders at " + address
                                + ": connection refused; start a broker there,"
                                + " or correct the address; --connect-timeout, or connectTimeout(…) of the source or sink, waits longer\n");
        assertThat(run.run("Orders.java", "--connect-timeout", "soon").error())
                .startsWith("thalweg: --connect-timeout takes ")
                .hasLineCount(1);
    }

    @Test
    void shouldGoOnAsIfTheBrokerHadBeenThere() throws Exception {
        try (TrialBroker broker = TrialBroker.start(folder.resolve("data"), BrokerSetup.single())) {
            try (TrialTopics topics = TrialTopics.at(broker.address())) {
                topics.create("orders", 1);
                topics.send("orders", 0, "17", "18");
            }
            broker.stop();
            Process job = run.start("Orders.java", "--set", "brokers=" + broker.address(), "--connect-timeout", "10m");
            try (BufferedReader error = job.errorReader();
                    BufferedReader out = job.inputReader()) {
                assertThat(error.readLine())
                        .startsWith("thalweg: waiting for Kafka at " + broker.address() + ": connection refused; ")
                        .endsWith(" s left");

                broker.restart();

                assertThat(out.lines()).containsExactly("17", "18");
                assertThat(CommandLine.end(job)).isZero();
                assertThat(error.lines())
                        .as("a line now and then, and none of Kafka's client")
                        .allMatch(line -> line.matches(
                                "thalweg: (waiting for |operator 'source': )?Kafka at .*|thalweg: (after|slow) .*"
                                        + "|Orders finished .*"));
            } finally {
                job.destroyForcibly();
            }
        }
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void shouldEndAtOnceByCtrlC() throws Exception {
        String address = "127.0.0.1:" + FreePort.find();
        Process job = run.start("Orders.java", "--set", "brokers=" + address, "--connect-timeout", "24h");
        try (BufferedReader error = job.errorReader()) {
            assertThat(error.readLine()).startsWith("thalweg: waiting for Kafka at " + address);

            assertThat(new ProcessBuilder("kill", "-INT", Long.toString(job.pid()))
                            .start()
                            .waitFor())
                    .isZero();

            assertThat(CommandLine.end(job)).isEqualTo(130);
            assertThat(error.lines()).allMatch(line -> line.startsWith("thalweg: waiting for Kafka at "));
        } finally {
            job.destroyForcibly();
        }
    }
}
