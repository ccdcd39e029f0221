// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.tune;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.graph.TopologyException;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.doctor.embedded.Profiler;
import io.thalweg.doctor.observation.RecordJson;
import io.thalweg.doctor.tune.Choices;
import io.thalweg.doctor.tune.Measured;
import io.thalweg.doctor.tune.Setting;
import io.thalweg.doctor.tune.Trials;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.Clock;
import io.thalweg.run.RunSettings;
import io.thalweg.run.TemporaryFolder;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs a job in one fresh JVM after the other, each with the options of this one. {@link #stop} may be called by any thread, the rest
 * by one.
 */
public final class ProcessTrials implements Trials, AutoCloseable {
    /** Options that only one JVM at a time can have, or that would write files again and again. */
    private static final List<String> NOT_INHERITED =
            List.of("-agentlib:", "-javaagent:", "-Xrunjdwp", "-XX:StartFlightRecording");

    /** Exit codes of a JVM that SIGHUP, SIGINT or SIGTERM ended. */
    private static final Set<Integer> SIGNALLED = Set.of(129, 130, 143);

    private static final int KILLED_WITHIN_S = 10;
    private static final Duration GRACE = Duration.ofMinutes(1);

    /** A cluster within the JVM takes 10 s to begin and to end, and a multiple of it where others keep the cores busy. */
    private static final Duration GRACE_ELSEWHERE = Duration.ofMinutes(3);

    private final String job;
    private final @Nullable String className;
    private final Map<String, String> set;
    private final TrialRoad road;
    private final TopologyGraph graph;
    private final Promises promises;
    private final boolean intervalGiven;
    private final double rate;
    private final @Nullable Path recorded;
    private final TemporaryFolder folder;
    private final Path temporary;
    private final @Nullable TemporaryFolder checkpoints;
    private final Clock clock = Clock.system();
    private final long untilNs;

    private int number;
    private @Nullable Process process;
    private boolean stopped;

    /**
     * @param road that all runs are on
     * @param graph of the job, to find out what fits it
     * @param given what the job promises, in every run. Its checkpoints go to a hidden folder of their own in its directory, or in
     *     the nearest above that is there: on the same disk
     * @param intervalGiven that of its checkpoints is not to be changed
     * @param rate of records per second; 0 for as fast as possible
     * @param recorded folder of a stretch that live sources are replaced by; null if nothing was recorded
     * @param budget that begins now
     * @throws ConnectorException if there is no place for temporary files
     */
    public ProcessTrials(
            String job,
            @Nullable String className,
            Map<String, String> set,
            TrialRoad road,
            TopologyGraph graph,
            RunSettings given,
            boolean intervalGiven,
            double rate,
            @Nullable Path recorded,
            Duration budget) {
        this.job = job;
        this.className = className;
        this.set = Map.copyOf(set);
        this.road = road;
        this.graph = graph;
        this.rate = rate;
        this.recorded = recorded;
        this.intervalGiven = intervalGiven;
        promises = Promises.of(given);
        CheckpointSettings kept = given.checkpoints();
        try {
            folder = TemporaryFolder.make("thalweg-tune-");
            temporary = Files.createDirectory(folder.path().resolve("tmp"));
            checkpoints = kept == null ? null : TemporaryFolder.make(nearest(kept.directory()), ".thalweg-tune-");
        } catch (IOException e) {
            throw new ConnectorException("no folder for temporary files can be made: " + e.getMessage(), e);
        }
        untilNs = clock.nowNs() + budget.toNanos();
    }

    /** The directory, or the nearest above it that is there. */
    private static Path nearest(Path directory) {
        Path there = directory.toAbsolutePath();
        while (!Files.isDirectory(there) && there.getParent() != null) {
            there = there.getParent();
        }
        return there;
    }

    @Override
    public String topology() {
        return graph.name();
    }

    @Override
    public Duration grace() {
        return road.leadsElsewhere() ? GRACE_ELSEWHERE : GRACE;
    }

    @Override
    public Duration left() {
        return Duration.ofNanos(untilNs - clock.nowNs());
    }

    @Override
    public @Nullable String unfit(Choices choices) {
        try {
            boolean interval = choices.value(Setting.CHECKPOINT_INTERVAL) != null;
            if (interval && (intervalGiven || !promises.checkpoints())) {
                return intervalGiven ? "the interval of checkpoints was given" : "it takes no checkpoints";
            }
            boolean ofAcks = choices.value(Setting.MAX_PENDING) != null || choices.value(Setting.ACKERS) != null;
            if (ofAcks && promises.guarantee() != Guarantee.ACKED) {
                return "it is not acked";
            }
            String given = road.given(choices);
            if (given != null) {
                return given;
            }
            RunSettings settings = Tuned.settings(promises.settings(folderOf(0)), choices);
            road.runner(settings, choices).plan(Tuned.graph(graph, choices));
            return null;
        } catch (IllegalArgumentException | TopologyException | ConnectorException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** For the checkpoints of a run; null if it takes none. */
    private @Nullable Path folderOf(int run) {
        return checkpoints == null ? null : checkpoints.path().resolve("run-" + run);
    }

    @Override
    public Measured run(Choices choices, boolean watched, Duration atMost) throws InterruptedException {
        number++;
        Path result = folder.path().resolve("run-" + number + ".json");
        Path errors = folder.path().resolve("run-" + number + ".err");
        try {
            Path order = folder.path().resolve("order.json");
            Path own = folderOf(number);
            Files.writeString(
                    order,
                    RecordJson.line(new TrialOrder(
                            job,
                            className,
                            TrialMain.list(set),
                            road.info().name(),
                            road.given(),
                            promises,
                            own == null ? null : own.toString(),
                            choices.all(),
                            watched,
                            rate,
                            recorded == null ? null : recorded.toString(),
                            result.toString())));
            Process started = start(command(choices, watched, order), errors);
            if (!started.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
                end(started);
                return Measured.late(atMost);
            }
            if (!Files.exists(result) && SIGNALLED.contains(started.exitValue())) {
                stop(); // a terminal sends Ctrl-C to all of its processes, and this one may not have noticed yet
            }
            if (isStopped()) {
                throw new InterruptedException("stopped");
            }
            Measured measured = Files.exists(result)
                    ? RecordJson.read(Files.readAllBytes(result), Measured.class)
                    : Measured.failed(lastWords(started.exitValue(), errors));
            Files.deleteIfExists(result);
            Files.deleteIfExists(errors);
            return measured;
        } catch (IOException e) {
            throw new ConnectorException("a run of the job cannot be started or read: " + e.getMessage(), e);
        }
    }

    private List<String> command(Choices choices, boolean watched, Path order) {
        List<String> options =
                new ArrayList<>(ManagementFactory.getRuntimeMXBean().getInputArguments());
        options.removeIf(option -> NOT_INHERITED.stream().anyMatch(option::startsWith));
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(Tuned.javaOptions(options, choices));
        if (road.leadsElsewhere()) {
            command.add("-Djava.io.tmpdir=" + temporary); // what an engine leaves there goes with the folder
        } else if (watched) {
            command.addAll(Profiler.javaOptions(temporary));
        }
        command.addAll(
                List.of("-cp", System.getProperty("java.class.path"), TrialMain.class.getName(), order.toString()));
        return command;
    }

    private synchronized Process start(List<String> command, Path errors) throws IOException, InterruptedException {
        if (stopped) {
            throw new InterruptedException("stopped");
        }
        Process started = new ProcessBuilder(command)
                .redirectOutput(Redirect.DISCARD)
                .redirectError(errors.toFile())
                .directory(new File("").getAbsoluteFile())
                .start();
        process = started;
        return started;
    }

    private static String lastWords(int code, Path errors) throws IOException {
        String last = TrialMain.lastLine(errors);
        return "its JVM ended with exit code " + code + (last == null ? ", and said nothing" : ": " + last);
    }

    /** Whether the user wants no more. */
    public synchronized boolean isStopped() {
        return stopped;
    }

    /** Ends what runs, and lets nothing run any more: {@link #run} then throws {@link InterruptedException}. */
    public synchronized void stop() {
        stopped = true;
        if (process != null) {
            end(process);
        }
    }

    private static void end(Process started) {
        List<ProcessHandle> all = new ArrayList<>(started.descendants().toList());
        all.add(started.toHandle());
        all.forEach(ProcessHandle::destroyForcibly);
        CompletableFuture.allOf(all.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new))
                .completeOnTimeout(null, KILLED_WITHIN_S, TimeUnit.SECONDS)
                .join(); // until then they may still write into the folder, which is to be deleted
    }

    @Override
    public void close() {
        stop();
        folder.close();
        if (checkpoints != null) {
            checkpoints.close();
        }
    }
}
