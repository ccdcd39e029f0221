// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.stats.CheckpointStats;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.JobStats;
import io.thalweg.run.BadWatch;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.LossLines;
import io.thalweg.run.RunSettings;
import io.thalweg.run.RunningJob;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.client.program.rest.RestClusterClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.apache.flink.util.clock.SystemClock;
import org.apache.flink.util.function.ThrowingConsumer;
import org.jspecify.annotations.Nullable;

/** A topology that runs on Flink. Any thread may call. */
public final class FlinkRunningJob implements RunningJob {
    private static final long LEAST_BETWEEN_LOOKS_MS = 50;
    private static final long MOST_BETWEEN_LOOKS_MS = 500;
    private static final long LEAST_BETWEEN_MEASUREMENTS_MS = 300;

    /** With Flink's defaults it may take three seconds, and more where the machine is busy. */
    private static final long LONGEST_UNTIL_LAST_FIGURES_MS = 30_000;

    /** The tasks report at this interval. */
    private static final long MOST_BETWEEN_MEASUREMENTS_MS = 1_000;

    /** How old stats may get while nobody calls {@link #stats}; for this time after a call they are updated more often. */
    private static final long UNWATCHED_MS = 10_000;

    private final RunSettings settings;
    private final ClusterConnection connection;
    private final JobID id;
    private final Measurements measurements;
    private final ReportCollector reports;
    private final Restarts restarts;
    private final SlotWatch slots;
    private final LossLines lossLines;

    /** Used by the watching thread only. */
    private final CheckpointLock lock;

    private final AtomicBoolean toldUnsaved = new AtomicBoolean();
    private final StopRequests stops = new StopRequests();
    private final KillRequest kill;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile JobStats stats;
    private volatile long askedMs;
    private long measuredMs;
    private volatile @Nullable JobFailedException failure;

    private final BadWatch badWatch;

    /** Used by the watching thread only. */
    private @Nullable JobFailedException tooManyBad;

    private FlinkRunningJob(
            TopologyGraph graph,
            RunSettings settings,
            ClusterConnection connection,
            JobGraph described,
            CheckpointLock lock) {
        this.settings = settings;
        this.connection = connection;
        this.lock = lock;
        id = described.getJobID();
        reports = new ReportCollector(
                graph.name(),
                settings,
                Translation.names(graph, spec -> spec.source() != null),
                Translation.names(graph, spec -> spec.sink() != null));
        badWatch = new BadWatch(graph.name(), settings.badLimit(), reports::reasons);
        measurements = new Measurements(
                FlinkPlan.of(graph, settings, described), connection.client(), described, settings.warnings());
        restarts = new Restarts(graph.name(), connection.client(), id, settings.warnings());
        slots = new SlotWatch(graph.name(), connection.client(), described, settings.warnings());
        lossLines = new LossLines(settings.warnings());
        kill = new KillRequest(
                () -> connection.client().cancel(id),
                problem -> settings.warnings()
                        .accept("topology '" + graph.name() + "' could not be cancelled: " + problem
                                + "; Flink is asked again"));
        stats = measurements.none();
        askedMs = nowMs() - UNWATCHED_MS;
        measuredMs = askedMs;
    }

    private static long nowMs() {
        return SystemClock.getInstance().relativeTimeMillis();
    }

