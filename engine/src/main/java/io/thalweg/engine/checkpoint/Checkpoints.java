// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.checkpoint;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.DurationText;
import io.thalweg.api.graph.GraphDescription;
import io.thalweg.api.stats.CheckpointStats;
import io.thalweg.run.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Takes the checkpoints of one job, one at a time. Sources see that one is requested and send a barrier behind the records that
 * they have read. A task saves its state when the barrier has arrived on all inputs. When all tasks have, the file is
 * completed,
 * and then sinks commit what belongs to it (Chandy and Lamport, 1985; Flink's snapshots work in the same way).
 *
 * <pre>
 *  begin ──► asked ··· saved, saved, ended, saved ──► file complete ──► completed ··· sinks commit
 *            sources         tasks                    writing thread                 tasks
 * </pre>
 *
 * A task whose input has ended saves its last state, which belongs to every later checkpoint. When all tasks have, a last
 * checkpoint is taken of those states, and then sinks commit.
 */
public final class Checkpoints implements Barriers {
    private static final long NEVER = Long.MAX_VALUE;

    /** Notifies the job. Called by any thread. */
    public interface Listener {
        /** Tasks have something to do: a barrier to send, or something to commit. */
        void wake();

        /**
         * A checkpoint is about to be complete, so what was committed before it must now survive a power loss. Called
         * by the thread that writes.
         */
        default void onCompleting() throws IOException {}

        /** A checkpoint is complete. */
        default void onCompleted(long checkpoint) {}

        /** A checkpoint takes longer than the timeout; the warning is one line for the user. */
        default void onOverdue(String warning) {}

        /** A checkpoint could not be written. */
        void onFailure(Throwable failure);
    }

    private final GraphDescription graph;
    private final CheckpointDirectory directory;
    private final boolean aligned;
    private final Duration timeout;
    private final Clock clock;
    private final Executor writing;
    private final Listener listener;
    private final Savepoints savepoints = new Savepoints();

    private volatile long asked;
    private volatile long completed;
    private volatile long abandoned;
    private volatile long stopAt = NEVER;
    private volatile boolean lastCompleted;
    private volatile @Nullable CheckpointStats newest;

    /** The newest checkpoint that a job could continue from; 0 if there is none. A damaged one may have a higher number. */
    private volatile long whole;

    // Guarded by this.
    private List<String> tasks = List.of();
    private boolean[] saved = {};
    private @Nullable TaskState[] ended = {};
    private int endedCount;
    private int missing;
    private boolean inFlight;

    /** One was due while another was in flight: it begins when that one is complete, or given up. */
    private boolean owed;

    private boolean stopping;
    private boolean last;
    private long beganNs;
    private long beganMs;

    /** When the user was last warned that the checkpoint takes too long; before that, when it began. */
    private long toldNs;

    private long alignedNs;
    private long pausedNs;

    // Used by the writing thread only.
    private CheckpointFile.@Nullable Writer file;
    private final LargeFileOutput.Memory memory = new LargeFileOutput.Memory();
    private long fileNumber;
    private final Map<StateName, Long> sizes = new LinkedHashMap<>();

    /**
     * @param aligned true for exactly-once: tasks align barriers
     * @param after the greatest number in the directory, damaged checkpoints included; 0 if there is none
     * @param whole number of the checkpoint that the job continues from; 0 if there is none
     * @param timeout after which a checkpoint is aborted, and the next one may begin
     * @param writing runs its tasks one after the other
     */
    public Checkpoints(
            GraphDescription graph,
            CheckpointDirectory directory,
            boolean aligned,
            long after,
            long whole,
            Duration timeout,
            Clock clock,
            Executor writing,
            Listener listener) {
        this.graph = graph;
        this.directory = directory;
        this.aligned = aligned;
        this.timeout = timeout;
        this.clock = clock;
        this.writing = writing;
        this.listener = listener;
        asked = after;
        completed = after;
        this.whole = whole;
    }

    /**
     * Sets the tasks. Must be called before the job starts.
     *
     * @param names of all tasks, in the order in which records pass them
     */
    public synchronized void expect(List<String> names) {
        tasks = List.copyOf(names);
        saved = new boolean[names.size()];
        ended = new TaskState[names.size()];
    }

    @Override
    public boolean aligned() {
        return aligned;
    }

    @Override
    public long asked() {
        return asked;
    }

    @Override
    public long completed() {
        return completed;
    }

    @Override
    public long abandoned() {
        return abandoned;
    }

    @Override
    public long stopAt() {
        return stopAt;
    }

    /** True once no checkpoint will follow, so that sinks may commit the rest. */
    public boolean settled() {
        return lastCompleted || completed >= stopAt;
    }

    public @Nullable CheckpointStats newest() {
        return newest;
    }

    /**
     * Aborts a checkpoint that takes too long, with a warning that says what it waits for. Must be called periodically.
     * The last checkpoint of a job is not aborted, because sources have stopped behind it, nor one that is being
     * written.
     */
    public synchronized void look() {
        long nowNs = clock.nowNs();
        if (!inFlight || nowNs - toldNs < timeout.toNanos()) {
            return;
        }
        toldNs = nowNs;
        long number = asked;
        String since = "checkpoint " + number + " is not complete after "
                + DurationText.of(Duration.ofNanos(nowNs - beganNs)) + ": ";
        if (missing == 0) {
            listener.onOverdue(since + directory.path() + " is slow to take it");
        } else if (last || stopAt != NEVER) {
            listener.onOverdue(since + waitsFor() + "; it is the last one, and the job waits for it");
        } else {
            listener.onOverdue(since + waitsFor() + "; it is given up, and the next one follows");
            inFlight = false;
            abandoned = number;
            savepoints.fail("the checkpoint was not complete after " + DurationText.of(timeout) + ": " + waitsFor());
            writing.execute(this::abandon);
            if (stopping || owed || endedCount == ended.length) {
                begin();
            }
            listener.wake();
        }
    }

    /** The first task that is missing, in the order of records: usually the one that the others wait for. */
    private String waitsFor() {
        for (int task = 0; task < saved.length; task++) {
            if (!saved[task]) {
                return "the barrier has not passed task '" + tasks.get(task) + "'"
                        + (missing == 1 ? "" : ", nor " + (missing - 1) + " behind or beside it");
            }
        }
        return "all tasks have saved";
    }

    /** A checkpoint is due: begins it, now or, if one is in progress, when that one has ended. One at most is owed. */
    public synchronized void due() {
        long before = asked;
        owed = !begin() && asked == before; // otherwise another was given up, and the next one has begun
    }

    /** Begins a checkpoint, unless one is in progress or the job's input has ended; true if it has begun. */
    public synchronized boolean begin() {
        look();
        if (inFlight || last || stopAt != NEVER) {
            return false;
        }
        if (stopping) {
            stopAt = asked + 1;
        }
        last = endedCount == ended.length;
        inFlight = true;
        owed = false;
        beganNs = clock.nowNs();
        beganMs = clock.epochMs();
        toldNs = beganNs;
        alignedNs = 0;
        pausedNs = 0;
        missing = ended.length;
        long number = asked + 1;
        writing.execute(() -> write(() -> open(number)));
        for (int task = 0; task < ended.length; task++) {
            saved[task] = false;
        }
        asked = number;
        savepoints.begun();
        for (int task = 0; task < ended.length; task++) {
            TaskState state = ended[task];
            if (state != null) {
                take(task, state);
            }
        }
        listener.wake();
        return true;
    }

    /**
     * Takes a checkpoint and keeps a copy of it.
     *
     * @param to a directory; null for that of the checkpoints
     * @return the path of the copy; completes with a {@link ConnectorException} if it cannot be made, and the job
     *     continues
     */
    public synchronized CompletableFuture<Path> savepoint(@Nullable Path to) {
        if (last || stopAt != NEVER) {
            return CompletableFuture.failedFuture(new ConnectorException(
                    "the job ends and takes its last checkpoint in " + directory.path() + "; restore that one"));
        }
        CompletableFuture<Path> kept = savepoints.ask(to == null ? directory.path() : to);
        begin();
        return kept;
    }

    /** Takes a last checkpoint of a job that is cancelled; its sources stop behind the barrier. */
    public synchronized void stop() {
        stopping = true;
        begin();
    }

    @Override
    public synchronized void save(int task, TaskState state, long heldNs, long tookNs) {
        if (inFlight && state.checkpoint() == asked && !saved[task]) {
            alignedNs = Math.max(alignedNs, heldNs);
            pausedNs = Math.max(pausedNs, tookNs);
            take(task, state);
        }
    }

    @Override
    public synchronized void end(int task, TaskState state) {
        ended[task] = state;
        endedCount++;
        if (inFlight && !saved[task]) {
            take(task, state);
        } else if (!inFlight && endedCount == ended.length) {
            begin();
        }
    }

    private void take(int task, TaskState state) {
        saved[task] = true;
        writing.execute(() -> write(() -> {
            CheckpointFile.Writer open = file;
            if (open != null) {
                open.task(state);
                state.addSizes(sizes);
            }
        }));
        missing--;
        if (missing == 0) {
            long number = asked;
            boolean ofAll = last;
            long waitedMs = alignedNs / 1_000_000;
            long heldUpMs = pausedNs / 1_000_000;
            writing.execute(() -> write(() -> complete(number, ofAll, waitedMs, heldUpMs)));
        }
    }

    // ---- the writing thread

    private interface Step {
        void run() throws IOException;
    }

    private void write(Step step) {
        try {
            step.run();
        } catch (IOException | RuntimeException | Error e) {
            abandon();
            listener.onFailure(
                    e instanceof IOException
                            ? new ConnectorException(
                                    "cannot write checkpoint " + fileNumber + " to " + directory.path() + ": "
                                            + e.getMessage() + "; " + kept(),
                                    e)
                            : e);
        }
    }

    private String kept() {
        return whole == 0 ? "there is none before it" : "checkpoint " + whole + " is whole";
    }

    private void open(long number) throws IOException {
        sizes.clear();
        fileNumber = number;
        file = new CheckpointFile.Writer(directory.temporary(number), graph, memory);
    }

    private void complete(long number, boolean ofAll, long waitedMs, long heldUpMs) throws IOException {
        CheckpointFile.Writer open = file;
        if (open == null) {
            return; // it has failed, which was reported
        }
        List<CheckpointStats.StateSize> states = new ArrayList<>();
        sizes.forEach((name, bytes) -> states.add(new CheckpointStats.StateSize(name.operator(), name.name(), bytes)));
        long tookMs = (clock.nowNs() - beganNs) / 1_000_000;
        CheckpointStats info =
                new CheckpointStats(graph.topology(), number, beganMs, tookMs, waitedMs, heldUpMs, ofAll, states);
        listener.onCompleting();
        open.end(info);
        file = null;
        directory.complete(number);
        savepoints.keep(directory.checkpoint(number), graph.topology());
        completed(info);
        directory.removeOld();
    }

    private void completed(CheckpointStats info) {
        listener.onCompleted(info.number());
        goOn(info);
    }

    private synchronized void goOn(CheckpointStats info) {
        newest = info;
        whole = info.number();
        completed = info.number();
        inFlight = false;
        lastCompleted = info.last();
        if (!lastCompleted && (stopping || owed || endedCount == ended.length || savepoints.waiting())) {
            begin();
        }
        listener.wake();
    }

    private void abandon() {
        CheckpointFile.Writer open = file;
        file = null;
        if (open != null) {
            try {
                open.close();
                Files.deleteIfExists(directory.temporary(fileNumber));
            } catch (IOException e) {
                // the next start removes the file; only the first failure is reported
            }
        }
    }

    /** The job has ended, for whatever reason. */
    public synchronized void close() {
        last = true; // no checkpoint may begin any more
        writing.execute(() -> {
            abandon();
            letGo();
            savepoints.fail("the job ended before it");
        });
    }

    /** Releases the directory; may be called twice. */
    void letGo() {
        try {
            directory.close();
        } catch (IOException e) {
            // the end of the process releases it too
        }
    }
}
