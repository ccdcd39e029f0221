// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.graph.Demand;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.stats.CheckpointStats;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.JobStats;
import io.thalweg.engine.chain.OperatorException;
import io.thalweg.engine.chain.Setbacks;
import io.thalweg.engine.checkpoint.Checkpoints;
import io.thalweg.engine.plan.Build;
import io.thalweg.engine.plan.BuildSettings;
import io.thalweg.engine.plan.Plan;
import io.thalweg.engine.plan.PlanDescription;
import io.thalweg.engine.work.Pieces;
import io.thalweg.engine.work.Task;
import io.thalweg.engine.work.Worker;
import io.thalweg.run.AckSettings;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import io.thalweg.run.StateLimit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A job from one start to its end, or to a failure after which it may be started again. Any thread may call. */
final class Attempt {
    private final String topology;
    private final RunSettings settings;
    private final Crew crew = new Crew();
    private final StopRequest stop;
    private final JobAgreement agreement;
    private final JobThreads threads;
    private final BadRecordRules badRecords;
    private final FirstFailure failed = new FirstFailure();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final AtomicInteger tasksLeft = new AtomicInteger();
    private volatile List<Build.Built> tasks = List.of();
    private @Nullable StatsCollector collector;
    private boolean lastStepWorked;
    private volatile @Nullable Checkpointing checkpointing;
    private volatile boolean stopped;
    /** The job was to stop, and its last checkpoint took too long. */
    private volatile boolean stoppedShort;

    private volatile boolean mayBeRepeated = true;

    /** Given up when the job ends, so that there is memory to tell that there was none. */
    private final List<byte[]> reserve = new ArrayList<>(List.of(new byte[RESERVE_BYTES]));

    private static final int RESERVE_BYTES = 1 << 20;

    private volatile @Nullable JobFailedException failure;

    private final Consumer<Attempt> onEnd;
    private final Runnable onProgress;
    private final Setbacks setbacks;
    private final String run;

    /** For a failure that there is no memory to put into words. */
    private final JobFailedException lastWords;

    /**
     * @param run names all attempts of a job
     * @param setbacks what earlier attempts failed at
     * @param onProgress called when the job got over all of that
     * @param onEnd called once, when all tasks are done, by the thread that did the last of them
     */
    Attempt(
            TopologyGraph graph,
            String run,
            RunSettings settings,
            Setbacks setbacks,
            Runnable onProgress,
            Consumer<Attempt> onEnd) {
        this.run = run;
        this.setbacks = setbacks;
        this.onProgress = onProgress;
        topology = graph.name();
        this.settings = settings;
        stop = new StopRequest(settings.clock(), settings.stopTimeout());
        agreement = new JobAgreement(Demand.of(graph), stop, crew);
        threads = new JobThreads(topology, settings, crew);
        badRecords = new BadRecordRules(topology, settings);
        this.onEnd = onEnd;
        lastWords = new JobFailedException(
                "topology '" + topology + "': out of memory; give it more with THALWEG_OPTS=-Xmx…", null);
    }

    void start(Plan plan) {
        try {
            Checkpointing kept = Checkpointing.of(plan.graph(), settings, crew);
            checkpointing = kept;
            tasks = kept == null
                    ? Build.tasks(plan, buildSettings(), agreement, badRecords::onBad, null, null)
                    : Build.tasks(
                            plan, buildSettings(), agreement, badRecords::onBad, kept.checkpoints(), kept.saved());
        } catch (OperatorException | ConnectorException e) {
            closeCheckpointing();
            throw FailureText.of(topology, "", e, List.of());
        } catch (RuntimeException | Error e) {
            closeCheckpointing();
            throw e;
        }
        collector =
                new StatsCollector(PlanDescription.of(plan, settings), tasks, settings.clock(), badRecords.reasons());
        tasksLeft.set(tasks.size());
        agreement.expect(tasks);
        Checkpointing kept = checkpointing;
        if (kept != null) {
            kept.checkpoints()
                    .expect(tasks.stream().map(each -> each.task().name()).toList());
            kept.start(this::lookAtStop);
        }
        try {
            threads.start(tasks, this::look);
        } catch (RuntimeException | Error e) { // no thread is to be had
            giveUp(e);
            throw e;
        }
    }

