// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.kafka;

import io.thalweg.cli.Main;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code thalweg kafka}: names its commands. */
@Command(
        name = "kafka",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        usageHelpAutoWidth = true,
        description = "Starts a trial Kafka broker; lists, writes and reads topics.",
        subcommands = {
            StartCommand.class,
            StopCommand.class,
            TopicsCommand.class,
            ProduceCommand.class,
            ConsumeCommand.class,
            LagCommand.class
        },
        footer = {"", "Exit codes: 0 done, 1 it did not work, 2 the command line is wrong, 130 stopped by Ctrl-C."})
final class KafkaCommand implements Runnable {
    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public void run() {
        Objects.requireNonNull(spec).commandLine().usage(System.out);
    }
}
