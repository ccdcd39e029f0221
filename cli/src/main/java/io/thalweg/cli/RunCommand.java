// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.cli.report.Report;
import io.thalweg.files.DeadLetterFile;
import io.thalweg.job.JobLoader;
import io.thalweg.job.LoadedJob;
import io.thalweg.run.CacheFolder;
import io.thalweg.run.Idle;
import io.thalweg.run.PlainText;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.run.StateLimit;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code thalweg run JOB}: loads the job, runs it in this process or elsewhere, tells how it goes. */
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
final class RunCommand implements Callable<Integer> {
    private final Runners roads;

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(paramLabel = "JOB", description = "a single-file topology (.java), or a .jar")
    private Path job = Path.of("");

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "a setting for the job; may be repeated")
    private Map<String, String> set = new LinkedHashMap<>();

    @Option(names = "--class", paramLabel = "NAME", description = "which class in JOB defines the topology")
    private @Nullable String className;

    @Option(
            names = "--on",
            paramLabel = "${bundle:roads.names}",
            description = "where the job runs; ${bundle:roads.help}")
    private String on = Runner.EMBEDDED;

    @Option(
            names = "--parallelism",
            paramLabel = "N",
            description = "tasks for each operator that does not set its own parallelism; default: one per core")
    private @Nullable Integer parallelism;

    @Option(names = "--threads", paramLabel = "N", description = "worker threads; default: one per core")
    private @Nullable Integer threads;

    @Option(
            names = "--idle",
            paramLabel = "spin|balanced|park",
            description = "what an idle worker does: polls, polls and then sleeps, or sleeps; default: balanced")
    private String idle = "balanced";

    @Mixin
    private BadRecordOptions badRecords = new BadRecordOptions();

    @Mixin
    private GuaranteeOptions guarantees = new GuaranteeOptions();

    @Option(
            names = "--state-limit",
            paramLabel = "SIZE|none",
            description =
                    "the job fails if its operators keep more than this in memory, such as 500MB; default: 80%% of the heap")
    private @Nullable String stateLimit;

    @Option(
            names = "--health",
            paramLabel = "PORT",
            description =
                    "answers http://127.0.0.1:PORT/health with 200 while the job is well, and 503 otherwise; 0 for a free port")
    private @Nullable Integer health;

    @Option(names = "--stats", paramLabel = "FILE", description = "writes the final metrics as JSON; - for stdout")
    private @Nullable String stats;

    @Option(names = "--explain", description = "prints the execution plan and exits")
    private boolean explain;

    @Option(names = "--quiet", description = "no progress, summary or warnings; results and errors are still printed")
    private boolean quiet;

    @Option(names = "--debug", description = "prints errors with their stack trace")
    private boolean debug;

    RunCommand(Runners roads) {
        this.roads = roads;
    }

    @Override
    public Integer call() {
        ExitWatch exits = ExitWatch.begin(line -> Report.standardError().println("thalweg: " + line));
        try {
            return run();
        } catch (Exception | Error e) {
            return Failures.report(e, debug);
        } finally {
            exits.close();
        }
    }

    private int run() throws Exception {
        RunSettings settings = runSettings();
        @Nullable StatsOutput statsOutput = stats == null ? null : StatsOutput.checked(stats);
        LoadedJob loaded = new JobLoader(
                        CacheFolder.jobs(), line -> System.err.println(PlainText.line("thalweg: " + line)))
                .load(job, className);
        Thread.currentThread().setContextClassLoader(loaded.loader());
        Report report = Report.ofProcess(quiet);
        System.setOut(report.results()); // what the job's own code prints are results too, in order with the others
        TopologyGraph graph = define(loaded);
        Destination destination = Destination.of(on, roads, Objects.requireNonNull(spec));
        if (explain) {
            graph.warnings().forEach(report::say);
            report.results()
                    .print(PlainText.lines(destination.runner(settings, loaded).explain(graph)));
            report.close();
            return ExitCodes.DONE;
        }
        try (DeadLetterFile letters = badRecords.open(graph.name(), report::say)) {
            RunSettings told = settings.withConsole(report.results())
                    .withBadRecords(BadRecordOptions.kept(letters))
                    .withSlowCalls((topology, task, where) -> report.slow(task, where))
                    .withWarnings(report::say);
            Runner runner = destination.runner(told, loaded);
            try (@Nullable HealthEndpoint endpoint = openHealth(report)) {
                return new Run(
                                report,
                                letters,
                                statsOutput,
                                told,
                                destination.road().name(),
                                endpoint)
                        .untilEnd(runner, graph);
            }
        }
    }

    private @Nullable HealthEndpoint openHealth(Report report) {
        Integer port = health;
        if (port == null) {
            return null;
        }
        HealthEndpoint endpoint = HealthEndpoint.open(port);
        if (port == 0 || !quiet) {
            report.say("health: " + endpoint.address());
        }
        return endpoint;
    }

    private RunSettings runSettings() {
        RunSettings settings = badRecords.apply(RunSettings.defaults());
        try {
            settings = parallelism == null ? settings : settings.withParallelism(parallelism);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--" + e.getMessage());
        }
        if (threads != null && threads < 1) {
            throw new UsageException("--threads must be at least 1, not " + threads);
        }
        settings = (threads == null ? settings : settings.withThreads(threads)).withIdle(idle());
        return guarantees.apply(stateLimit == null ? settings : settings.withStateLimit(limit(stateLimit)));
    }

    private static StateLimit limit(String text) {
        if (text.equals("none")) {
            return StateLimit.none();
        }
        long bytes = ByteSize.parse(text).orElse(0);
        if (bytes == 0) {
            throw new UsageException("--state-limit is a size such as 500kB, 10MB or 2GB, or none; not " + text);
        }
        return StateLimit.bytes(bytes);
    }

    private Idle idle() {
        return switch (idle) {
            case "spin" -> Idle.SPIN;
            case "balanced" -> Idle.BALANCED;
            case "park" -> Idle.PARK;
            default -> throw new UsageException("--idle is spin, balanced or park, not " + idle);
        };
    }

    private TopologyGraph define(LoadedJob loaded) {
        if (set.containsKey("")) {
            throw new UsageException("--set takes KEY=VALUE, not =" + set.get(""));
        }
        return loaded.define(set);
    }
}
