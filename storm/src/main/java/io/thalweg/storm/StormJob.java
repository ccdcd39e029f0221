// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.stats.CheckpointStats;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.stats.PlanInfo;
import io.thalweg.engine.HostedJob;
import io.thalweg.engine.HostedOrders;
import io.thalweg.engine.HostedPlan;
import io.thalweg.engine.HostedSettings;
import io.thalweg.engine.HostedStats;
import io.thalweg.run.AckSettings;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.Clock;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.LossLines;
import io.thalweg.run.Restart;
import io.thalweg.run.RunSettings;
import io.thalweg.run.RunningJob;
import io.thalweg.run.Tolerance;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.storm.generated.StormTopology;
import org.jspecify.annotations.Nullable;

/** A job on Storm, which is restarted after failures if the settings say so. Any thread may call. */
public final class StormJob implements RunningJob {
    private static final Duration LISTEN = Duration.ofMillis(200);

    /** How long is waited before a cluster that does not answer is asked again. */
    private static final Duration AWAY = Duration.ofSeconds(1);

    /** Without a restart policy, for workers that die: a machine may fail once, but a record may kill each that reads it. */
    private static final Restart OF_LOST_WORKERS = Restart.fixed(3, Duration.ofSeconds(1));

    /** Maximum number of records that a source reads in one call of {@code nextTuple}. */
    private static final int STEP = 256;

    private final PlanInfo plan;
    private final TopologyGraph graph;
    private final RunSettings settings;
    private final Submitter place;
    private final Map<String, Object> options;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final LossLines lossLines;
    private volatile HostedStats stats;
    private volatile Submitter.@Nullable Running running;
    private volatile @Nullable CheckpointStats newest;
    private volatile @Nullable JobFailedException failure;
    private volatile @Nullable JobStats last;
    private final String run = UUID.randomUUID().toString();
    private String before = "";
    private int tasks;
    private int failures;
    private long failedNs;

    /** Since the last failure all tasks were open: one that dies each time it opens, after hours, has failed in a row. */
    private boolean begun;

    private boolean checkpointTaken;
    private final AtomicInteger restarts = new AtomicInteger();

    StormJob(PlanInfo plan, TopologyGraph graph, RunSettings settings, Submitter place, Map<String, Object> options) {
        this.plan = plan;
        this.graph = graph;
        this.settings = settings;
        this.place = place;
        this.options = options;
        lossLines = new LossLines(settings.warnings());
        stats = new HostedStats(plan);
    }

    void start() {
        byte[] bytes = JobDescriptor.write(graph);
        try {
            submit(bytes, settings.checkpoints());
        } catch (Submitter.UnsureException e) {
            throw new JobFailedException(e.getMessage() + "; " + e.advice(), e);
        }
        Thread thread = new Thread(() -> listen(bytes), "thalweg-storm-" + graph.name());
        thread.setDaemon(true);
        thread.start();
    }

    private void submit(byte[] bytes, @Nullable CheckpointSettings checkpoints) {
        RunSettings now = checkpoints == null ? settings : settings.withGuarantee(Guarantee.AT_LEAST_ONCE, checkpoints);
        HostedJob.Found found = HostedJob.look(graph, now);
        HostedPlan hostedPlan = new HostedPlan(graph, settings.parallelism());
        tasks = hostedPlan.tasks();
        AckSettings acks = StormRunner.acks(settings);
        int step = acks == null ? STEP : Math.max(1, Math.min(STEP, acks.maxPending() / 10));
        HostedSettings hosted = new HostedSettings(
                settings.parallelism(),
                settings.specialise(),
                settings.failOnBad(),
                settings.badLimit(),
                settings.stepRecords() > 0 ? settings.stepRecords() : step,
                now.guarantee(),
                acks != null,
                checkpoints != null,
                settings.stopTimeout().toMillis(),
                found.from(),
                checkpoints == null ? Tolerance.NONE : checkpoints.tolerance(),
                run);
        String id = UUID.randomUUID().toString().substring(0, 8);
        JobDescriptor descriptor = new JobDescriptor(
                id,
                before,
                bytes,
                hosted,
                new TreeMap<>(hostedPlan.splits(hosted)),
                place.local(),
                checkpoints == null
                        ? ""
                        : checkpoints.directory().toAbsolutePath().toString(),
                checkpoints == null ? Duration.ZERO : checkpoints.interval(),
                checkpoints == null ? Duration.ZERO : checkpoints.timeout(),
                checkpoints == null ? 1 : checkpoints.keep(),
                found.last());
        Map<String, Object> config = Wiring.config(place.workers(hostedPlan.tasks() + 1), acks);
        if (place.local()) {
            config.putAll(Wiring.patience(hostedPlan.tasks()));
        }
        config.putAll(options);
        String name = graph.name().replaceAll("[^A-Za-z0-9_-]", "-") + "-" + id;
        Submitter.Topology topology = new Submitter.Topology() {
            @Override
            public TopologyGraph graph() {
                return graph;
            }

            @Override
            public StormTopology make() {
                return Wiring.topology(hostedPlan, descriptor, acks);
            }
        };
        running = place.submit(name, id, HostedOrders.first(found.last()), config, topology);
        before = id;
        if (stopping.getCount() == 0) {
            cancelRunning();
        }
    }

