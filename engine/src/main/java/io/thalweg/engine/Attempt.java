// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.graph.Demand;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.stats.CheckpointStats;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.JobStats;
import io.thalweg.engine.chain.ChainTask;
import io.thalweg.engine.chain.OperatorException;
import io.thalweg.engine.chain.Setbacks;
import io.thalweg.engine.checkpoint.Checkpoints;
import io.thalweg.engine.plan.Build;
import io.thalweg.engine.plan.BuildSettings;
import io.thalweg.engine.plan.Plan;
import io.thalweg.engine.plan.PlanDescription;
import io.thalweg.engine.work.Backoff;
import io.thalweg.engine.work.Pieces;
import io.thalweg.engine.work.Task;
import io.thalweg.engine.work.Watchdog;
import io.thalweg.engine.work.Worker;
import io.thalweg.run.AckSettings;
import io.thalweg.run.BadReasons;
import io.thalweg.run.BadWatch;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import io.thalweg.run.StateLimit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A job from one start to its end, or to a failure after which it may be started again. Any thread may call. */
final class Attempt {
    private final String topology;
    private final RunSettings settings;
    private final Crew crew = new Crew();
    private final Agreement agreement;
    private final Object failing = new Object();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final AtomicInteger tasksLeft = new AtomicInteger();
    private volatile List<Build.Built> tasks = List.of();
    private @Nullable StatsCollector collector;
    private @Nullable Worker stepped;
    private boolean lastStepWorked;
    private volatile @Nullable Thread watchdog;
    private volatile @Nullable Checkpointing checkpointing;
    private volatile boolean stopped;
    private volatile boolean cancelled;
    private volatile long cancelledNs;
    private volatile boolean toDrain;

    /** Records that were dropped since the job was to stop, by the task that they were on their way to. */
    private final Map<String, Long> dropped = new ConcurrentSkipListMap<>();

    /** The job was to stop, and its last checkpoint took too long. */
    private volatile boolean stoppedShort;

    /** What workers do for sources that decode in pieces; null if there is only one thread. */
    private final @Nullable Pieces pieces;

    private final BadReasons reasons = new BadReasons();
    private final BadWatch badWatch;
    private volatile boolean mayBeRepeated = true;

    /** Given up when the job ends, so that there is memory to tell that there was none. */
    private final List<byte[]> reserve = new ArrayList<>(List.of(new byte[RESERVE_BYTES]));

    private static final int RESERVE_BYTES = 1 << 20;

