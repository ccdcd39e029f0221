// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.cli.report.Report;
import io.thalweg.cli.tune.TunedFile;
import io.thalweg.files.DeadLetterFile;
import io.thalweg.job.LoadedJob;
import io.thalweg.run.Clock;
import io.thalweg.run.OutputRules;
import io.thalweg.run.PlainText;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.web.runs.RunRecord;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A command that runs a job: loads it, runs it in this process or elsewhere, tells how it goes. */
abstract class JobCommand implements Callable<Integer> {
    /** Options that say what is told of a run, and not how it runs; and settings, which are kept apart. */
    private static final Set<String> NOT_OF_THE_RUN = Set.of(
            "--set",
            "--web",
            "--web-control",
            "--history",
            "--metrics",
            "--health",
            "--stats",
            "--quiet",
            "--debug",
            "--json",
            "--html");

    private final Runners roads;

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(paramLabel = "JOB", description = "${bundle:job.help}")
    private String job = "";

    @Mixin
    private JobOptions jobOptions = new JobOptions();

    @Option(
            names = "--on",
            paramLabel = "${bundle:roads.names}",
            description = "where the job runs; ${bundle:roads.help}")
    private String on = Runner.EMBEDDED;

    @Mixin
    private WorkOptions work = new WorkOptions();

    @Mixin
    private BadRecordOptions badRecords = new BadRecordOptions();

    @Mixin
    private GuaranteeOptions guarantees = new GuaranteeOptions();

    @Option(
            names = "--connect-timeout",
            paramLabel = "TIME",
            description =
                    "how long to wait at the start for a Kafka broker that does not answer, such as 5m; 0 tries once; default: what the"
                            + " source or sink says, 30s unless set there")
    private @Nullable String connectTimeout;

    @Option(
            names = "--health",
            paramLabel = "PORT",
            description =
                    "answers http://127.0.0.1:PORT/health with 200 while the job is well, and 503 otherwise; 0 for a free port")
    private @Nullable Integer health;

    @Option(
            names = "--web",
            arity = "0..1",
            paramLabel = "[HOST:]PORT",
            preprocessor = AttachedValue.class,
            description = "shows the running job on a page, on loopback if no HOST is given; default: a free port")
    private @Nullable String web;

    @Option(
            names = "--web-control",
            description =
                    "lets the page of --web stop the job, drain it and take savepoints, with a token that is printed; on loopback only")
    private boolean webControl;

    @Option(
            names = "--metrics",
            paramLabel = "prometheus[=[HOST:]PORT]|otlp=URL",
            description =
                    "serves metrics for Prometheus, on loopback if no HOST is given, default: port 9464; or sends them to a receiver of OpenTelemetry (OTLP) every ten seconds; may be repeated")
    private List<String> metrics = new ArrayList<>();

    @Option(
            names = "--history",
            arity = "0..1",
            paramLabel = "FILE|none",
            preprocessor = AttachedValue.class,
            description =
                    "keeps what is measured of this run for thalweg web, as --web does, too; default: history.db in ~/.local/state/thalweg")
    private @Nullable String history;

    @Option(names = "--stats", paramLabel = "FILE", description = "writes the final metrics as JSON; - for stdout")
    private @Nullable String stats;

    @Option(names = "--explain", description = "prints the execution plan and exits")
    private boolean explain;

    @Option(names = "--quiet", description = "no progress or summary; results, warnings and errors are still printed")
    private boolean quiet;

    @Option(names = "--debug", description = "prints errors with their stack trace")
    private boolean debug;

    @Option(names = "--json", paramLabel = "FILE", description = "${bundle:json.help}")
    private @Nullable String json;

    JobCommand(Runners roads) {
        this.roads = roads;
    }

    /** What the doctor is to do; null if nobody asks for him. */
    abstract @Nullable Examination examination();

    /** What {@code --explain} says besides the plan. */
    void explainMore(PrintStream results) {}

    /** What was given: a file or an archive, or where a job runs. */
    String job() {
        return job;
    }

    /** What {@code --set} gave. */
    Map<String, String> settings() {
        return jobOptions.set();
    }

    /** The file or archive that was given. */
    Path file() {
        return JobOptions.file(job);
    }

    /** Where {@code --json} leads; null if it was not given. */
    @Nullable DiagnosisOutput json() {
        return json == null ? null : DiagnosisOutput.checked(json, files(stats, badRecords.file()));
    }

    /** Where {@code --html} leads. */
    DiagnosisOutput page(String html) {
        return DiagnosisOutput.page(html, files(stats, badRecords.file(), json));
    }