    /** Follows the job until its end, and restarts it if necessary. */
    private void listen(byte[] bytes) {
        try {
            ControlMessage end = lastWords();
            while (end.kind() != ControlMessage.Kind.OVER) {
                boolean lost = end.kind() == ControlMessage.Kind.LOST;
                Restart policy = lost ? ofLostWorkers() : settings.restart();
                boolean goesOn = mayGoOn(policy) && !end.isFailedForGood();
                JobFailedException reason = new JobFailedException(end.text() + (lost ? advice(policy) : ""), null);
                if (!goesOn) {
                    throw reason;
                }
                Duration wait = policy.wait(failures);
                settings.warnings()
                        .accept(end.text() + "; it continues from its last checkpoint"
                                + (wait.toSeconds() == 0 ? "" : " in " + wait.toSeconds() + " s"));
                if (stopping.await(wait.toNanos(), TimeUnit.NANOSECONDS) || !awaitLeft()) {
                    throw reason;
                }
                startAgain(bytes, policy, reason);
                end = lastWords();
            }
            last = stats.stats(stopping.getCount() == 0 ? JobState.CANCELLED : JobState.FINISHED);
        } catch (JobFailedException e) {
            failure = e;
        } catch (InterruptedException e) {
            failure = new JobFailedException("topology '" + graph.name() + "' was interrupted", e);
        } catch (ConnectorException e) { // the file of bad records cannot be written, say
            failure = new JobFailedException(String.valueOf(e.getMessage()), e);
        } catch (RuntimeException | Error e) {
            failure = new JobFailedException("topology '" + graph.name() + "' on Storm: " + e, e);
        } finally {
            if (last == null) {
                last = stats.stats(JobState.FAILED);
            }
            ended.countDown();
        }
    }

    /** Waits until no task of the last attempt can write any more; false if the job is stopped meanwhile. */
    private boolean awaitLeft() throws InterruptedException {
        Submitter.Running before = running;
        boolean told = false;
        while (before != null && before.lingers()) {
            if (!told) {
                told = true;
                settings.warnings().accept("topology '" + graph.name() + "': " + before.lingering());
            }
            if (stopping.await(LISTEN.toNanos(), TimeUnit.NANOSECONDS)) {
                return false;
            }
        }
        return true;
    }

    private Restart ofLostWorkers() {
        return settings.restart().times() == 0 ? OF_LOST_WORKERS : settings.restart();
    }

    /** Counts the failure; true if the job may be restarted. */
    private boolean mayGoOn(Restart policy) {
        count();
        return settings.checkpoints() != null && stopping.getCount() > 0 && failures <= policy.times();
    }

    private void count() {
        long nowNs = HostedPlan.nowNs();
        failures = begun && nowNs - failedNs > Restart.FORGOTTEN_AFTER.toNanos() ? 1 : failures + 1;
        failedNs = nowNs;
        begun = false;
    }

    /** Counts a worker that has died before all tasks were open: nothing is lost, and Storm starts it again. */
    private boolean mayOpenAgain() {
        count();
        return failures <= ofLostWorkers().times();
    }

    /** What to try where a worker has died and the job ends. */
    private String advice(Restart policy) {
        if (settings.checkpoints() == null) {
            return "; with --guarantee at-least-once it would restart";
        }
        return failures <= policy.times()
                ? ""
                : "; that was failure " + failures
                        + " in a row, so the job is not restarted again: perhaps a record, or"
                        + " too little memory, ends each worker, which its worker.log says; --restart sets how often it is tried";
    }

    /**
     * If the next attempt cannot start, as where no slot is free yet, that is one more failure; but not if the cluster is away, which is
     * waited for as while a topology runs.
     */
    private void startAgain(byte[] bytes, Restart policy, JobFailedException reason) throws InterruptedException {
        boolean toldAway = false;
        while (true) {
            try {
                again(bytes);
                return;
            } catch (JobFailedException | ConnectorException e) {
                boolean away = place.isAway(e);
                if (!away && !mayGoOn(policy)) {
                    throw e;
                }
                Duration wait = away ? AWAY : policy.wait(failures);
                if (!away) {
                    settings.warnings().accept(e.getMessage() + "; it is retried in " + wait.toSeconds() + " s");
                } else if (!toldAway) {
                    boolean unsure = e.getCause() instanceof Submitter.UnsureException;
                    settings.warnings()
                            .accept(e.getMessage()
                                    + (unsure
                                            ? "; it is killed, if it is there, before the job continues"
                                            : "; the job continues when it answers again"));
                }
                toldAway = away;
                if (stopping.await(wait.toNanos(), TimeUnit.NANOSECONDS) || !awaitLeft()) {
                    throw reason;
                }
            }
        }
    }

