// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.cli.report.Report;
import io.thalweg.job.LoadedJob;
import io.thalweg.lab.LabException;
import io.thalweg.lab.driver.Setting;
import io.thalweg.lab.race.Race;
import io.thalweg.lab.race.RaceStudy;
import io.thalweg.lab.race.RaceText;
import io.thalweg.lab.result.CellResult;
import io.thalweg.lab.result.ResultFiles;
import io.thalweg.lab.result.Results;
import io.thalweg.lab.run.LabRun;
import io.thalweg.run.PlainText;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code thalweg race JOB}: one job on several engines side by side, each run in a fresh JVM. */
@Command(
        name = "race",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Runs a job embedded, on Flink and on Storm in turns, and compares their rates and outputs.",
            "Each run is a fresh JVM. Names a winner only if it is faster than each of the others beyond doubt."
        },
        footer = {
            "",
            "Sinks are not opened: what would be written is counted and compared. Operators that write or ask somewhere themselves",
            "do so in every run. The input must end, and be the same each time.",
            "Exit codes: 0 done, 1 the job cannot be raced, or failed or put out something else on an engine,",
            "2 the command line or JOB is wrong."
        })
final class RaceCommand implements Callable<Integer> {
    private static final int COLUMNS = 120;
    private static final int MOST_ROUNDS = 100;

    @Parameters(paramLabel = "JOB", description = "a single-file topology (.java), or a .jar")
    private String job = "";

    @Mixin
    private JobOptions jobOptions = new JobOptions();

