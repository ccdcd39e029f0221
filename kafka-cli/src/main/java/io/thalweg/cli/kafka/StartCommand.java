// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.kafka;

import io.thalweg.cli.ExitCodes;
import io.thalweg.cli.Failures;
import io.thalweg.cli.UsageException;
import io.thalweg.cli.report.Report;
import io.thalweg.run.PlainText;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code thalweg kafka start}: real brokers on this machine, which keep running when the command has ended. */
@Command(
        name = "start",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        description = "Starts a trial Kafka broker on this machine, which only this machine can reach.",
        footer = {"", "Exit codes: 0 it accepts connections, 1 it does not start, 2 the command line is wrong."})
final class StartCommand implements Callable<Integer> {
    private static final int PORT = 9092;

    @Option(
            names = "--brokers",
            paramLabel = "1|3",
            description = "how many; default: 1, or as many as DIR has the data of")
    private @Nullable Integer brokers;

    @Option(
            names = "--port",
            paramLabel = "N",
            description = "port of the first broker, the others take the next ones; 0 for free ports; default: " + PORT)
    private int port = PORT;

    @Option(names = "--dir", paramLabel = "DIR", description = "folder for data and logs; default: in the user's cache")
    private @Nullable Path dir;

    @Option(names = "--debug", description = "prints errors with their stack trace")
    private boolean debug;

    @Override
    public Integer call() {
        try {
            if (brokers != null && brokers != 1 && brokers != 3) {
                throw new UsageException("--brokers is 1 or 3, not " + brokers);
            }
            TrialFolder folder = TrialFolder.of(dir);
            String address = folder.start(
                    brokers, port, line -> Report.standardError().println("thalweg: " + PlainText.line(line)));
            boolean several = address.contains(",");
            System.out.println(
                    (several ? "Kafka brokers accept" : "A Kafka broker accepts") + " connections at " + address
                            + "; data and logs in " + folder.path() + "\n"
                            + "  a topic:  thalweg kafka topics --create NAME" + folder.option() + "\n"
                            + "  stop it:  thalweg kafka stop" + folder.option());
            return ExitCodes.DONE;
        } catch (Exception | Error e) {
            return Failures.report(e, debug);
        }
    }
}
