// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.cli.control.LocalJob;
import io.thalweg.run.PlainText;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code thalweg stop JOB}: stops a job that runs on this machine, and waits for its end. */
@Command(
        name = "stop",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        usageHelpAutoWidth = true,
        description = "Stops a job that runs on this machine, as Ctrl-C does, and waits until it has ended.",
        footer = {
            "",
            "Exit codes: 0 it has ended, 1 it failed, does not answer or is not there, 2 the command line is wrong."
        })
final class StopCommand implements Callable<Integer> {
    @Parameters(paramLabel = "JOB", description = "the id that thalweg jobs prints, or the name of the topology")
    private String job = "";

    @Option(
            names = "--drain",
            description =
                    "ends the input: windows are emitted and outputs completed; the job cannot read on afterwards")
    private boolean drain;

    @Override
    public Integer call() {
        try {
            LocalJob found = LocalJob.find(job, LocalJob.all());
            Map<String, String> end = found.stop(drain);
            StringBuilder text = new StringBuilder(found.id())
                    .append(drain && "FINISHED".equals(end.get("state")) ? " drained: " : " stopped: ")
                    .append(StatusCommand.count(end, "recordsIn"))
                    .append(" records in, ")
                    .append(StatusCommand.count(end, "recordsOut"))
                    .append(" out");
            if (!"0".equals(end.getOrDefault("windowsOpen", "0"))) {
                text.append(", ")
                        .append(StatusCommand.count(end, "windowsOpen"))
                        .append(" open windows, not emitted");
            }
            if (end.containsKey("checkpoint.number")) {
                text.append("; its last checkpoint is ").append(end.get("checkpoint.number"));
            }
            System.out.println(PlainText.line(text.toString()));
            return ExitCodes.DONE;
        } catch (RuntimeException e) {
            return Failures.report(e);
        }
    }
}
