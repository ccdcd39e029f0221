// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.tune;

import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.graph.TunedGraph;
import io.thalweg.api.stats.JobStats;
import io.thalweg.doctor.embedded.JobObserver;
import io.thalweg.doctor.embedded.Profiler;
import io.thalweg.doctor.observation.Observation;
import io.thalweg.doctor.observation.RecordJson;
import io.thalweg.doctor.tune.Choices;
import io.thalweg.doctor.tune.Measured;
import io.thalweg.doctor.tune.Output;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.job.JobLoader;
import io.thalweg.job.LoadedJob;
import io.thalweg.run.CacheFolder;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.PlainText;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.run.RunningJob;
import io.thalweg.run.output.DigestSink;
import io.thalweg.run.output.OutputDigests;
import io.thalweg.run.output.PrintedLines;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The JVM of one run of {@code thalweg tune}: runs the job of an order to its end without opening its sinks, and writes what was
 * measured into a file. It ends at once when its standard input does: then whoever started it is gone.
 */
public final class TrialMain {
    private static final Duration TICK = Duration.ofMillis(250);
    private static final int TICKS_BETWEEN_LOOKS = 4;

    private final TrialOrder order;
    private final OutputDigests digests = new OutputDigests();
    private final PrintedLines printed = new PrintedLines();

    private TrialMain(TrialOrder order) {
        this.order = order;
    }

    public static void main(String[] arguments) throws IOException {
        endWithParent();
        TrialOrder order = RecordJson.read(Files.readAllBytes(Path.of(arguments[0])), TrialOrder.class);
        Measured measured;
        try {
            measured = run(order);
        } catch (Exception | Error e) {
            measured = Measured.failed(why(e));
        }
        Path result = Path.of(order.result());
        Path unfinished = result.resolveSibling(result.getFileName() + ".new");
        Files.writeString(unfinished, RecordJson.line(measured));
        Files.move(unfinished, result);
        Runtime.getRuntime().halt(0); // what the job's code started need not end
    }

    /** Runs the job in this JVM, whose standard output is another one then. */
    static Measured run(TrialOrder order) throws InterruptedException, IOException {
        TrialMain trial = new TrialMain(order);
        try {
            return trial.run();
        } finally {
            trial.digests.close();
        }
    }

    private static void endWithParent() {
        Thread watch = new Thread(
                () -> {
                    try {
                        int read = 0;
                        while (read >= 0) {
                            read = System.in.read();
                        }
                    } catch (IOException e) {
                        // it is gone too
                    }
                    Runtime.getRuntime().halt(1);
                },
                "thalweg-tune-parent");
        watch.setDaemon(true);
        watch.start();
    }

    static String why(Throwable failure) {
        String message = failure.getMessage();
        String name = failure.getClass().getSimpleName();
        if (failure instanceof OutOfMemoryError) {
            return "out of memory: the heap of " + Runtime.getRuntime().maxMemory() / (1024 * 1024) + " MiB is full";
        }
        return message == null || message.isBlank() ? name : PlainText.line(message);
    }

    private Measured run() throws InterruptedException, IOException {
        System.setOut(new PrintStream(printed, false, StandardCharsets.UTF_8));
        LoadedJob loaded = new JobLoader(CacheFolder.jobs()).load(Path.of(order.job()), order.className());
        Thread.currentThread().setContextClassLoader(loaded.loader());
        Choices choices = new Choices(order.choices());
        TopologyGraph graph = Tuned.graph(loaded.define(settings(order.set())), choices);
        Path checkpoints = order.checkpoints() == null ? null : Path.of(order.checkpoints());
        RunSettings promised = order.promises().settings(checkpoints);
        RunSettings settings = Tuned.settings(promised, choices).withConsole(System.out);
        TrialRoad road = order.road().equals(Runner.EMBEDDED)
                ? null
                : TrialRoad.of(order.road(), order.options(), loaded.jars());
        JobObserver observer = road == null ? new JobObserver() : JobObserver.ofThreads();
        try (Profiler profiler = new Profiler()) {
            if (order.watched() && road == null) { // another engine does not tell which operator runs
                profiler.start();
                settings = settings.withStages(profiler::made)
                        .withKeys((from, to, task) -> observer.keys().along(from, to, task)::add);
            }
            Runner runner = road == null ? new EmbeddedRunner(settings) : road.runner(settings, choices);
            return run(runner.start(alone(graph)), road != null, observer, profiler);
        }
    }

