// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import io.thalweg.api.connector.DurationText;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.stats.CheckpointStats;
import io.thalweg.api.stats.JobStats;
import io.thalweg.engine.chain.FailureHistory;
import io.thalweg.engine.plan.Plan;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import io.thalweg.run.RunningJob;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A running topology, restarted after failures if the settings say so. Any thread may call. */
public final class Job implements RunningJob {
    private final TopologyGraph graph;
    private final RunSettings settings;
    private final FailureHistory failureHistory;
    private final String run = UUID.randomUUID().toString();
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);

    /** The attempt that runs, or the one that ended last. Written while holding this. */
    private volatile Attempt attempt;

    private volatile @Nullable JobFailedException failure;
    private volatile boolean killed;
    private volatile boolean cancelled;
    private final AtomicInteger restarts = new AtomicInteger();
    private volatile @Nullable String lastFailure;

    // Guarded by this. Counts consecutive failures: those since a checkpoint last showed that the job got past the
    // earlier ones.
    private int failures;
    private boolean checkpointTaken;

    Job(TopologyGraph graph, RunSettings settings) {
        this.graph = graph;
        this.settings = settings;
        failureHistory = new FailureHistory(settings.tries());
        attempt = new Attempt(graph, run, settings, failureHistory, this::onProgress, this::onEnd);
    }

    void start() {
        attempt.start(new Plan(graph, settings.parallelism()));
    }

    /** An attempt has ended, and so has the job unless it is restarted. */
    private void onEnd(Attempt over) {
        synchronized (this) {
            attempt = over; // whoever started it may not have got that far
        }
        JobFailedException reason = over.failure();
        if (reason == null || stopping.getCount() == 0 || !over.mayBeRepeated() || !mayRestart()) {
            failure = reason;
            ended.countDown();
            return;
        }
        synchronized (this) {
            checkpointTaken |= over.tookCheckpoint();
        }
        if (settings.threads() == 0) {
            restart(over, reason, Duration.ZERO);
        } else {
            try {
                Duration wait = settings.restart().wait(failures());
                new Thread(() -> restart(over, reason, wait), "thalweg-" + graph.name() + "-restart").start();
            } catch (Error e) { // no thread could be started, or no memory
                endWith(reason);
            }
        }
    }

    private synchronized void onProgress() {
        failures = 0;
    }

    private synchronized boolean mayRestart() {
        failures++;
        return settings.checkpoints() != null && failures <= settings.restart().times();
    }

    private synchronized int failures() {
        return failures;
    }

    private void restart(Attempt before, JobFailedException reason, Duration wait) {
        try {
            settings.warnings()
                    .accept(reason.getMessage() + "; it continues from its last checkpoint"
                            + (wait.toSeconds() == 0 ? "" : " in " + wait.toSeconds() + " s"));
            if (stopping.await(wait.toNanos(), TimeUnit.NANOSECONDS)) {
                throw reason;
            }
            Attempt next = begun(reason);
            synchronized (this) {
                attempt = attempt == before ? next : attempt; // otherwise the next one has ended already
            }
            if (stopping.getCount() == 0) { // it may have been cancelled between the two
                if (killed) {
                    next.kill();
                } else if (cancelled) {
                    next.cancel();
                } else {
                    next.drain();
                }
            }
        } catch (JobFailedException e) {
            endWith(e);
        } catch (InterruptedException e) {
            endWith(reason);
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) { // no memory, no thread: whatever it is, whoever waits is notified
            endWith(new JobFailedException(reason.getMessage() + "; and it could not be restarted: " + e, e));
        }
    }

    /** Starts the next attempt; if it cannot start, that is one more failure. */
    private Attempt begun(JobFailedException reason) throws InterruptedException {
        lastFailure = reason.getMessage();
        while (true) {
            try {
                failureHistory.restarted();
                Attempt next = new Attempt(graph, run, again(), failureHistory, this::onProgress, this::onEnd);
                start(next);
                return next;
            } catch (JobFailedException e) {
                if (!mayRestart()) {
                    throw e;
                }
                Duration wait = settings.restart().wait(failures());
                settings.warnings().accept(e.getMessage() + "; it is retried in " + DurationText.of(wait));
                if (stopping.await(wait.toNanos(), TimeUnit.NANOSECONDS)) {
                    throw reason;
                }
            }
        }
    }

    /** Counts it first, since who sees what its tasks do may ask; only one that starts is counted. */
    private void start(Attempt next) {
        boolean started = false;
        restarts.incrementAndGet();
        try {
            next.start(new Plan(graph, settings.parallelism()));
            started = true;
        } finally {
            if (!started) {
                restarts.decrementAndGet();
            }
        }
    }

    private void endWith(JobFailedException reason) {
        failure = reason;
        ended.countDown();
    }

    /** The settings of the next attempt: those of the first one, until the job has taken a checkpoint to continue from. */
    private synchronized RunSettings again() {
        CheckpointSettings checkpoints = settings.checkpoints();
        return checkpointTaken && checkpoints != null ? settings.withCheckpoints(checkpoints.goingOn()) : settings;
    }

    @Override
    public JobStats stats() {
        return attempt.stats();
    }

    /**
     * Asks sources to stop and returns at once. Records in flight are processed, for as long as {@link RunSettings#withStopTimeout}
     * says; open windows are not emitted, but counted in the stats. A job that takes checkpoints takes a last one; a
     * job restored from it loses and repeats nothing.
     */
    @Override
    public void cancel() {
        cancelled = true;
        stopping.countDown();
        attempt.cancel();
    }

    @Override
    public void drain() {
        stopping.countDown();
        attempt.drain();
    }

    @Override
    public CompletableFuture<String> savepoint(@Nullable Path directory) {
        return attempt.savepoint(directory).thenApply(Path::toString);
    }

    @Override
    public int restarts() {
        return restarts.get();
    }

    @Override
    public @Nullable String lastFailure() {
        return lastFailure;
    }

    /**
     * Ends the job at once, as if the process were killed: nothing more is processed, saved or committed. Then {@link #await()}
     * fails.
     */
    public void kill() {
        killed = true;
        stopping.countDown();
        attempt.kill();
    }

    /** Begins a checkpoint now, unless one is in progress or the input has ended; true if it has begun. */
    public boolean checkpoint() {
        return attempt.checkpoint();
    }

    @Override
    public @Nullable CheckpointStats lastCheckpoint() {
        return attempt.lastCheckpoint();
    }

    @Override
    public boolean stoppedShort() {
        return attempt.stoppedShort();
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

    /**
     * Gives every task one turn, in a job without threads.
     *
     * @return false once the job has ended
     */
    public boolean step() {
        attempt.step();
        return ended.getCount() > 0;
    }

    /** True if the last {@link #step} did any work; if not, the job waits for input. */
    public boolean lastStepWorked() {
        return attempt.lastStepWorked();
    }
}