    @Option(
            names = "--engines",
            split = ",",
            paramLabel = "NAME",
            description = "which ones; default: ${DEFAULT-VALUE}. The first one is what the others are compared with")
    private List<String> engines = List.of("thalweg", "flink", "storm");

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "how often each engine runs the job; default: ${DEFAULT-VALUE}, and 3 at least for a winner")
    private int rounds = 5;

    @Option(
            names = "--for",
            paramLabel = "throughput|cpu|p50|p99",
            description =
                    "what decides: records a second (default), CPU time for a record, or latency from event time to sink")
    private String goal = "throughput";

    @Option(
            names = "--heap",
            paramLabel = "SIZE",
            description = "heap of each JVM, such as 4g; default: ${DEFAULT-VALUE}")
    private String heap = "2g";

    @Option(
            names = "--with",
            paramLabel = "ENGINE.KEY=VALUE",
            description =
                    "an option of an engine, such as thalweg.idle=park or flink.pipeline.object-reuse=false; may be repeated")
    private Map<String, String> with = new LinkedHashMap<>();

    @Option(
            names = "--sweep",
            paramLabel = "ENGINE.KEY=VALUE,…",
            description =
                    "races the engine with each of these values, too; may be repeated, one option changes at a time")
    private Map<String, String> sweep = new LinkedHashMap<>();

    @Option(
            names = "--full",
            description = "warms up for 30 seconds at least and measures 10, as a full run of the lab")
    private boolean full;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "writes all results, for thalweg lab compare and report; - for stdout")
    private @Nullable String json;

    @Option(names = "--quiet", description = "no progress; results and errors are still printed")
    private boolean quiet;

    @Option(names = "--debug", description = "prints errors with their stack trace")
    private boolean debug;

    @Override
    public Integer call() {
        try {
            return race();
        } catch (Exception | Error e) {
            return Failures.report(
                    e instanceof LabException ? new ConnectorException(Failures.oneLine(e), e) : e, debug);
        }
    }

    private int race() throws Exception {
        Race.Goal wanted = goal();
        if (rounds < 1 || rounds > MOST_ROUNDS) {
            throw new UsageException("--rounds is a number from 1 to " + MOST_ROUNDS + ", not " + rounds);
        }
        if (!heap.matches("[1-9][0-9]{0,5}[mMgG]")) {
            throw new UsageException("--heap is a size such as 512m or 4g, not " + heap);
        }
        DiagnosisOutput output = json == null ? null : DiagnosisOutput.checked(json, Arrays.asList(job));
        PrintStream standardOutput = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        PrintStream people = output != null && output.isStandardOutput() ? Report.standardError() : standardOutput;
        Path home = LabCommand.home("thalweg race");
        Path file = JobOptions.file(job);
        LoadedJob loaded = jobOptions.load(job);
        TopologyGraph graph = RepeatableInput.graph(jobOptions, loaded, "race", "");
        if (output != null) {
            output.check(graph);
        }
        RepeatableInput.shouldBeThere(graph);
        try (LabRun lab = new LabRun(home, LabCommand.version(), this::tell)) {
            lab.with(LabCommand.partsOnClassPath());
            Runtime.getRuntime().addShutdownHook(new Thread(lab::kill, "killer"));
            RaceStudy study = new RaceStudy(loaded.name(), file, settings(), sweep(), engines(lab));
            double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
            tell(String.format(
                    Locale.ROOT,
                    "racing %s on %s, %d rounds; other load on this machine now: %.1f",
                    loaded.name(),
                    String.join(", ", engines),
                    rounds,
                    load));
            Results results = lab.run(new LabRun.Wish(List.of(study.selection()), List.of(), !full, 0, rounds));
            Race race = Race.of(results, wanted);
            people.print(PlainText.lines(RaceText.of(race, loaded.name(), results.machine(), COLUMNS)));
            if (load >= 0) {
                people.printf(Locale.ROOT, "Load of the machine before the race: %.1f.%n", load);
            }
            people.flush();
            if (output != null) {
                output.write(ResultFiles.toJson(LabCommand.shown(results)), standardOutput);
            }
            return results.cells().stream().anyMatch(RaceCommand::failed)
                            || results.cells().stream().allMatch(cell -> cell.figure() == null)
                    ? ExitCodes.FAILED
                    : ExitCodes.DONE;
        }
    }

    /** Runs that do not count, where a refusal would have been no run at all. */
    private static boolean failed(CellResult cell) {
        return cell.figure() == null && !cell.runs().isEmpty();
    }

    private Race.Goal goal() {
        return switch (goal) {
            case "throughput" -> Race.Goal.THROUGHPUT;
            case "cpu" -> Race.Goal.CPU;
            case "p50" -> Race.Goal.P50;
            case "p99" -> Race.Goal.P99;
            default -> throw new UsageException("--for is throughput, cpu, p50 or p99, not " + goal);
        };
    }

    private Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("heap", heap);
        if (goal().isLatency()) {
            settings.put("latency", "event-time");
        }
        String className = jobOptions.className();
        if (className != null) {
            settings.put("class", className);
        }
        jobOptions.set().forEach((key, value) -> settings.put("set." + key, value));
        with.forEach((name, value) -> settings.put(option("--with", name, value), value));
        return settings;
    }

    private Map<String, List<String>> sweep() {
        Map<String, List<String>> values = new LinkedHashMap<>();
        sweep.forEach((name, list) -> {
            List<String> each = List.copyOf(new LinkedHashSet<>(Arrays.asList(list.split(","))));
            each.forEach(value -> option("--sweep", name, value));
            values.put(name, each);
        });
        return values;
    }

    /** Its engine must be in the race; engines with many options find out for themselves whether they know it. */
    private String option(String asked, String name, String value) {
        if (!Setting.isOption(name)) {
            throw new UsageException(asked + " takes ENGINE.KEY=VALUE, such as thalweg.batch=1024, not " + name);
        }
        if (!engines.contains(Setting.engineOf(name))) {
            throw new UsageException(
                    asked + " " + name + ": " + Setting.engineOf(name) + " is not in the race; --engines names them");
        }
        try {
            Setting.named(name).check(value);
        } catch (IllegalArgumentException e) {
            throw new UsageException(asked + ": " + e.getMessage());
        }
        return name;
    }

    private List<String> engines(LabRun lab) {
        List<String> roads = lab.enginesOfTopologies();
        for (String each : engines) {
            if (!roads.contains(each)) {
                throw new UsageException(
                        "--engines: topologies do not run on '" + each + "'; there are " + String.join(", ", roads));
            }
        }
        return List.copyOf(new LinkedHashSet<>(engines));
    }

    private void tell(String line) {
        if (!quiet) {
            Report.standardError().println("thalweg: " + PlainText.line(line));
        }
    }
}