    /** @param elsewhere another engine runs it, which takes seconds to begin and to end: the doctor looks while sinks are at work */
    private Measured run(RunningJob job, boolean elsewhere, JobObserver whole, Profiler profiler)
            throws InterruptedException, IOException {
        JobObserver during = null;
        int ticks = 0;
        while (!job.await(TICK)) {
            ticks++;
            if (!order.watched() || ticks % TICKS_BETWEEN_LOOKS != 0) {
                continue;
            }
            if (!elsewhere) {
                look(whole, job);
            } else if (digests.isAtWork() && during == null) {
                during = JobObserver.ofThreads(job.stats(), job.restarts());
            } else if (digests.isAtWork() && during != null) {
                look(during, job);
            }
        }
        JobStats stats;
        try {
            stats = job.await();
        } catch (JobFailedException e) {
            return Measured.failed(why(e));
        }
        Observation observation = null;
        if (order.watched() && during != null && during.hasSeenAnything()) {
            observation = during.observation(stats.state(), List.of(), null);
        } else if (order.watched()) {
            look(whole, job);
            observation = whole.hasSeenAnything() ? whole.observation(stats.state(), profiler.profiles(), null) : null;
        }
        long tookNs = digests.workedNs() == 0 ? stats.elapsedNs() : digests.workedNs();
        return new Measured(null, false, tookNs / 1e9, stats.recordsIn(), stats.latency(), outputs(stats), observation);
    }

    private static void look(JobObserver observer, RunningJob job) {
        observer.look(job.stats(), job.restarts(), job.lastFailure(), job.lastCheckpoint());
    }

    private List<Output> outputs(JobStats stats) {
        digests.add("printed lines", printed.digest());
        List<Output> outputs = new ArrayList<>();
        digests.totals().forEach(each -> outputs.add(new Output(each.name(), each.records(), each.digest())));
        outputs.add(new Output("bad records", stats.recordsBad(), ""));
        outputs.add(new Output("late records", stats.recordsLate(), ""));
        return outputs;
    }

    /** With what was recorded, at the rate that is asked for, and with digests in the place of sinks. */
    private TopologyGraph alone(TopologyGraph defined) throws IOException {
        Path recorded = order.recorded() == null ? null : Path.of(order.recorded());
        TopologyGraph graph =
                recorded == null ? defined : Stretch.read(recorded).replay(defined, recorded);
        long sources = graph.nodes().stream()
                .filter(node -> node.spec().source() != null)
                .count();
        TopologyGraph paced = order.rate() == 0
                ? graph
                : TunedGraph.withSources(graph, source -> new PacedSource(source, order.rate() / sources));
        return DigestSink.insteadOfSinks(paced, digests);
    }

    static Map<String, String> settings(List<String> set) {
        Map<String, String> settings = new LinkedHashMap<>();
        for (String each : set) {
            int equals = each.indexOf('=');
            settings.put(each.substring(0, equals), each.substring(equals + 1));
        }
        return settings;
    }

    /** As {@link #settings} takes them. */
    static List<String> list(Map<String, String> settings) {
        return settings.entrySet().stream()
                .map(each -> each.getKey() + "=" + each.getValue())
                .toList();
    }

    /** For a job that cannot have ended by itself. */
    static @Nullable String lastLine(Path file) throws IOException {
        List<String> lines = Files.readString(file, StandardCharsets.ISO_8859_1)
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("\t"))
                .toList();
        return lines.isEmpty() ? null : PlainText.line(lines.get(lines.size() - 1));
    }
}
