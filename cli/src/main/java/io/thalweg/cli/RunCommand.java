// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.cli.report.Report;
import java.io.PrintStream;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code thalweg run JOB}: runs a job until its input ends. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = "Runs a job until its input ends.",
        footer = {
            "",
            "Results go to standard output, everything else to standard error.",
            "Ctrl-C stops the job gracefully, a second one at once.",
            "Exit codes: 0 done, 1 the job failed, 2 the command line or JOB is wrong,",
            "129 the terminal was closed, 130 Ctrl-C, 143 SIGTERM."
        })
final class RunCommand extends JobCommand {
    @Option(names = "--doctor", description = "at the end, says what limited the job and what would help")
    private boolean doctor;

    @Option(
            names = "--jvm",
            paramLabel = "throughput|latency",
            description = "sets Java up for most records a second, or for short pauses; default: as Java chooses")
    private @Nullable String jvm;

    RunCommand(Runners roads) {
        super(roads);
    }

    @Override
    @Nullable Examination examination() {
        if (jvm != null) {
            JavaSetup.check(jvm);
        }
        DiagnosisOutput output = json();
        if (output != null && !doctor) {
            throw new UsageException("--json is for --doctor");
        }
        return doctor
                ? new Examination(null, output == null ? List.of() : List.of(output), Report.standardError(), null)
                : null;
    }

    @Override
    void explainMore(PrintStream results) {
        if (jvm != null) {
            results.println(JavaSetup.line());
        }
    }
}
