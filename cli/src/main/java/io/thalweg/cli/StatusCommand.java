// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.cli.control.LocalJob;
import io.thalweg.cli.report.Quantities;
import io.thalweg.run.PlainText;
import java.io.PrintStream;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code thalweg status JOB}: how a job is that runs on this machine. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        usageHelpAutoWidth = true,
        description = "Prints the status of a job that runs on this machine.",
        footer = {
            "",
            "Exit codes: 0 printed, 1 there is no such job, or it does not answer, 2 the command line is wrong."
        })
final class StatusCommand implements Callable<Integer> {
    private static final long NS_PER_MS = 1_000_000;

    @Parameters(paramLabel = "JOB", description = "the id that thalweg jobs prints, or the name of the topology")
    private String job = "";

    @Option(names = "--json", description = "prints a JSON object")
    private boolean json;

    @Override
    public Integer call() {
        try {
            LocalJob found = LocalJob.find(job, LocalJob.all());
            if (json) {
                System.out.println(found.status());
            } else {
                print(found.values(), System.out);
            }
            return ExitCodes.DONE;
        } catch (RuntimeException e) {
            return Failures.report(e);
        }
    }

    private static void print(Map<String, String> job, PrintStream out) {
        line(out, "job", job.get("id") + ", topology " + job.get("topology") + ", process " + job.get("pid"));
        line(out, "state", job.get("state") + " on " + job.get("on") + " for " + elapsed(job, "elapsedMs"));
        if (job.containsKey("web")) {
            line(out, "page", job.get("web"));
        }
        line(
                out,
                "records",
                count(job, "recordsIn") + " in, " + count(job, "recordsOut") + " out, " + count(job, "recordsBad")
                        + " bad, " + count(job, "recordsLate") + " late");
        if (job.containsKey("lag")) {
            line(out, "lag", count(job, "lag"));
        }
        if (!job.getOrDefault("waitsFor", "").isEmpty()) {
            line(out, "waits for", job.getOrDefault("waitsFor", ""));
        }
        line(out, "windows", count(job, "windowsOpen") + " open");
        line(out, "state kept", count(job, "stateKeys") + " keys, about " + count(job, "stateBytes") + " bytes");
        line(out, "restarts", count(job, "restarts"));
        line(
                out,
                "checkpoint",
                job.containsKey("checkpoint.number")
                        ? job.get("checkpoint.number") + ", complete for " + elapsed(job, "checkpoint.ageMs")
                                + ", took " + elapsed(job, "checkpoint.tookMs") + ", "
                                + count(job, "checkpoint.bytes") + " bytes of state"
                        : "none");
    }

    private static void line(PrintStream out, String name, @Nullable String value) {
        out.println(PlainText.line(String.format("%-11s %s", name, value)));
    }

    static String count(Map<String, String> job, String name) {
        return Quantities.count(number(job, name));
    }

    static String elapsed(Map<String, String> job, String name) {
        return Quantities.elapsed(number(job, name) * NS_PER_MS);
    }

    /** What another version of Thalweg does not say is 0. */
    private static long number(Map<String, String> job, String name) {
        try {
            return Long.parseLong(job.getOrDefault(name, "0"));
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
