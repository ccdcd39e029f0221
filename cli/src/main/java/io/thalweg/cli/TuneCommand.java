// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.cli.report.Report;
import io.thalweg.cli.tune.ProcessTrials;
import io.thalweg.cli.tune.StretchRecorder;
import io.thalweg.cli.tune.TrialRoad;
import io.thalweg.cli.tune.Tuned;
import io.thalweg.cli.tune.TunedFile;
import io.thalweg.cli.tune.Withdrawals;
import io.thalweg.doctor.observation.RecordJson;
import io.thalweg.doctor.tune.Choices;
import io.thalweg.doctor.tune.Goal;
import io.thalweg.doctor.tune.Machine;
import io.thalweg.doctor.tune.Setting;
import io.thalweg.doctor.tune.Step;
import io.thalweg.doctor.tune.TuneException;
import io.thalweg.doctor.tune.TuneReport;
import io.thalweg.doctor.tune.TuneText;
import io.thalweg.doctor.tune.TunedYaml;
import io.thalweg.doctor.tune.Tuner;
import io.thalweg.job.LoadedJob;
import io.thalweg.run.Clock;
import io.thalweg.run.PlainText;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.web.runs.RunRecord;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code thalweg tune JOB}: tries settings in fresh JVMs, and keeps those that pay and leave the output as it is. */
@Command(
        name = "tune",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Tries settings of a job, and keeps those that make it faster with the same output.",
            "Runs the job again and again in JVMs of its own: has the doctor judge it, tries the most promising setting,",
            "compares runs without and with it in turns, and keeps it only if the gain is real and the output the same.",
            "Writes what pays into a file, which thalweg run JOB --tuned FILE applies."
        },
        footer = {
            "",
            "Sinks are not opened: what would be written is counted and compared. Operators that write or ask somewhere themselves",
            "do so in every run. The input must end, and be the same each time, or be recorded with --record.",
            "Exit codes: 0 done, 1 the job cannot be tuned, 2 the command line or JOB is wrong, 130 Ctrl-C, 143 SIGTERM."
        })
final class TuneCommand implements Callable<Integer> {
    private static final String THROUGHPUT = "throughput";
    private static final double MOST_RATE = 1e12;
    private static final int INT = 2;
    private static final Pattern PLAIN = Pattern.compile("[\\w./:=@%+,-]+");

    /** Options of {@code thalweg run} that are no settings to be tried: the command that is told has them. */
    private static final Set<String> PROMISES = Set.of(
            "--on",
            "--set",
            "--class",
            "--state-limit",
            "--guarantee",
            "--checkpoint-dir",
            "--checkpoint-interval",
            "--checkpoint-timeout",
            "--restore",
            "--discard-state",
            "--accept-changed-input",
            "--accept-topology",
            "--restart",
            "--stop-timeout",
            "--ack-timeout",
            "--tries");

    /** Options that say what is told of a tuning, and settings, which are kept apart. */
    private static final Set<String> NOT_OF_THE_TUNING =
            Set.of("--set", "--web", "--history", "--json", "--out", "--quiet", "--debug");

    private final Runners roads;

    @Parameters(paramLabel = "JOB", description = "a single-file topology (.java), or a .jar")
    private String job = "";

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private JobOptions jobOptions = new JobOptions();

    @Mixin
    private WorkOptions work = new WorkOptions();

    @Mixin
    private GuaranteeOptions guarantees = new GuaranteeOptions();