    private void again(byte[] bytes) {
        CheckpointSettings checkpoints = settings.checkpoints();
        stats = new HostedStats(plan);
        newest = null;
        boolean submitted = false;
        restarts.incrementAndGet(); // first, since who sees what its tasks do may ask
        try {
            submit(bytes, checkpoints != null && checkpointTaken ? checkpoints.goingOn() : checkpoints);
            submitted = true;
        } catch (Submitter.UnsureException e) {
            running = e.perhaps();
            throw new JobFailedException(String.valueOf(e.getMessage()), e);
        } finally {
            if (!submitted) {
                restarts.decrementAndGet();
            }
        }
    }

    /** Follows one attempt until it ends, kills its topology, and returns its last message. */
    private ControlMessage lastWords() throws InterruptedException {
        Submitter.Running attempt = running;
        if (attempt == null) {
            throw new IllegalStateException("the job was not started");
        }
        Clock clock = settings.clock();
        SilenceWatch silence =
                new SilenceWatch(graph.name(), tasks, settings.warnings(), this::mayOpenAgain, clock.nowNs());
        try {
            while (true) {
                for (ControlMessage message : attempt.receive(LISTEN)) {
                    silence.heard(message, clock.nowNs());
                    begun |= silence.hasBegun();
                    if (message.endsJob()) {
                        return message.kind() == ControlMessage.Kind.LOST ? explained(message, attempt) : message;
                    }
                    take(message);
                }
                ControlMessage end = silence.look(attempt, stopping.getCount() == 0, clock.nowNs());
                if (end != null) {
                    return end;
                }
            }
        } finally {
            end(attempt);
        }
    }

    /** A topology that cannot be killed is told of, but does not hide how its job has ended. */
    private void end(Submitter.Running attempt) throws InterruptedException {
        try {
            attempt.end();
        } catch (JobFailedException e) {
            settings.warnings().accept(String.valueOf(e.getMessage()));
        }
    }

    /** With what the cluster says of the worker that died, if it says anything. */
    private static ControlMessage explained(ControlMessage lost, Submitter.Running attempt) {
        TopologyStatus standing = attempt.standing();
        return standing == null
                ? lost
                : ControlMessage.of(ControlMessage.Kind.LOST, 0, 0, lost.text() + standing.error());
    }

    private void take(ControlMessage message) {
        switch (message.kind()) {
            case COUNTS -> {
                stats.counts(message.task(), message.decoded(ControlMessage.COUNTS));
                lossLines.look(stats.stats(JobState.RUNNING).connections());
            }
            case PROCESS -> stats.process(message.text(), message.decoded(ControlMessage.PROCESS));
            case ACKS -> {
                List<Long> numbers = message.numbers();
                stats.acks(message.task(), numbers.get(0), numbers.get(1), numbers.get(2));
            }
            case BAD -> {
                BadRecord record = message.decoded(ControlMessage.BAD);
                stats.bad(message.text(), record);
                settings.badRecords().bad(graph.name(), message.text(), record);
            }
            case CONSOLE -> {
                settings.console().print(new String(message.bytes(), StandardCharsets.UTF_8));
                settings.console().flush();
            }
            case CHECKPOINT -> {
                newest = message.decoded(ControlMessage.CHECKPOINT);
                checkpointTaken = true;
            }
            case WARNING -> settings.warnings().accept(message.text());
            default -> {}
        }
    }

    @Override
    public JobStats stats() {
        JobStats atEnd = last;
        return atEnd == null ? stats.stats(JobState.RUNNING) : atEnd;
    }

    @Override
    public void cancel() {
        stopping.countDown();
        cancelRunning();
    }

    @Override
    public void drain() {
        throw new ConnectorException(
                "topology '" + graph.name() + "' cannot be drained on Storm; stop it and restore it"
                        + " embedded, which reads the same checkpoints, or stop it without draining");
    }

    @Override
    public CompletableFuture<String> savepoint(@Nullable Path directory) {
        return CompletableFuture.failedFuture(new ConnectorException("topology '" + graph.name()
                + "': no savepoints are taken on Storm; copy the newest file from its --checkpoint-dir"));
    }

    @Override
    public int restarts() {
        return restarts.get();
    }

    private void cancelRunning() {
        Submitter.Running attempt = running;
        if (attempt != null) {
            attempt.cancel();
        }
    }

    @Override
    public JobStats await() throws InterruptedException {
        ended.await();
        JobFailedException failed = failure;
        if (failed != null) {
            throw failed;
        }
        return stats();
    }

    @Override
    public boolean await(Duration atMost) throws InterruptedException {
        return ended.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public @Nullable CheckpointStats lastCheckpoint() {
        return newest;
    }
}