    /** Some of it runs perhaps, and ends; nobody is told of the end. */
    private void giveUp(Throwable reason) {
        stopped = true;
        failed.set("", reason);
        wakeAll();
        closeCheckpointing();
    }

    private BuildSettings buildSettings() {
        AckSettings acks = settings.acks();
        return new BuildSettings(
                settings.specialise(),
                settings.threads() > 0,
                settings.stepRecords(),
                settings.queueBatches(),
                settings.batchRecords(),
                settings.console(),
                settings.clock(),
                settings.guarantee(),
                acks == null
                        ? null
                        : new BuildSettings.Acks(
                                acks.maxPending(), acks.timeout().toNanos(), settings.tries()),
                setbacks,
                run,
                settings.warnings(),
                threads.pieces());
    }

    JobStats stats() {
        if (collector == null) {
            throw new IllegalStateException("the job has not started");
        }
        return collector.collect(state());
    }

    private JobState state() {
        return failed.thrown() == null && ended.getCount() > 0 ? JobState.RUNNING : endState();
    }

    private JobState endState() {
        if (failed.thrown() != null) {
            return JobState.FAILED;
        }
        return stop.cancelled() ? JobState.CANCELLED : JobState.FINISHED;
    }

    private void closeCheckpointing() {
        Checkpointing kept = checkpointing;
        if (kept != null) {
            kept.close();
        }
    }

    /** What was measured stays; tasks and all that they remembered go, so that there is memory to tell of its lack. */
    private void end(StatsCollector measured) {
        threads.end();
        reserve.clear();
        tasks = List.of();
        agreement.forgetTasks();
        measured.releaseTasks();
        try {
            closeCheckpointing();
            Throwable reason = failed.thrown();
            failure = reason == null ? null : FailureText.of(topology, failed.task(), reason, measured.keptState());
            measured.end(endState());
            tellDropped();
        } catch (RuntimeException | Error e) { // no memory even now: who waits is told all the same
            failure = failure == null && failed.thrown() != null ? lastWords : failure;
        } finally {
            ended.countDown();
            onEnd.accept(this);
        }
    }

    @Nullable JobFailedException failure() {
        return failure;
    }

    /** A last checkpoint that takes too long is not waited for: the one before it is what the job goes on from. */
    private void lookAtStop() {
        Checkpointing kept = checkpointing;
        if (stopped || kept == null || !stop.overdue() || kept.checkpoints().settled()) {
            return;
        }
        stoppedShort = true;
        CheckpointStats last = kept.checkpoints().newest();
        settings.warnings()
                .accept("topology '" + topology + "': the last checkpoint is not complete "
                        + settings.stopTimeout().toMillis() / 1_000 + " s after the job was to stop; "
                        + (last == null ? "it stops without" : "it stops, and goes on from checkpoint " + last.number())
                        + "; --stop-timeout waits longer");
        stopped = true;
        wakeAll();
    }

    /** The job was to stop, and did so without the last checkpoint. */
    boolean stoppedShort() {
        return stoppedShort;
    }

    private void tellDropped() {
        Map<String, Long> dropped = agreement.dropped();
        if (!dropped.isEmpty()) {
            long all = dropped.values().stream().mapToLong(Long::longValue).sum();
            settings.warnings()
                    .accept("topology '" + topology + "': " + all + " records in flight were dropped, before task "
                            + String.join(", ", dropped.keySet()) + "; --stop-timeout waits longer for them");
        }
    }

    /** It would fail again, or go on with what is left as if nothing had been. */
    boolean mayBeRepeated() {
        return mayBeRepeated;
    }

    void cancel() {
        stop.cancel();
        Checkpointing kept = checkpointing;
        if (kept != null) {
            kept.checkpoints().stop();
        }
        wakeAll();
    }

    /** Ends the input where sources have read to. */
    void drain() {
        stop.drain();
        wakeAll();
    }

    void kill() {
        fail("", new JobFailedException("topology '" + topology + "' was killed", null));
    }

    boolean checkpoint() {
        Checkpointing kept = checkpointing;
        return kept != null && kept.checkpoints().begin();
    }