    @Option(
            names = "--for",
            paramLabel = "throughput|'p99<5ms'",
            description =
                    "what to tune for: throughput (default), or a latency (p50, p90, p99, p999) below a limit, with --rate")
    private String goal = THROUGHPUT;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "for a latency: how many records of all sources come per second")
    private @Nullable Double rate;

    @Option(
            names = "--budget",
            paramLabel = "TIME",
            description = "how long it may take, such as 10m; default: ${DEFAULT-VALUE}")
    private String budget = "10m";

    @Option(
            names = "--record",
            paramLabel = "TIME|N",
            description =
                    "for live sources: first records what they deliver, for so long, such as 30s, or so many records;"
                            + " every run reads that, as fast as it can or at --rate")
    private @Nullable String record;

    @Option(
            names = "--record-limit",
            paramLabel = "SIZE",
            description = "how much disk --record may take, for as long as the command runs; default: 1GB")
    private @Nullable String recordLimit;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "where the settings go; default: JOB.tuned.yaml in the working directory; must not exist")
    private @Nullable String out;

    @Option(
            names = "--on",
            paramLabel = "ENGINE",
            description = "what runs the job, within the JVM of each run: ${bundle:roads.tuned}; default: embedded")
    private String on = Runner.EMBEDDED;

    @Option(
            names = "--web",
            arity = "0..1",
            paramLabel = "[HOST:]PORT",
            preprocessor = AttachedValue.class,
            description = "shows the steps on a page, on loopback if no HOST is given; default: a free port")
    private @Nullable String web;

    @Option(
            names = "--history",
            arity = "0..1",
            paramLabel = "FILE|none",
            preprocessor = AttachedValue.class,
            description =
                    "keeps the steps for thalweg web, as --web does, too; default: history.db in ~/.local/state/thalweg")
    private @Nullable String history;

    @Option(names = "--json", paramLabel = "FILE", description = "writes every step as JSON; - for stdout")
    private @Nullable String json;

    @Option(names = "--quiet", description = "no progress; results and errors are still printed")
    private boolean quiet;

    @Option(names = "--debug", description = "prints errors with their stack trace")
    private boolean debug;

    private final AtomicInteger signal = new AtomicInteger();

    /** What the first signal ends. */
    private volatile Runnable stops = () -> {};

    TuneCommand(Runners roads) {
        this.roads = roads;
    }

    @Override
    public Integer call() {
        ExitWatch exits = ExitWatch.begin(line -> Report.standardError().println("thalweg: " + line));
        try {
            return tune();
        } catch (Exception | Error e) {
            return Failures.report(
                    e instanceof TuneException ? new ConnectorException(Failures.oneLine(e), e) : e, debug);
        } finally {
            exits.close();
        }
    }

    private int tune() throws IOException {
        Destination where = destination();
        Goal wanted = goal(where);
        Duration atMost = GuaranteeOptions.time("--budget", budget);
        TunedOutput settings = output();
        RunHistory.check(history);
        DiagnosisOutput output = json == null
                ? null
                : DiagnosisOutput.checked(
                        json, Arrays.asList(job, settings.file().toString(), work.tuned()));
        PrintStream standardOutput = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        PrintStream people = output != null && output.isStandardOutput() ? Report.standardError() : standardOutput;
        TunedFile tuned = work.tunedFile();
        if (tuned != null) {
            where.with(tuned);
        }
        RunSettings given = guarantees.apply(work.apply(RunSettings.defaults(), tuned), tuned);
        Choices start = start(tuned, where);
        Stretches stretches = Stretches.of(record, recordLimit);
        LoadedJob loaded = jobOptions.load(job);
        TopologyGraph graph = graph(loaded, stretches);
        if (output != null) {
            output.check(graph);
        }
        TrialRoad road = road(where, loaded, given, start);
        road.runner(given, start).plan(begun(graph, tuned)); // refuses what thalweg run would
        TuningRecord steps = new TuningRecord(tuning(), graph.name(), Clock.system());
        try (Withdrawals withdrawals = Withdrawals.open(
                        JobOptions.file(job), where.road().name(), circumstances(wanted, given, start, where));
                StretchRecorder recorder = stretches == null ? null : stretches.recorder(graph);
                TuneView view = TuneView.open(
                        steps, web, history, line -> Report.standardError().println("thalweg: " + line), quiet)) {
            Signals.handle(this::stop);
            try {
                if (stretches != null && recorder != null) {
                    untilStopped(() -> {
                        tell("stopped while recording; nothing was tuned");
                        recorder.stop();
                    });
                    stretches.record(recorder, this::tell);
                    if (recorder.isStopped()) {
                        view.end(TuningRecord.State.STOPPED, null);
                        return signalled();
                    }
                }
                try (ProcessTrials trials = new ProcessTrials(
                        job,
                        jobOptions.className(),
                        jobOptions.set(),
                        road,
                        graph,
                        given,
                        guarantees.saysInterval(),
                        wanted.rate(),
                        recorder == null ? null : recorder.folder(),
                        atMost)) {
                    untilStopped(() -> {
                        tell("stopping; what pays so far is kept");
                        trials.stop();
                    });
                    TuneReport report = tune(wanted, trials, where, start, withdrawals, people, settings, steps);
                    people.print(PlainText.lines(TuneText.end(report)));
                    tellFiles(people, report, withdrawals, settings);
                    people.flush();
                    if (output != null) {
                        output.write(RecordJson.text(report), standardOutput);
                    }
                    view.end(trials.isStopped() ? TuningRecord.State.STOPPED : TuningRecord.State.FINISHED, null);
                    return trials.isStopped() ? signalled() : ExitCodes.DONE;
                }
            } catch (RuntimeException | Error e) {
                writeFailed(steps.report(), output, standardOutput);
                view.end(TuningRecord.State.FAILED, Failures.oneLine(e));
                throw e;
            }
        } catch (InterruptedException e) {
            return signalled();
        }
    }

    private int signalled() {
        return ExitCodes.SIGNAL + (signal.get() == 0 ? INT : signal.get());
    }

    private TopologyGraph graph(LoadedJob loaded, @Nullable Stretches stretches) {
        return stretches == null
                ? RepeatableInput.graph(
                        jobOptions, loaded, "tune", ", or have tune record a stretch first, with --record 30s")
                : RepeatableInput.defined(jobOptions, loaded);
    }

    /** From now on a signal, or one that has come already, does this. */
    private void untilStopped(Runnable stop) {
        stops = stop;
        if (signal.get() != 0) {
            stop.run();
        }
    }

    /** Where the runs are, if what was given can be so there. */
    private TrialRoad road(Destination where, LoadedJob loaded, RunSettings given, Choices start) {
        TrialRoad road = where.within(loaded);
        try {
            road.runner(given, start);
            return road;
        } catch (IllegalArgumentException e) {
            throw new UsageException("--on " + where.road().name() + ": " + e.getMessage());
        }
    }

    private static TopologyGraph begun(TopologyGraph graph, @Nullable TunedFile tuned) {
        try {
            return tuned == null ? graph : tuned.graph(graph);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--tuned: " + e.getMessage());
        }
    }

    /**
     * The settings to begin with. An interval of checkpoints that was given is none of them, but a promise; nor is what an option of the
     * road says.
     */
    private Choices start(@Nullable TunedFile tuned, Destination where) {
        Choices all = guarantees.choices(work.choices(tuned));
        return new Choices(all.all().stream()
                .filter(each -> each.setting() != Setting.CHECKPOINT_INTERVAL || !guarantees.saysInterval())
                .filter(each -> Tuned.given(where.options(), each.setting()) == null)
                .toList());
    }

    private RunRecord.Run tuning() {
        return new RunRecord.Run(
                UUID.randomUUID().toString(),
                job,
                on,
                new Main.Version().getVersion()[0],
                Clock.system().epochMs(),
                Secrets.without(jobOptions.set()),
                Secrets.without(Objects.requireNonNull(spec), NOT_OF_THE_TUNING));
    }

    private TuneReport tune(
            Goal wanted,
            ProcessTrials trials,
            Destination where,
            Choices start,
            Withdrawals withdrawals,
            PrintStream people,
            TunedOutput settings,
            TuningRecord steps) {
        boolean[] begun = {false};
        Tuner tuner = new Tuner(
                wanted,
                trials,
                machine(where),
                start,
                withdrawals.choices(),
                report -> {
                    steps.report(report);
                    if (!begun[0]) {
                        people.print(PlainText.lines(TuneText.head(report)));
                        begun[0] = true;
                    } else if (report.steps().isEmpty()) {
                        people.print(PlainText.lines(TuneText.reset(report)));
                    } else {
                        Step step = report.steps().get(report.steps().size() - 1);
                        if (step.outcome() == Step.Outcome.TRYING) {
                            return;
                        }
                        people.print(PlainText.lines(TuneText.of(report, step)));
                        if (step.outcome().isWithdrawn()) {
                            withdrawals.add(step.choice(), JobOptions.file(job));
                        }
                    }
                    people.flush();
                    write(report, settings, steps);
                },
                line -> {
                    steps.next(line);
                    tell(line);
                });
        try {
            TuneReport report = tuner.tune();
            if (begun[0]) {
                steps.report(report);
                write(report, settings, steps);
            }
            return report;
        } catch (RuntimeException | Error e) {
            steps.report(tuner.failed(Failures.oneLine(e)));
            if (settings.isWritten()) {
                people.println("  written   "
                        + PlainText.line(settings.file() + ": what paid until the error: " + applied(settings.file())));
                people.flush();
            }
            throw e;
        }
    }

    /** What was tried before an error: if that cannot be written, it is told beside the error. */
    private static void writeFailed(
            @Nullable TuneReport report, @Nullable DiagnosisOutput output, PrintStream standardOutput) {
        if (output == null || report == null || report.failure() == null) {
            return;
        }
        try {
            output.write(RecordJson.text(report), standardOutput);
        } catch (ConnectorException e) {
            Report.standardError().println("thalweg: " + Failures.oneLine(e));
        }
    }

    private void tellFiles(PrintStream people, TuneReport report, Withdrawals withdrawals, TunedOutput settings) {
        if (settings.isWritten()) {
            String use = report.isWithdrawn() ? "without the changes that are withdrawn" : applied(settings.file());
            people.println("  written   " + PlainText.line(settings.file() + ": " + use));
        }
        boolean withdrew =
                report.steps().stream().anyMatch(step -> step.outcome().isWithdrawn());
        if (withdrew || !report.skipped().isEmpty()) {
            String where = withdrawals.file() == null
                    ? "changes are not remembered: there is no place for it; XDG_CACHE_HOME may name one"
                    : "changes are remembered in " + withdrawals.file() + "; delete it to have them tried again";
            people.println("  withdrawn " + PlainText.line(where));
        }
    }

    /** The command that applies what was found. */
    private String applied(Path file) {
        return "thalweg run " + job + promised() + " --tuned " + quoted(file.toString());
    }

    /** Options of {@code thalweg run} that were given and are not in the file. */
    private String promised() {
        StringBuilder text = new StringBuilder();
        for (OptionSpec option : new LinkedHashSet<>(
                Objects.requireNonNull(spec).commandLine().getParseResult().matchedOptions())) {
            String name = option.longestName();
            boolean isOfRoad = roads.hasOption(name);
            for (String value :
                    PROMISES.contains(name) || isOfRoad ? option.originalStringValues() : List.<String>of()) {
                text.append(' ').append(name);
                if (option.arity().max() > 0) {
                    text.append(' ').append(quoted(Secrets.without(name + " " + value, value)));
                }
            }
        }
        return text.toString();
    }

    /** For a shell. */
    private static String quoted(String text) {
        return PLAIN.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
    }

    private void stop(int number) {
        if (!signal.compareAndSet(0, number)) {
            Runtime.getRuntime().halt(ExitCodes.SIGNAL + number);
        }
        stops.run();
    }

    // ---- what was given

    private Destination destination() {
        int equals = job.indexOf('=');
        if (equals > 0 && List.of("flink", "storm", "kafka").contains(job.substring(0, equals))) {
            throw new UsageException("thalweg tune runs a job itself, and does not watch " + job
                    + "; JOB is a .java file or a .jar, and --on says what runs it");
        }
        Destination where = Destination.of(on, roads, Objects.requireNonNull(spec));
        String name = where.road().name();
        if (where.road().tunes().isEmpty()) {
            throw new UsageException("thalweg tune runs jobs on " + roads.tuned() + ", not --on " + name);
        }
        if (where.address() != null) {
            throw new UsageException("thalweg tune runs jobs in JVMs of its own, not on a cluster: tune it --on " + name
                    + "; what is found can be applied with --on " + on + " --tuned FILE");
        }
        return where;
    }

    private Goal goal(Destination where) {
        Double wanted = rate;
        if (wanted != null && !(wanted > 0 && wanted <= MOST_RATE)) {
            throw new UsageException("--rate is a number of records per second, such as 50000, not " + wanted);
        }
        if (goal.equals(THROUGHPUT)) {
            if (wanted != null) {
                throw new UsageException("--rate is for a latency, such as --for 'p99<5ms'; throughput has no rate");
            }
            return Goal.THROUGHPUT;
        }
        Goal latency;
        try {
            latency = Goal.latency(goal, wanted == null ? 0 : wanted);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--for: " + e.getMessage());
        }
        if (!where.road().equals(Runners.EMBEDDED)) {
            throw new UsageException("--for '" + goal + "' needs the latency of records, which nobody measures --on "
                    + where.road().name() + "; tune for throughput there");
        }
        if (wanted == null) {
            throw new UsageException("--for '" + goal + "' needs --rate N: how many records come per second");
        }
        return latency;
    }

    private TunedOutput output() {
        Path name = JobOptions.file(job).getFileName();
        String own = name == null ? "job" : name.toString().replaceFirst("\\.(java|jar)$", "");
        return TunedOutput.of(out == null ? own + ".tuned.yaml" : out);
    }

    private String circumstances(Goal wanted, RunSettings given, Choices start, Destination where) {
        return new Main.Version().getVersion()[0] + ", class " + jobOptions.className() + ", set "
                + Integer.toHexString(new TreeMap<>(jobOptions.set()).hashCode()) + ", for " + wanted + ", Java "
                + Runtime.version() + " "
                + ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                        .filter(option -> option.startsWith("-X"))
                        .filter(option -> !option.startsWith("-XX:SharedArchiveFile"))
                        .toList()
                + ", " + System.getProperty("os.name") + " " + System.getProperty("os.arch") + ", "
                + machine(where).cores()
                + " cores, from " + start.all() + ", guarantee " + given.guarantee()
                + (where.options().isEmpty()
                        ? ""
                        : ", options " + Integer.toHexString(new TreeMap<>(where.options()).hashCode()))
                + (record == null ? "" : ", recorded");
    }

    private static Machine machine(Destination where) {
        Runtime runtime = Runtime.getRuntime();
        return new Machine(
                runtime.availableProcessors(),
                collector(),
                runtime.maxMemory(),
                Set.copyOf(where.road().tunes()));
    }

    /** As the settings name it; empty if it is another one. */
    private static String collector() {
        List<String> names = ManagementFactory.getGarbageCollectorMXBeans().stream()
                .map(GarbageCollectorMXBean::getName)
                .toList();
        Map<String, String> known = Map.of("G1", "g1", "PS", "parallel", "Copy", "serial", "ZGC", "z");
        return known.entrySet().stream()
                .filter(each -> names.stream().anyMatch(name -> name.startsWith(each.getKey())))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("");
    }

    private void write(TuneReport report, TunedOutput settings, TuningRecord steps) {
        String text = TunedYaml.of(
                report,
                "thalweg tune " + job + promised() + " --for '" + goal + "'"
                        + (rate == null ? "" : " --rate " + rate)
                        + (record == null ? "" : " --record " + record));
        settings.write(text);
        steps.settings(settings.file().toString(), text, applied(settings.file()));
    }

    private void tell(String line) {
        if (!quiet) {
            Report.standardError().println("thalweg: " + PlainText.line(line));
        }
    }
}
