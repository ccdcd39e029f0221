// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.DurationText;
import io.thalweg.api.graph.Demand;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.stats.CheckpointStats;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.JobStats;
import io.thalweg.engine.chain.FailureHistory;
import io.thalweg.engine.chain.OperatorException;
import io.thalweg.engine.checkpoint.Checkpoints;
import io.thalweg.engine.plan.Build;
import io.thalweg.engine.plan.BuildSettings;
import io.thalweg.engine.plan.Plan;
import io.thalweg.engine.plan.PlanDescription;
import io.thalweg.engine.work.Task;
import io.thalweg.engine.work.Worker;
import io.thalweg.run.AckSettings;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.LostConnections;
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

/** One run of a job, from its start to its end or to a failure; a restart makes another attempt. Any thread may call. */
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
    /** The job was cancelled, and its last checkpoint took too long. */
    private volatile boolean stoppedShort;

    private volatile boolean mayBeRepeated = true;

    /** Freed when the job ends, so that even an OutOfMemoryError can be reported. */
    private final List<byte[]> reserve = new ArrayList<>(List.of(new byte[RESERVE_BYTES]));

    private static final int RESERVE_BYTES = 1 << 20;

    private volatile @Nullable JobFailedException failure;

    private final Consumer<Attempt> onEnd;
    private final Runnable onProgress;
    private final FailureHistory failureHistory;
    private final String run;

    /** Thrown if there is not even the memory to describe the failure. */
    private final JobFailedException lastWords;

    /**
     * @param run names all attempts of a job
     * @param failureHistory failures of earlier attempts
     * @param onProgress called when a checkpoint shows that the job got past those failures
     * @param onEnd called once, when all tasks are done, on the thread of the last one
     */
    Attempt(
            TopologyGraph graph,
            String run,
            RunSettings settings,
            FailureHistory failureHistory,
            Runnable onProgress,
            Consumer<Attempt> onEnd) {
        this.run = run;
        this.failureHistory = failureHistory;
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
            kept.start();
        }
        try {
            threads.start(tasks, this::watch);
        } catch (RuntimeException | Error e) { // no thread could be started
            giveUp(e);
            throw e;
        }
    }

    /** Ends what runs already; {@code onEnd} is not called. */
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
                settings.stages(),
                settings.keys(),
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
                failureHistory,
                run,
                settings.warnings(),
                new LostConnections(settings.clock(), settings.warnings()),
                settings.feedbackLimit(),
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

    /** Keeps the measurements and drops tasks with their state, so that there is memory to report that there was too little. */
    private void end(StatsCollector measured) {
        reserve.clear();
        tasks = List.of();
        agreement.forgetTasks();
        try {
            measured.releaseTasks();
            threads.end();
            closeCheckpointing();
            Throwable reason = failed.thrown();
            failure = reason == null ? null : FailureText.of(topology, failed.task(), reason, measured.keptState());
            measured.end(endState());
            warnOfDropped();
            warnOfLost(measured.lost());
        } catch (RuntimeException | Error e) { // no memory even now: whoever waits is notified all the same
            failure = failure == null && failed.thrown() != null ? lastWords : failure;
        } finally {
            ended.countDown();
            onEnd.accept(this);
        }
    }

    @Nullable JobFailedException failure() {
        return failure;
    }

    /** Stops without a last checkpoint that takes too long; the job then continues from the one before it. */
    private void lookAtStop() {
        Checkpointing kept = checkpointing;
        if (stopped || kept == null || !stop.overdue() || kept.checkpoints().settled()) {
            return;
        }
        stoppedShort = true;
        CheckpointStats last = kept.checkpoints().newest();
        settings.warnings()
                .accept("topology '" + topology + "': the last checkpoint is not complete "
                        + DurationText.of(settings.stopTimeout()) + " after the job was asked to stop; "
                        + (last == null
                                ? "it stops without"
                                : "it stops, and continues from checkpoint " + last.number())
                        + "; --stop-timeout waits longer");
        stopped = true;
        wakeAll();
    }

    /** True if the job was cancelled and stopped without a last checkpoint. */
    boolean stoppedShort() {
        return stoppedShort;
    }

    private void warnOfDropped() {
        Map<String, Long> dropped = agreement.dropped();
        if (!dropped.isEmpty()) {
            long all = dropped.values().stream().mapToLong(Long::longValue).sum();
            settings.warnings()
                    .accept("topology '" + topology + "': " + all
                            + (all == 1 ? " record in flight was" : " records in flight were")
                            + " dropped, before task "
                            + String.join(", ", dropped.keySet()) + "; --stop-timeout waits longer for them");
        }
    }

    private void warnOfLost(long records) {
        if (records > 0) {
            settings.warnings()
                    .accept("topology '" + topology + "': " + records + (records == 1 ? " record" : " records")
                            + " that clocks or threads emitted when the loop was empty and its input had ended "
                            + (records == 1 ? "was" : "were") + " not led back");
        }
    }

    /** False if a restart would fail again, or silently lose data. */
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

    /** Ends the input at the positions that sources have reached. */
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

    /** Takes a checkpoint and keeps a copy of it in a directory; null for the directory of checkpoints. */
    CompletableFuture<Path> savepoint(@Nullable Path directory) {
        Checkpointing kept = checkpointing;
        return kept == null
                ? CompletableFuture.failedFuture(new ConnectorException("topology '" + topology
                        + "' takes no checkpoints; start it with" + " --guarantee exactly-once --checkpoint-dir DIR"))
                : kept.checkpoints().savepoint(directory);
    }

    /** True if the directory holds a checkpoint that was taken since the start, even if its completion was not announced. */
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
        for (int i = 0; i < all.size(); i++) { // no iterator: memory may be short
            all.get(i).waker().run();
        }
    }

    /** Of a job with threads, on one that waits for nothing else. */
    private void watch() {
        look();
        Checkpointing kept = checkpointing;
        if (kept != null && !stopped) {
            kept.look(this::lookAtStop);
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

    /** Some sinks find out only on commit that records are bad. What they have committed stays. */
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

    /** Allocates nothing, because memory may be short. The message is made when the job ends. */
    private void fail(String task, Throwable reason) {
        failed.set(task, reason);
        stopped = true;
        wakeAll();
    }

    /** The job as workers, checkpoints and tasks see it. */
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
            if (failureHistory.completed(checkpoint)) {
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
        public void onFailure(@Nullable Task task, Throwable thrown) {
            fail(JobThreads.nameOf(task), thrown);
        }

        @Override
        public boolean stopped() {
            return stopped;
        }

        @Override
        public void onDone(Task task) {
            if (task.helps()) { // its class may not be loaded yet, and memory may be short
                return;
            }
            if (tasksLeft.decrementAndGet() == 0 && collector != null) {
                checkCommitted();
                end(collector);
            }
            wakeAll();
        }

        @Override
        public void moveOut(Worker.Scheduled scheduled) {
            threads.moveOut(scheduled);
        }
    }
}
