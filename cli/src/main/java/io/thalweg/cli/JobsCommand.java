// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.cli.control.LocalJob;
import io.thalweg.run.PlainText;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code thalweg jobs}: what runs on this machine. */
@Command(
        name = "jobs",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        usageHelpAutoWidth = true,
        description = "Lists the jobs of this user that run on this machine.",
        footer = {"", "Exit codes: 0 each job answers, or none runs; 1 one does not answer."})
final class JobsCommand implements Callable<Integer> {
    @Option(names = "--json", description = "prints an array of what thalweg status --json prints")
    private boolean json;

    @Override
    public Integer call() {
        try {
            return list(System.out, System.err);
        } catch (RuntimeException e) {
            return Failures.report(e);
        }
    }

    private int list(PrintStream out, PrintStream error) {
        int code = ExitCodes.DONE;
        List<String> texts = new ArrayList<>();
        for (LocalJob job : LocalJob.all()) {
            try {
                texts.add(json ? job.status() : line(job.values()));
            } catch (ConnectorException e) {
                error.println("thalweg: " + PlainText.line(Failures.oneLine(e)));
                code = ExitCodes.FAILED;
            }
        }
        if (json) {
            out.println("[" + String.join(",\n", texts) + "]");
        } else if (texts.isEmpty() && code == ExitCodes.DONE) {
            error.println("thalweg: no job of this user runs on this machine");
        } else {
            texts.forEach(out::println);
        }
        return code;
    }

    private static String line(Map<String, String> job) {
        return PlainText.line(String.format(
                Locale.ROOT,
                "%-24s  %-10s  %-8s  %10s  %14s in  %14s out  %s",
                job.get("id"),
                job.get("state"),
                job.get("on"),
                StatusCommand.elapsed(job, "elapsedMs"),
                StatusCommand.count(job, "recordsIn"),
                StatusCommand.count(job, "recordsOut"),
                job.get("topology")));
    }
}