    /** Takes a checkpoint and keeps a copy of it; in the directory of checkpoints if null is given. */
    CompletableFuture<Path> savepoint(@Nullable Path directory) {
        Checkpointing kept = checkpointing;
        return kept == null
                ? CompletableFuture.failedFuture(new ConnectorException("topology '" + topology
                        + "' takes no checkpoints; start it with" + " --guarantee exactly-once --checkpoint-dir DIR"))
                : kept.checkpoints().savepoint(directory);
    }

    /** True if the directory holds a checkpoint that was taken since the start, even if nobody has heard of it. */
    boolean tookCheckpoint() {
        Checkpointing kept = checkpointing;
        return kept != null && kept.tookOne();
    }

    @Nullable CheckpointStats lastCheckpoint() {
        Checkpointing kept = checkpointing;
        return kept == null ? null : kept.checkpoints().newest();
    }

    /** Gives every task one turn; false once all are done. */
    boolean step() {
        look();
        lastStepWorked = threads.step();
        return ended.getCount() > 0;
    }

    boolean lastStepWorked() {
        return lastStepWorked;
    }

    private void wakeAll() {
        List<Build.Built> all = tasks;
        for (int i = 0; i < all.size(); i++) { // by hand: memory may be short
            all.get(i).seat().run();
        }
    }

    private void look() {
        StatsCollector measured = collector;
        if (measured == null) {
            return;
        }
        lookAtBadRecords(measured);
        StateLimit limit = settings.stateLimit();
        if (measured.stateBytes() > limit.bytes() && failed.thrown() == null) {
            mayBeRepeated = false;
            fail("", FailureText.ofState(topology, limit, measured.keptState()));
        }
    }

    private void lookAtBadRecords(StatsCollector measured) {
        JobFailedException reason = badRecords.look(settings.clock().nowNs(), measured::tally);
        if (reason != null && !stop.cancelled()) {
            mayBeRepeated = false;
            fail("", reason);
        }
    }

    /** Before the last state is saved, and so before any sink commits; each task has published its counts. */
    private void checkBadRecords() {
        StatsCollector measured = collector;
        if (measured == null || stop.cancelled()) {
            return;
        }
        JobFailedException reason = badRecords.ended(measured.tally());
        if (reason != null) {
            mayBeRepeated = false;
            throw reason;
        }
    }

    /** Some sinks hear only when they commit that records are bad. What they have committed stays. */
    private void checkCommitted() {
        if (failed.thrown() != null) {
            return;
        }
        try {
            checkBadRecords();
        } catch (JobFailedException reason) {
            fail("", reason);
        }
    }

    /** Plain steps that make no object: memory may be short. What there is to tell is put into words at the end. */
    private void fail(String task, Throwable reason) {
        failed.set(task, reason);
        stopped = true;
        wakeAll();
    }

    /** What workers, checkpoints and tasks hear and need of the job. */
    private final class Crew implements Worker.Crew, Checkpoints.Listener, JobAgreement.Host {
        @Override
        public void wakeAll() {
            Attempt.this.wakeAll();
        }

        @Override
        public void onCounted() {
            checkBadRecords();
        }

        @Override
        public boolean takesCheckpoints() {
            return checkpointing != null;
        }

        @Override
        public boolean settled() {
            Checkpointing kept = checkpointing;
            return kept == null || kept.checkpoints().settled();
        }

        @Override
        public void wake() {
            wakeAll();
        }

        @Override
        public void onCompleting() throws IOException {
            settings.badRecords().force();
        }

        @Override
        public void onCompleted(long checkpoint) {
            if (setbacks.completed(checkpoint)) {
                onProgress.run();
            }
        }

        @Override
        public void onOverdue(String warning) {
            settings.warnings().accept("topology '" + topology + "': " + warning);
        }

        @Override
        public void onFailure(Throwable thrown) {
            fail("", thrown);
        }

        @Override
        public void onFailure(Task task, Throwable thrown) {
            fail(JobThreads.nameOf(task), thrown);
        }

        @Override
        public boolean stopped() {
            return stopped;
        }

        @Override
        public void onDone(Task task) {
            if (task instanceof Pieces.Doing) {
                return; // what it does is some other task's work
            }
            if (tasksLeft.decrementAndGet() == 0 && collector != null) {
                checkCommitted();
                end(collector);
            }
            wakeAll();
        }

        @Override
        public void moveOut(Worker.Seated seated) {
            threads.moveOut(seated);
        }
    }
}