    /** @param lock let go of when the job has ended */
    static FlinkRunningJob submit(
            TopologyGraph graph,
            RunSettings settings,
            ClusterConnection connection,
            JobGraph described,
            CheckpointLock lock) {
        try {
            RestClusterClient<String> client = connection.client();
            Answer.once(
                    client.submitJob(described), () -> client.getJobStatus(described.getJobID()), settings.warnings());
        } catch (ExecutionException e) {
            if (!Answer.isLost(e)) { // otherwise the job may run
                lock.ended(settings.warnings());
            }
            throw FailureText.of(graph.name(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new JobFailedException("topology '" + graph.name() + "': interrupted", e);
        }
        FlinkRunningJob job = new FlinkRunningJob(graph, settings, connection, described, lock);
        job.mark(SavedJob::begun);
        Thread watcher = new Thread(job::watch, "thalweg-flink-" + graph.name());
        watcher.setDaemon(true);
        watcher.start();
        return job;
    }

    /** Flink's job id, as its web page shows it. */
    @Override
    public String id() {
        return id.toHexString();
    }

    /**
     * Polls the job until it has ended, then collects its results. The longer the job runs, and if nobody asks for
     * stats, the less often: polling costs the cluster, and a small one's job, CPU.
     */
    private void watch() {
        RestClusterClient<String> client = connection.client();
        try {
            JobStatus now = Answer.to(() -> client.getJobStatus(id), settings.warnings());
            long beganMs = nowMs();
            long nextMs = 0;
            while (!now.isGloballyTerminalState()) {
                kill.look(nowMs());
                long elapsedMs = nowMs() - beganMs;
                if (now == JobStatus.RUNNING && elapsedMs >= nextMs) {
                    measure(JobState.RUNNING);
                    endIfTooManyAreBad();
                    nextMs = elapsedMs
                            + between(LEAST_BETWEEN_MEASUREMENTS_MS, elapsedMs / 4, MOST_BETWEEN_MEASUREMENTS_MS);
                } else if ((now == JobStatus.CREATED || now == JobStatus.RESTARTING) && elapsedMs >= nextMs) {
                    restarts.report(); // before it waits, which may be for long
                    slots.look(nowMs());
                    nextMs = elapsedMs + LEAST_BETWEEN_MEASUREMENTS_MS;
                }
                long waitMs = between(LEAST_BETWEEN_LOOKS_MS, elapsedMs / 20, MOST_BETWEEN_LOOKS_MS);
                if (ended.await(waitMs, TimeUnit.MILLISECONDS)) {
                    return;
                }
                now = Answer.to(() -> client.getJobStatus(id), settings.warnings());
            }
            JobResult result = Answer.to(() -> client.requestJobResult(id), settings.warnings());
            boolean byItself = result.getJobStatus().orElse(null) == JobStatus.FINISHED && !stops.ended();
            if (byItself) {
                mark(SavedJob::ended);
            }
            lock.ended(settings.warnings());
            reports.take(result.getAccumulatorResults());
            JobState state = byItself ? JobState.FINISHED : state(result);
            awaitLastFigures();
            measure(state);
            failure = failure(state, result);
            if (failure != null && state != JobState.FAILED) {
                measure(JobState.FAILED);
            }
            reports.tellAll();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failure = new JobFailedException("topology '" + measurements.topology() + "': interrupted", e);
        } catch (Exception | Error e) { // whatever it is, whoever waits is notified
            failure = FailureText.of(measurements.topology(), e);
        } finally {
            try {
                connection.close();
            } finally {
                lock.close();
                ended.countDown();
            }
        }
    }

    private void mark(ThrowingConsumer<CheckpointSettings, IOException> how) {
        CheckpointSettings checkpoints = settings.checkpoints();
        if (checkpoints == null || settings.guarantee() == Guarantee.NONE) {
            return;
        }
        try {
            how.accept(checkpoints);
        } catch (IOException e) {
            settings.warnings()
                    .accept("topology '" + measurements.topology()
                            + "': what --restore latest needs cannot be written: " + e);
        }
    }

    private void endIfTooManyAreBad() {
        long nowNs = TimeUnit.MILLISECONDS.toNanos(nowMs());
        if (tooManyBad == null && !stops.cancelled() && badWatch.isDue(nowNs)) {
            tooManyBad = badWatch.running(nowNs, reports.tally(stats.tasks()));
            if (tooManyBad != null) {
                kill.ask(nowMs());
            }
        }
    }

    private @Nullable JobFailedException failure(JobState state, JobResult result) {
        if (state == JobState.FAILED) {
            return FailureText.of(
                    measurements.topology(), result.getSerializedThrowable().orElse(null));
        }
        if (tooManyBad != null || state != JobState.FINISHED) {
            return tooManyBad;
        }
        JobFailedException atEnd = badWatch.ended(reports.tally(stats.tasks()));
        return atEnd == null
                ? null
                : new JobFailedException(
                        atEnd.getMessage() + "; on Flink, what its sinks wrote until then is visible", null);
    }

    /** Waits because Flink's REST API returns cached answers from when the job was still running. */
    private void awaitLastFigures() throws InterruptedException {
        long looks = LONGEST_UNTIL_LAST_FIGURES_MS / LEAST_BETWEEN_LOOKS_MS;
        for (long look = 0; look < looks && !measurements.areFinal(); look++) {
            if (ended.await(LEAST_BETWEEN_LOOKS_MS, TimeUnit.MILLISECONDS)) {
                return;
            }
        }
    }

    private static long between(long least, long wanted, long most) {
        return Math.max(least, Math.min(wanted, most));
    }

    /**
     * For Flink, a job that was stopped with a savepoint has finished, and one of which that savepoint cannot be taken, as at the end
     * of its input, has failed. One that was cancelled while it was being drained has been drained, and so has finished.
     */
    private JobState state(JobResult result) {
        boolean stopped = stops.cancelled();
        JobStatus status = result.getJobStatus().orElse(JobStatus.FAILED);
        if (status == JobStatus.FINISHED) {
            return stopped && !stops.draining() && !reports.allRead() ? JobState.CANCELLED : JobState.FINISHED;
        }
        Throwable cause = result.getSerializedThrowable().orElse(null);
        if (stopped && status == JobStatus.FAILED && cause != null && FailureText.isOfCheckpoint(cause)) {
            tellUnsaved(cause);
            return JobState.CANCELLED;
        }
        return status == JobStatus.CANCELED ? JobState.CANCELLED : JobState.FAILED;
    }

    /** Once, whoever notices first: Flink's answer to the savepoint may come after the end of the job. */
    private void tellUnsaved(Throwable problem) {
        if (toldUnsaved.compareAndSet(false, true)) {
            settings.warnings()
                    .accept("no last checkpoint could be taken, so the job is cancelled: "
                            + FailureText.words(problem));
        }
    }

    private void measure(JobState state) throws InterruptedException {
        if (state == JobState.RUNNING) {
            lock.look(settings.warnings());
            try {
                reports.take(Answer.of(
                        connection.client().getAccumulators(id, getClass().getClassLoader())));
                reports.tellPrinted();
                reports.tellWarnings();
            } catch (ExecutionException e) {
                return; // not started yet, or just ended: the next poll will show
            }
            long now = nowMs();
            if (now - askedMs > UNWATCHED_MS && now - measuredMs < UNWATCHED_MS) {
                return;
            }
            measuredMs = now;
        }
        restarts.report();
        if (state == JobState.RUNNING) {
            slots.look(nowMs());
        }
        stats = measurements.take(state, reports, stats);
        lossLines.look(stats.connections());
    }

    /** At most about ten seconds old, and about one second if called more often than that. */
    @Override
    public JobStats stats() {
        askedMs = nowMs();
        return stats;
    }

    /**
     * Stops the job. A job that takes checkpoints takes a last one; a job restored from it loses and repeats nothing.
     * Any other is cancelled, and what its sinks have not committed is lost. A job that is being drained ends by that, and is stopped if
     * it cannot be drained.
     */
    @Override
    public void cancel() {
        stops.cancel(this::stop);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // await() shows whether it worked
    private CompletableFuture<String> stop() {
        CheckpointSettings checkpoints = settings.checkpoints();
        if (checkpoints == null) {
            kill.ask(nowMs());
            return CompletableFuture.failedFuture(new CancellationException("it takes no checkpoints"));
        }
        String directory = SavedJob.text(checkpoints.directory());
        CompletableFuture<String> saved =
                connection.client().stopWithSavepoint(id, false, directory, SavepointFormatType.NATIVE);
        saved.exceptionally(problem -> {
            unlessEnded(() -> {
                tellUnsaved(problem);
                kill.ask(nowMs());
            });
            return "";
        });
        return saved;
    }

    /** Flink takes no savepoint of a job that has just ended by itself, which is no problem, and which {@link #watch} may not know yet. */
    @SuppressWarnings("FutureReturnValueIgnored")
    private void unlessEnded(Runnable then) {
        connection.client().getJobStatus(id).whenComplete((now, unknown) -> {
            if (now != JobStatus.FINISHED && ended.getCount() > 0) {
                then.run();
            }
        });
    }

    /** Uses Flink's stop-with-savepoint, which advances event time to its end. */
    @Override
    public void drain() {
        String directory = SavedJob.text(checkpointDirectory("drained").resolve(SavedJob.DRAINED));
        stops.drain(
                () -> connection.client().stopWithSavepoint(id, true, directory, SavepointFormatType.NATIVE),
                problem -> unlessEnded(() -> settings.warnings()
                        .accept("topology '" + measurements.topology() + "' could not be drained and continues: "
                                + FailureText.words(problem))));
    }

    /** Takes a savepoint of Flink. */
    @Override
    public CompletableFuture<String> savepoint(@Nullable Path directory) {
        try {
            Path to = directory == null ? checkpointDirectory("saved") : directory.toAbsolutePath();
            return connection
                    .client()
                    .triggerSavepoint(id, SavedJob.text(to), SavepointFormatType.NATIVE)
                    .handle(FlinkRunningJob::savepointPath);
        } catch (ConnectorException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static String savepointPath(@Nullable String path, @Nullable Throwable problem) {
        if (path == null) {
            throw new ConnectorException(
                    "no savepoint was taken: "
                            + (problem == null ? "Flink does not say where it is" : FailureText.words(problem)),
                    problem);
        }
        return path.startsWith("file:") ? SavedJob.path(path).toString() : path;
    }

    private Path checkpointDirectory(String what) {
        CheckpointSettings checkpoints = settings.checkpoints();
        if (checkpoints == null) {
            throw new ConnectorException(
                    "topology '" + measurements.topology() + "' cannot be " + what
                            + " on Flink: it takes no checkpoints; start it with --guarantee exactly-once --checkpoint-dir DIR");
        }
        return checkpoints.directory().toAbsolutePath();
    }

    @Override
    public JobStats await() throws InterruptedException {
        ended.await();
        JobFailedException failed = failure;
        if (failed != null) {
            throw failed;
        }
        return stats;
    }

    @Override
    public boolean await(Duration atMost) throws InterruptedException {
        return ended.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public @Nullable CheckpointStats lastCheckpoint() {
        askedMs = nowMs();
        return measurements.lastCheckpoint();
    }
}
