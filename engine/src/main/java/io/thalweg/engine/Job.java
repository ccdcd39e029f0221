// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.stats.CheckpointStats;
import io.thalweg.api.stats.JobStats;
import io.thalweg.engine.chain.Setbacks;
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

/** A topology that runs, and is started again if it fails and restarts were asked for. Any thread may call. */
public final class Job implements RunningJob {
    private final TopologyGraph graph;
    private final RunSettings settings;
    private final Setbacks setbacks;
    private final String run = UUID.randomUUID().toString();
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile Attempt attempt;
    private volatile @Nullable JobFailedException failure;
    private volatile boolean killed;
    private volatile boolean cancelled;
    private final AtomicInteger restarts = new AtomicInteger();

    // Guarded by this. Failures are those in a row: since a checkpoint last showed that the job got over those before.
    private int failures;
    private boolean checkpointTaken;

    Job(TopologyGraph graph, RunSettings settings) {
        this.graph = graph;
        this.settings = settings;
        setbacks = new Setbacks(settings.tries());
        attempt = new Attempt(graph, run, settings, setbacks, this::onProgress, this::onEnd);
    }

    void start() {
        attempt.start(new Plan(graph, settings.parallelism()));
    }

    /** One attempt is over, and so is the job, unless it is to be started again. */
    private void onEnd(Attempt over) {
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
            restart(reason, Duration.ZERO);
        } else {
            Duration wait = settings.restart().wait(failures());
            try {
                new Thread(() -> restart(reason, wait), "thalweg-" + graph.name() + "-restart").start();
            } catch (Error e) { // no thread is to be had
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

    private void restart(JobFailedException reason, Duration wait) {
        try {
            settings.warnings()
                    .accept(reason.getMessage() + "; it goes on from its last checkpoint"
                            + (wait.toSeconds() == 0 ? "" : " in " + wait.toSeconds() + " s"));
            if (stopping.await(wait.toNanos(), TimeUnit.NANOSECONDS)) {
                throw reason;
            }
            Attempt next = begun(reason);
            attempt = next;
            restarts.incrementAndGet();
            if (stopping.getCount() == 0) { // the call may have come between the two
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
        } catch (RuntimeException | Error e) { // no memory, no thread: whatever it is, who waits is told
            endWith(new JobFailedException(reason.getMessage() + "; and it could not be started again: " + e, e));
        }
    }

    /** One more attempt; what keeps it from starting counts as one more failure. */
    private Attempt begun(JobFailedException reason) throws InterruptedException {
        while (true) {
            try {
                setbacks.restarted();
                Attempt next = new Attempt(graph, run, again(), setbacks, this::onProgress, this::onEnd);
                next.start(new Plan(graph, settings.parallelism()));
                return next;
            } catch (JobFailedException e) {
                if (!mayRestart()) {
                    throw e;
                }
                Duration wait = settings.restart().wait(failures());
                settings.warnings().accept(e.getMessage() + "; it is tried again in " + wait.toSeconds() + " s");
                if (stopping.await(wait.toNanos(), TimeUnit.NANOSECONDS)) {
                    throw reason;
                }
            }
        }
    }

    private void endWith(JobFailedException reason) {
        failure = reason;
        ended.countDown();
    }

    /** As at first, until the job itself has taken a checkpoint. */
    private synchronized RunSettings again() {
        CheckpointSettings checkpoints = settings.checkpoints();
        return checkpointTaken && checkpoints != null ? settings.withCheckpoints(checkpoints.goingOn()) : settings;
    }

    @Override
    public JobStats stats() {
        return attempt.stats();
    }

    /**
     * Asks sources to stop and returns at once. Records in flight are processed, for as long as {@link
     * RunSettings#withStopTimeout} says; open windows are not emitted, but counted in the stats. A job that takes checkpoints takes a last one, and whoever continues from it loses and repeats
     * nothing.
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

    /**
     * Ends the job at once, as if the process were killed: nothing is processed, saved or made visible any more. Then {@link
     * #await()} fails.
     */
    public void kill() {
        killed = true;
        stopping.countDown();
        attempt.kill();
    }

    /** Takes a checkpoint now, unless one is being taken or the job's input has ended; true if it has begun. */
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
     * Gives every task one turn, where there are no threads.
     *
     * @return false once the job has ended
     */
    public boolean step() {
        attempt.step();
        return ended.getCount() > 0;
    }

    /** True if the last {@link #step} got something done: when it did not, nothing is left to do but to wait for input. */
    public boolean lastStepWorked() {
        return attempt.lastStepWorked();
    }
}