    /** What the command reads or writes itself, and nothing else of it may replace; null for none. */
    private List<@Nullable String> files(@Nullable String... more) {
        List<@Nullable String> files = new ArrayList<>(Arrays.asList(more));
        files.add(job);
        files.add(work.tuned());
        files.add(guarantees.directory());
        return files;
    }

    CommandSpec spec() {
        return Objects.requireNonNull(spec);
    }

    boolean debug() {
        return debug;
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
        @Nullable Examination examination = examination();
        @Nullable TunedFile tunedFile = work.tunedFile();
        RunSettings settings = runSettings(tunedFile);
        RunHistory.check(history);
        if (webControl && web == null) {
            throw new UsageException("--web-control needs --web, whose page it is for");
        }
        @Nullable StatsOutput statsOutput = stats == null ? null : StatsOutput.checked(stats, files(badRecords.file()));
        LoadedJob loaded = jobOptions.load(job);
        Report report = Report.ofProcess(quiet);
        System.setOut(report.results()); // what the job's own code prints are results too, in order with the others
        TopologyGraph graph = define(loaded, tunedFile);
        OutputRules.checkKeeps(graph, file(), "the job itself");
        if (statsOutput != null) {
            statsOutput.check(graph);
        }
        Destination destination = Destination.of(on, roads, spec());
        if (examination != null) {
            examination.check(graph);
            examination.on(destination);
        }
        if (tunedFile != null) {
            destination = destination.with(tunedFile);
            tunedFile.missing().forEach(report::say);
        }
        try (DeadLetterFile letters = badRecords.open(graph.name(), files(stats, json), report::say)) {
            if (explain) {
                badRecords.checkUnopened(letters);
                explain(
                        graph,
                        destination.runner(settings.withBadRecords(BadRecordOptions.kept(letters)), loaded),
                        report);
                return ExitCodes.DONE;
            }
            badRecords.check(letters);
            RunSettings told = settings.withConsole(report.results())
                    .withBadRecords(BadRecordOptions.kept(letters))
                    .withSlowCalls(report)
                    .withWarnings(report::say);
            Runner runner = destination.runner(examination == null ? told : examination.watching(told), loaded);
            try (@Nullable Endpoints endpoints = openEndpoints(report, told, destination);
                    @Nullable Examination open = examination) {
                return new Run(
                                report,
                                letters,
                                statsOutput,
                                told,
                                destination.road().name(),
                                endpoints,
                                open)
                        .untilEnd(runner, graph);
            }
        }
    }

    private void explain(TopologyGraph graph, Runner runner, Report report) {
        graph.warnings().forEach(report::say);
        report.results().print(PlainText.lines(runner.explain(graph)));
        explainMore(report.results());
        report.close();
    }

    private @Nullable Endpoints openEndpoints(Report report, RunSettings settings, Destination destination) {
        LiveDoctor doctor = destination.road().equals(Runners.EMBEDDED) ? new LiveDoctor() : null;
        RunHistory kept =
                history == null && web == null ? null : RunHistory.of(history, kept(destination), report::say);
        Endpoints endpoints = health == null && web == null && metrics.isEmpty() && kept == null
                ? null
                : Endpoints.open(
                        new Endpoints.Asked(health, web, webControl, metrics),
                        doctor,
                        kept,
                        settings.queueBatches(),
                        report::say,
                        quiet);
        if (endpoints != null) {
            endpoints.told().forEach(report::say);
        }
        return endpoints;
    }

    private RunRecord.Run kept(Destination destination) {
        return new RunRecord.Run(
                UUID.randomUUID().toString(),
                job,
                destination.road().name(),
                new Main.Version().getVersion()[0],
                Clock.system().epochMs(),
                Secrets.without(settings()),
                Secrets.without(spec(), NOT_OF_THE_RUN));
    }

    private RunSettings runSettings(@Nullable TunedFile tunedFile) {
        RunSettings settings = badRecords.apply(RunSettings.defaults());
        if (connectTimeout != null) {
            settings = settings.withConnectTimeout(
                    connectTimeout.equals("0") ? Duration.ZERO : Durations.of("--connect-timeout", connectTimeout));
        }
        return guarantees.apply(work.apply(settings, tunedFile), tunedFile);
    }

    private TopologyGraph define(LoadedJob loaded, @Nullable TunedFile tunedFile) {
        TopologyGraph graph = jobOptions.define(loaded);
        try {
            return tunedFile == null ? graph : tunedFile.graph(graph);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--tuned: " + e.getMessage());
        }
    }
}
