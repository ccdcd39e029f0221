// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.kafka;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.cli.ExitCodes;
import io.thalweg.cli.Failures;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code thalweg kafka stop}: ends what {@code start} has started. */
@Command(
        name = "stop",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        description = "Stops the trial Kafka broker; its data stay for the next start.",
        footer = {"", "Exit codes: 0 it has ended, 1 none is running, 2 the command line is wrong."})
final class StopCommand implements Callable<Integer> {
    @Option(names = "--dir", paramLabel = "DIR", description = "folder that it was started with")
    private @Nullable Path dir;

    @Option(names = "--debug", description = "prints errors with their stack trace")
    private boolean debug;

    @Override
    public Integer call() {
        try {
            TrialFolder folder = TrialFolder.of(dir);
            if (!folder.stop()) {
                throw new ConnectorException("no Kafka broker is running in " + folder.path());
            }
            return ExitCodes.DONE;
        } catch (Exception | Error e) {
            return Failures.report(e, debug);
        }
    }
}
