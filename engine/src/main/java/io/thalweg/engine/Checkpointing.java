// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.graph.GraphDescription;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.engine.checkpoint.CheckpointDirectory;
import io.thalweg.engine.checkpoint.Checkpoints;
import io.thalweg.engine.checkpoint.Restore;
import io.thalweg.engine.checkpoint.SavedState;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.InputRules;
import io.thalweg.run.RunSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The checkpoints of a running job: the one that it was restored from, those that it takes, and the thread that writes
 * them.
 */
final class Checkpointing {
    private static final long CLOSE_S = 30;

    private final CheckpointSettings settings;

    /** Number of the newest checkpoint that was there before the job. */
    private final long before;

    private final Checkpoints checkpoints;
    private final @Nullable SavedState saved;
    private final @Nullable ScheduledExecutorService thread;
    private final Checkpoints.Listener listener;
    private @Nullable ScheduledFuture<?> timer;

    private Checkpointing(
            CheckpointSettings settings,
            long before,
            Checkpoints checkpoints,
            @Nullable SavedState saved,
            @Nullable ScheduledExecutorService thread,
            Checkpoints.Listener listener) {
        this.listener = listener;
        this.settings = settings;
        this.before = before;
        this.checkpoints = checkpoints;
        this.saved = saved;
        this.thread = thread;
    }

    /** Null if the job has no guarantee. */
    static @Nullable Checkpointing of(TopologyGraph graph, RunSettings run, Checkpoints.Listener listener) {
        CheckpointSettings settings = run.checkpoints();
        if (settings == null) {
            if (run.guarantee() != Guarantee.NONE) {
                checkKeepsNothing(graph);
            }
            return null;
        }
        InputRules.checkReplayable(graph, run.guarantee());
        CheckpointDirectory directory = CheckpointDirectory.open(settings.directory(), settings.keep());
        try {
            SavedState saved = saved(graph, settings, run, directory);
            ScheduledExecutorService thread = run.threads() == 0
                    ? null
                    : Executors.newSingleThreadScheduledExecutor(writing(graph.name(), listener));
            Executor writing = thread == null ? Runnable::run : thread;
            long before = lastNumber(directory.path(), saved);
            Checkpoints checkpoints = new Checkpoints(
                    GraphDescription.of(graph),
                    directory,
                    run.guarantee() == Guarantee.EXACTLY_ONCE,
                    before,
                    saved == null ? 0 : saved.info().number(),
                    settings.timeout(),
                    run.clock(),
                    writing,
                    listener);
            return new Checkpointing(settings, before, checkpoints, saved, thread, listener);
        } catch (RuntimeException | Error | IOException e) {
            try {
                directory.close();
            } catch (IOException again) {
                e.addSuppressed(again);
            }
            if (e instanceof Error error) {
                throw error;
            }
            throw e instanceof RuntimeException runtime
                    ? runtime
                    : new ConnectorException("cannot look for checkpoints: " + e.getMessage(), e);
        }
    }

    /** Threads that report what ends them: without memory, the executor itself throws between two checkpoints. */
    static ThreadFactory writing(String topology, Checkpoints.Listener listener) {
        return runnable -> {
            Thread thread = new Thread(runnable, "thalweg-" + topology + "-checkpoints");
            thread.setDaemon(true);
            thread.setUncaughtExceptionHandler((dead, thrown) -> listener.onFailure(thrown));
            return thread;
        };
    }

    /**
     * Refuses operators with state: if the process dies, their state is lost, and records that are acked are not sent
     * again.
     */
    static void checkKeepsNothing(TopologyGraph graph) {
        for (Node node : graph.nodes()) {
            if (node.spec().stateful()) {
                throw new ConnectorException(
                        "topology '" + graph.name() + "', operator '" + node.name()
                                + "': it keeps state, which acks do not restore; give the job a directory for checkpoints as well");
            }
        }
    }

    static @Nullable SavedState saved(
            TopologyGraph graph, CheckpointSettings settings, RunSettings run, CheckpointDirectory directory)
            throws IOException {
        List<CheckpointDirectory.Entry> there = CheckpointDirectory.entries(settings.directory());
        if (!settings.restore()) {
            if (!there.isEmpty()) {
                throw new ConnectorException(
                        settings.directory() + " holds checkpoints of an earlier run: continue from them"
                                + " with --restore latest, or give a directory without any");
            }
            return null;
        }
        SavedState found = settings.restoreFrom() == null
                ? Restore.latest(directory, run.warnings())
                : Restore.from(settings.restoreFrom());
        return found == null ? null : RestoreCheck.of(found, graph, settings.tolerance(), run.warnings());
    }

    /** The greatest number in the directory, damaged checkpoints included; the next one must be greater. */
    static long lastNumber(Path directory, @Nullable SavedState saved) throws IOException {
        List<CheckpointDirectory.Entry> entries = CheckpointDirectory.entries(directory);
        long last = entries.isEmpty() ? 0 : entries.get(entries.size() - 1).number();
        return Math.max(last, saved == null ? 0 : saved.info().number());
    }

    Checkpoints checkpoints() {
        return checkpoints;
    }

    @Nullable SavedState saved() {
        return saved;
    }

    /** True if a checkpoint was completed since the start, even if something failed after it. */
    boolean tookOne() {
        try {
            return lastNumber(settings.directory(), null) > before;
        } catch (IOException e) {
            return checkpoints.newest() != null;
        }
    }

    /** Starts the periodic checkpoints. To be called once the tasks run. */
    void start() {
        if (thread != null) {
            long intervalNs = settings.interval().toNanos();
            timer = thread.scheduleWithFixedDelay(
                    () -> guarded(checkpoints::due), intervalNs, intervalNs, TimeUnit.NANOSECONDS);
        }
    }

    /**
     * Says what a checkpoint waits for that takes too long. Not for the thread that writes: that may be what waits, for a disk.
     *
     * @param also called as well
     */
    void look(Runnable also) {
        guarded(checkpoints::look);
        guarded(also);
    }

    private void guarded(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            listener.onFailure(e);
        }
    }

    /** Releases the directory, after writing a checkpoint that has begun. */
    void close() {
        checkpoints.close();
        if (timer != null) {
            timer.cancel(false);
        }
        if (thread != null) {
            thread.shutdown();
            try {
                boolean ended = thread.awaitTermination(CLOSE_S, TimeUnit.SECONDS);
                if (!ended) { // it releases the directory when it has written; no other job may have it before
                    return;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