    private volatile @Nullable Throwable thrown;
    private volatile String failedTask = "";
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
        agreement = new Agreement(Demand.of(graph));
        this.settings = settings;
        pieces = settings.threads() > 1 ? new Pieces(settings.threads()) : null;
        badWatch = new BadWatch(topology, settings.badLimit(), () -> reasons);
        this.onEnd = onEnd;
        lastWords = new JobFailedException(
                "topology '" + topology + "': out of memory; give it more with THALWEG_OPTS=-Xmx…", null);
    }

    void start(Plan plan) {
        try {
            Checkpointing kept = Checkpointing.of(plan.graph(), settings, crew);
            checkpointing = kept;
            tasks = kept == null
                    ? Build.tasks(plan, buildSettings(), agreement, this::onBad, null, null)
                    : Build.tasks(plan, buildSettings(), agreement, this::onBad, kept.checkpoints(), kept.saved());
        } catch (OperatorException | ConnectorException e) {
            closeCheckpointing();
            throw FailureText.of(topology, "", e, List.of());
        } catch (RuntimeException | Error e) {
            closeCheckpointing();
            throw e;
        }
        collector = new StatsCollector(PlanDescription.of(plan, settings), tasks, settings.clock(), reasons);
        tasksLeft.set(tasks.size());
        agreement.expect(tasks);
        Checkpointing kept = checkpointing;
        if (kept != null) {
            kept.checkpoints()
                    .expect(tasks.stream().map(each -> each.task().name()).toList());
            kept.start(this::lookAtStop);
        }
        List<Worker.Seated> shared = new ArrayList<>();
        for (Build.Built built : tasks) {
            Worker.Seated seated = new Worker.Seated(built.task(), built.seat());
            if (settings.threads() > 0 && built.task().blocking()) {
                launch(worker(List.of(seated), false), built.task().name());
            } else {
                shared.add(seated);
            }
        }
        try {
            launch(shared);
        } catch (RuntimeException | Error e) { // no thread is to be had
            giveUp(e);
            throw e;
        }
    }

    private void launch(List<Worker.Seated> shared) {
        if (settings.threads() == 0) {
            stepped = worker(shared, false);
            return;
        }
        boolean decode = pieces != null && pieces.wanted();
        int count = decode ? settings.threads() : Math.min(settings.threads(), shared.size());
        List<Worker.Seated> decoding = decode && pieces != null ? pieces.tasks(count) : List.of();
        List<Worker> workers = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            List<Worker.Seated> own = new ArrayList<>();
            for (int i = number; i < shared.size(); i += count) {
                own.add(shared.get(i));
            }
            if (decode) {
                own.add(decoding.get(number));
            }
            workers.add(worker(own, true));
        }
        watch(workers);
        for (int number = 0; number < count; number++) {
            launch(workers.get(number), "worker-" + number);
        }
    }

    /** Some of it runs perhaps, and ends; nobody is told of the end. */
    private void giveUp(Throwable reason) {
        stopped = true;
        synchronized (failing) {
            thrown = thrown == null ? reason : thrown;
        }
        wakeAll();
        closeCheckpointing();
    }

    private void watch(List<Worker> workers) {
        Watchdog dog = new Watchdog(workers, settings.clock(), new Watchdog.Listener() {
            @Override
            public void onSlowCall(Task task, String where) {
                settings.slowCalls().slow(topology, nameOf(task), where);
            }

            @Override
            public void onLook() {
                look();
            }
        });
        Thread thread = new Thread(dog, "thalweg-" + topology + "-watchdog");
        thread.setDaemon(true);
        watchdog = thread;
        thread.start();
    }

    private static String nameOf(Task task) {
        return task instanceof ChainTask chain ? chain.name() : task instanceof Pieces.Doing ? "decoding" : "";
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
                pieces);
    }

    private Worker worker(List<Worker.Seated> seated, boolean sharesThread) {
        return new Worker(
                seated, crew, settings.clock(), new Backoff(settings.idle().spinNs()), sharesThread);
    }

    private void launch(Worker worker, String name) {
        new Thread(worker, "thalweg-" + topology + "-" + name).start();
    }

    JobStats stats() {
        if (collector == null) {
            throw new IllegalStateException("the job has not started");
        }
        return collector.collect(state());
    }

    private JobState state() {
        return thrown == null && ended.getCount() > 0 ? JobState.RUNNING : endState();
    }

    private JobState endState() {
        if (thrown != null) {
            return JobState.FAILED;
        }
        return cancelled ? JobState.CANCELLED : JobState.FINISHED;
    }

    private void closeCheckpointing() {
        Checkpointing kept = checkpointing;
        if (kept != null) {
            kept.close();
        }
    }

    /** What was measured stays; tasks and all that they remembered go, so that there is memory to tell of its lack. */
    private void end(StatsCollector measured) {
        Thread dog = watchdog;
        if (dog != null) {
            dog.interrupt();
        }
        reserve.clear();
        if (pieces != null) {
            pieces.close();
        }
        tasks = List.of();
        agreement.writers = List.of();
        measured.releaseTasks();
        try {
            closeCheckpointing();
            Throwable reason = thrown;
            failure = reason == null ? null : FailureText.of(topology, failedTask, reason, measured.keptState());
            measured.end(endState());
            tellDropped();
        } catch (RuntimeException | Error e) { // no memory even now: who waits is told all the same
            failure = failure == null && thrown != null ? lastWords : failure;
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
        if (stopped || kept == null || !stopIsOverdue() || kept.checkpoints().settled()) {
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

    private boolean stopIsOverdue() {
        return cancelled
                && settings.clock().nowNs() - cancelledNs
                        >= settings.stopTimeout().toNanos();
    }

    /** The job was to stop, and did so without the last checkpoint. */
    boolean stoppedShort() {
        return stoppedShort;
    }

    private void tellDropped() {
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
        cancelledNs = cancelled ? cancelledNs : settings.clock().nowNs();
        cancelled = true;
        Checkpointing kept = checkpointing;
        if (kept != null) {
            kept.checkpoints().stop();
        }
        wakeAll();
    }

    /** Ends the input where sources have read to. */
    void drain() {
        toDrain = true;
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
        Worker worker = stepped;
        if (worker == null) {
            throw new IllegalStateException("this job runs on threads; only one with 0 threads is stepped");
        }
        look();
        lastStepWorked = !worker.isEmpty() && worker.round();
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
        if (measured.stateBytes() > limit.bytes() && thrown == null) {
            mayBeRepeated = false;
            fail("", FailureText.ofState(topology, limit, measured.keptState()));
        }
    }

    private void lookAtBadRecords(StatsCollector measured) {
        long nowNs = settings.clock().nowNs();
        if (badWatch.isDue(nowNs)) {
            JobFailedException reason = badWatch.running(nowNs, measured.tally());
            if (reason != null && !cancelled) {
                mayBeRepeated = false;
                fail("", reason);
            }
        }
    }

    /** Before the last state is saved, and so before any sink commits; each task has published its counts. */
    private void checkBadRecords() {
        StatsCollector measured = collector;
        if (measured == null || cancelled) {
            return;
        }
        JobFailedException reason = badWatch.ended(measured.tally());
        if (reason != null) {
            mayBeRepeated = false;
            throw reason;
        }
    }

    private void onBad(String operator, BadRecord record) {
        reasons.add(operator, record);
        settings.badRecords().bad(topology, operator, record);
        if (settings.failOnBad()) {
            throw new JobFailedException(
                    "topology '" + topology + "', operator '" + operator + "': bad record in " + record.describe(),
                    null);
        }
    }

    /** Plain steps that make no object: memory may be short. What there is to tell is put into words at the end. */
    private void fail(String task, Throwable reason) {
        synchronized (failing) {
            if (thrown == null) {
                failedTask = task;
                thrown = reason;
            }
        }
        stopped = true;
        wakeAll();
    }

    /** What workers need. */
    private final class Crew implements Worker.Crew, Checkpoints.Listener {
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
            fail(nameOf(task), thrown);
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
                end(collector);
            }
            wakeAll();
        }

        @Override
        public void moveOut(Worker.Seated seated) {
            launch(worker(List.of(seated), false), nameOf(seated.task()));
        }
    }

    /** What tasks agree on. */
    private final class Agreement implements ChainTask.Agreement {
        private final AtomicInteger opening = new AtomicInteger();
        private final AtomicInteger ending = new AtomicInteger();
        private final AtomicInteger draining = new AtomicInteger();
        private final AtomicInteger committed = new AtomicInteger();
        private volatile List<ChainTask> writers = List.of();

        private final Demand wants;

        /** Limits that want no more input; guarded by itself. */
        private final BitSet reached = new BitSet();

        /** Nodes that nobody wants anything of for that; a new one each time. */
        private volatile BitSet unwanted = new BitSet();

        Agreement(Demand wants) {
            this.wants = wants;
        }

        void expect(List<Build.Built> all) {
            opening.set(all.size());
            ending.set(all.size());
            draining.set(all.size());
            writers = all.stream()
                    .filter(Build.Built::writes)
                    .map(Build.Built::task)
                    .toList();
        }

        @Override
        public void opened() {
            if (opening.decrementAndGet() == 0) {
                wakeAll();
            }
        }

        @Override
        public boolean allOpened() {
            return opening.get() == 0;
        }

        @Override
        public boolean cancelled() {
            return cancelled;
        }

        @Override
        public boolean draining(int source) {
            return toDrain || unwanted.get(source);
        }

        @Override
        public void reached(int limit) {
            synchronized (reached) {
                reached.set(limit);
                unwanted = wants.unwanted(reached);
            }
            wakeAll();
        }

        @Override
        public boolean dropping() {
            return cancelled && checkpointing == null && stopIsOverdue();
        }

        @Override
        public void dropped(String task, long records) {
            if (records > 0) {
                dropped.merge("'" + task + "'", records, Long::sum);
            }
        }

        @Override
        public void ending() {
            if (ending.decrementAndGet() == 0) {
                checkBadRecords();
            }
        }

        @Override
        public void drained() {
            if (draining.decrementAndGet() == 0) {
                wakeAll();
            }
        }

        @Override
        public boolean mayCommit(ChainTask task) {
            int place = writers.indexOf(task);
            Checkpointing kept = checkpointing;
            boolean settled = kept == null || kept.checkpoints().settled();
            return settled && (place < 0 || (draining.get() == 0 && committed.get() == place));
        }

        @Override
        public void committed(ChainTask task) {
            if (writers.contains(task)) {
                committed.incrementAndGet();
                wakeAll();
            }
        }
    }
}
