// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.cli.report.Report;
import io.thalweg.cli.stages.Stages;
import io.thalweg.cli.stages.StagesReport;
import io.thalweg.cli.stages.StagesText;
import io.thalweg.doctor.observation.RecordJson;
import io.thalweg.job.LoadedJob;
import io.thalweg.run.PlainText;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code thalweg stages JOB}: times every operator alone, and says how many tasks each needs. */
@Command(
        name = "stages",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Times each operator of a job alone, and says how many tasks each needs beside the others.",
            "Records what comes to each operator first; then each runs on one thread."
        },
        footer = {
            "",
            "Sources are read once and sinks are not opened. Operators process the recorded records many times: one that writes",
            "somewhere by itself does so many times. What the job prints is not shown.",
            "Exit codes: 0 done, 1 the job failed or there was nothing to time, 2 the command line or JOB is wrong."
        })
final class StagesCommand implements Callable<Integer> {
    @Parameters(paramLabel = "JOB", description = "a single-file topology (.java), or a .jar")
    private String job = "";

    @Mixin
    private JobOptions jobOptions = new JobOptions();

    @Option(
            names = "--records",
            paramLabel = "N",
            description = "how many records of the sources are recorded at most; default: ${DEFAULT-VALUE}")
    private long records = 50_000;

    @Option(
            names = "--for",
            paramLabel = "TIME",
            description = "how long the sources are read at most, such as 10s; default: ${DEFAULT-VALUE}")
    private String atMost = "10s";

    @Option(
            names = "--warm-up",
            paramLabel = "TIME",
            description = "how long an operator is given at most until it gets no faster; default: ${DEFAULT-VALUE}")
    private String warmUp = "5s";

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "also says how many tasks each operator needs for N records of the sources per second")
    private @Nullable Double rate;

    @Option(names = "--json", paramLabel = "FILE", description = "writes what was measured as JSON; - for stdout")
    private @Nullable String json;

    @Option(names = "--quiet", description = "no progress; results and errors are still printed")
    private boolean quiet;

    @Option(names = "--debug", description = "prints errors with their stack trace")
    private boolean debug;

    @Override
    public Integer call() {
        ExitWatch exits = ExitWatch.begin(line -> Report.standardError().println("thalweg: " + line));
        try {
            return measure();
        } catch (Exception | Error e) {
            return Failures.report(e, debug);
        } finally {
            exits.close();
        }
    }

    private int measure() throws Exception {
        if (records < 1) {
            throw new UsageException("--records must be at least 1, not " + records);
        }
        Double wanted = rate;
        if (wanted != null && !(wanted > 0 && wanted <= 1e12)) {
            throw new UsageException("--rate is a number of records per second, such as 50000, not " + wanted);
        }
        Duration reading = GuaranteeOptions.time("--for", atMost);
        Duration warming = GuaranteeOptions.time("--warm-up", warmUp);
        DiagnosisOutput output = json == null ? null : DiagnosisOutput.checked(json, List.of(job));
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        LoadedJob loaded = jobOptions.load(job);
        System.setOut(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
        TopologyGraph graph = jobOptions.define(loaded);
        if (output != null) {
            output.check(graph);
        }
        StagesReport report = new Stages(graph, warming, this::tell)
                .measure(records, reading, wanted, Runtime.getRuntime().availableProcessors());
        PrintStream people = output != null && output.isStandardOutput() ? Report.standardError() : out;
        people.print(PlainText.lines(StagesText.of(report)));
        people.flush();
        if (output != null) {
            output.write(RecordJson.text(report), out);
        }
        return ExitCodes.DONE;
    }

    private void tell(String line) {
        if (!quiet) {
            Report.standardError().println("thalweg: " + PlainText.line(line));
        }
    }
}
