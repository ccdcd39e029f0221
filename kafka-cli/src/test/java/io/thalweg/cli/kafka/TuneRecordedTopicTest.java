// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.broker.TrialBroker;
import io.thalweg.cli.kafka.CommandLine.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code thalweg tune --record} with a topic without an end, on a real broker. */
@Timeout(1_800)
@Tag("integration")
final class TuneRecordedTopicTest {
    private static final int MESSAGES = 400;

    @TempDir
    private Path data;

    @TempDir
    private Path folder;

    @Test
    void shouldReplayWhatATopicDelivered() throws Exception {
        TrialBroker broker = TrialBroker.start(data, CommandLine.STEADY);
        try {
            kafka(broker, "", "topics", "--create", "orders", "--partitions", "2");
            kafka(
                    broker,
                    IntStream.range(0, MESSAGES)
                            .mapToObj(i -> i + ":order " + i + "\n")
                            .collect(Collectors.joining()),
                    "produce",
                    "orders",
                    "-K",
                    ":");
            Files.writeString(folder.resolve("Orders.java"), """
                    import io.thalweg.api.connector.*;
                    import io.thalweg.api.topology.*;
                    import io.thalweg.kafka.*;

                    public class Orders implements TopologyDefinition {
                        @Override
                        public void define(Topology topology, Settings settings) {
                            topology.from(Kafka.read("%1$s", "orders", Decoder.text()).from(Start.earliest())).name("orders")
                                    .map(order -> {
                                        java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
                                        return order;
                                    })
                                    .to(Kafka.write("%1$s", "results", Encoder.text()));
                        }
                    }
                    """.formatted(broker.address()));

            Outcome refused = new CommandLine(folder).of("tune").run("Orders.java");
            Outcome run = new CommandLine(folder)
                    .of("tune")
                    .run("Orders.java", "--record", Integer.toString(MESSAGES), "--budget", "3s");

            assertThat(refused.error())
                    .contains("a live source, which is endless", "--record 30s")
                    .hasLineCount(1);
            assertThat(run.code()).as(run.error()).isZero();
            assertThat(run.error()).contains("recorded 400 of 'orders': ");
            assertThat(kafka(broker, "", "topics").out()).contains("orders").doesNotContain("results");
        } finally {
            broker.kill();
        }
    }

    private Outcome kafka(TrialBroker broker, String input, String... arguments) throws Exception {
        String[] all = Arrays.copyOf(arguments, arguments.length + 4);
        all[arguments.length] = "--brokers";
        all[arguments.length + 1] = broker.address();
        all[arguments.length + 2] = "--connect-timeout";
        all[arguments.length + 3] = "600";
        Outcome outcome = new CommandLine(folder).runOn(input, all);
        assertThat(outcome.code()).as(outcome.error()).isZero();
        return outcome;
    }
}
