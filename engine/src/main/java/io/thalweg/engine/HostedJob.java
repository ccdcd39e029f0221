// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.graph.GraphDescription;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.stats.CheckpointStats;
import io.thalweg.engine.checkpoint.CheckpointDirectory;
import io.thalweg.engine.checkpoint.Checkpoints;
import io.thalweg.engine.checkpoint.SavedState;
import io.thalweg.engine.checkpoint.TaskState;
import io.thalweg.run.BadLimit;
import io.thalweg.run.BadReasons;
import io.thalweg.run.BadWatch;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.Clock;
import io.thalweg.run.InputRules;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Coordinates the tasks of a job that another engine runs: collects what each task reports, takes checkpoints, and says
 * in {@link HostedOrders} what the tasks do next. One thread at a time may call.
 */
public final class HostedJob implements AutoCloseable {
    private final int tasks;
    private final int writers;
    private final BitSet opened = new BitSet();

    /** Tasks whose outputs are restored, or need not be. */
    private final BitSet ready = new BitSet();

    private final BitSet drained = new BitSet();
    private final BitSet committedTasks = new BitSet();

    /** Limits that are reached. */
    private final BitSet reached = new BitSet();

    private final HostedPlan plan;
    private final long intervalNs;
    private final @Nullable Checkpoints checkpoints;
    private @Nullable Throwable failure;
    private HostedOrders orders;
    private boolean cancelled;
    private int committed;
    private long lastBeganNs;
    private final List<String> warnings = new ArrayList<>();
    private final BadReasons reasons = new BadReasons();
    private final BadWatch badWatch;
    private final Map<Integer, HostedCounts> counts = new HashMap<>();
    private final BitSet saved = new BitSet();
    private boolean tooManyBad;

    /**
     * @param checkpointing where and how often; null if none are taken
     * @param last greatest number of the checkpoints that are there; 0 for none
     * @throws io.thalweg.api.connector.ConnectorException if the directory cannot be written, or another job uses it
     */
    public HostedJob(HostedPlan plan, @Nullable CheckpointSettings checkpointing, long last, BadLimit badLimit) {
        this.plan = plan;
        badWatch = new BadWatch(plan.graph().name(), badLimit, () -> reasons);
        tasks = plan.tasks();
        writers = plan.parts().stream()
                .filter(HostedPlan.Part::writes)
                .mapToInt(HostedPlan.Part::parallelism)
                .sum();
        orders = HostedOrders.first(last);
        lastBeganNs = HostedPlan.nowNs();
        intervalNs = checkpointing == null ? 0 : checkpointing.interval().toNanos();
        checkpoints = checkpointing == null ? null : checkpoints(checkpointing, last);
    }

    private Checkpoints checkpoints(CheckpointSettings settings, long last) {
        Checkpoints made = new Checkpoints(
                GraphDescription.of(plan.graph()),
                CheckpointDirectory.open(settings.directory(), settings.keep()),
                true,
                last,
                last,
                settings.timeout(),
                Clock.system(),
                Runnable::run,
                new Checkpoints.Listener() {
                    @Override
                    public void wake() {}

                    @Override
                    public void onOverdue(String warning) {
                        warnings.add("topology '" + plan.graph().name() + "': " + warning);
                    }

                    @Override
                    public void onFailure(Throwable thrown) {
                        failure = failure == null ? thrown : failure;
                    }
                });
        made.expect(plan.taskNames());
        return made;
    }

    /**
     * What a job finds in its directory of checkpoints before it starts.
     *
     * @param from the file to restore; null if the job begins
     * @param last greatest number of the checkpoints that are there; 0 for none
     */
    public record Found(@Nullable String from, long last) {}

    /**
     * Checks that the job can give its guarantee, and finds the checkpoint to restore.
     *
     * @throws io.thalweg.api.connector.ConnectorException if it cannot
     */
    public static Found look(TopologyGraph graph, RunSettings run) {
        CheckpointSettings settings = run.checkpoints();
        if (settings == null) {
            if (run.guarantee() != Guarantee.NONE) {
                Checkpointing.checkKeepsNothing(graph);
            }
            return new Found(null, 0);
        }
        InputRules.checkReplayable(graph, run.guarantee());
        try (CheckpointDirectory directory = CheckpointDirectory.open(settings.directory(), settings.keep())) {
            SavedState saved = Checkpointing.saved(graph, settings, run, directory);
            return new Found(
                    saved == null ? null : saved.path().toAbsolutePath().toString(),
                    Checkpointing.lastNumber(settings.directory(), saved));
        } catch (IOException e) {
            throw new ConnectorException("cannot look for checkpoints: " + e.getMessage(), e);
        }
    }

    /** What went wrong with the checkpoints, or that too many records were bad; null if nothing did. */
    public @Nullable Throwable failure() {
        return failure;
    }

    /** Warnings for the user since the last call, each once. */
    public List<String> takeWarnings() {
        List<String> reported = List.copyOf(warnings);
        warnings.clear();
        return reported;
    }

    /** True if the job must not be restarted after this failure. */
    public boolean failedForGood() {
        return tooManyBad;
    }

    public void bad(String operator, BadRecord record) {
        reasons.add(operator, record);
    }

    /** The newest counts of a task. Must be reported before its last {@link #saved} and before {@link #drained}. */
    public void counts(int task, HostedCounts of) {
        counts.put(task, of);
    }

    /** False if the job has too many bad records. */
    private boolean mayEnd() {
        if (!tooManyBad && !cancelled) {
            fail(badWatch.ended(HostedCounts.tally(counts.values())));
        }
        return !tooManyBad;
    }

    private void fail(@Nullable JobFailedException reason) {
        if (reason != null && failure == null) {
            failure = reason;
            tooManyBad = true;
        }
    }

    /** As {@link HostedChain.Host#opened} has it; the engine may repeat it. */
    public void opened(int task, boolean outputsRestored) {
        opened.set(task);
        if (outputsRestored) {
            ready.set(task);
        }
    }

    /** As {@link HostedChain.Host#saved} has it. */
    public void saved(int task, long checkpoint, byte[] state, long heldNs, long tookNs) {
        Checkpoints taken = checkpoints;
        if (taken == null) {
            return;
        }
        TaskState read = TaskState.of(checkpoint, state);
        if (checkpoint == 0) {
            saved.set(task);
            if (saved.cardinality() == tasks && !mayEnd()) {
                return; // a failed job gets no last checkpoint
            }
            taken.end(task, read);
        } else {
            taken.save(task, read, heldNs, tookNs);
        }
    }

    /** True if the last state of a task has come. */
    public boolean hasLast(int task) {
        return saved.get(task);
    }

    /** May be told more than once. */
    public void drained(int task) {
        if (drained.get(task)) {
            return;
        }
        drained.set(task);
        if (drained.cardinality() == tasks) {
            mayEnd();
        }
    }

    /** As {@link HostedChain.Host#reached} has it. */
    public void reached(int limit) {
        reached.set(limit);
    }

    /** May be told more than once. */
    public void committed(int task, HostedPlan.Part part) {
        if (committedTasks.get(task)) {
            return;
        }
        committedTasks.set(task);
        committed += part.writes() ? 1 : 0;
        if (over()) {
            mayEnd(); // again: some sinks find out only on commit that records are bad
        }
    }

    /** Asks sources to stop; if checkpoints are taken, behind a last barrier. */
    public void cancel() {
        if (!cancelled) {
            cancelled = true;
            if (checkpoints != null) {
                checkpoints.stop();
            }
        }
    }

    /** Begins a checkpoint if one is due, and checks how many records were bad. Must be called periodically. */
    public void look() {
        Checkpoints taken = checkpoints;
        long nowNs = HostedPlan.nowNs();
        if (taken != null) {
            taken.look();
        }
        if (!cancelled && badWatch.isDue(nowNs)) {
            fail(badWatch.running(nowNs, HostedCounts.tally(counts.values())));
        }
        if (taken != null && ready.cardinality() == tasks && nowNs - lastBeganNs >= intervalNs && taken.begin()) {
            lastBeganNs = nowNs;
        }
    }

    /** The current orders for all tasks; a new version if something has changed. */
    public HostedOrders orders() {
        Checkpoints taken = checkpoints;
        boolean settled = taken == null || taken.settled();
        HostedOrders now = new HostedOrders(
                orders.version(),
                taken == null ? 0 : taken.asked(),
                taken == null ? 0 : taken.completed(),
                taken == null ? Long.MAX_VALUE : taken.stopAt(),
                opened.cardinality() == tasks,
                ready.cardinality() == tasks,
                cancelled,
                settled && drained.cardinality() == tasks && !tooManyBad,
                committed,
                reached.stream().boxed().toList());
        if (!now.equals(orders)) {
            orders = new HostedOrders(
                    orders.version() + 1,
                    now.asked(),
                    now.completed(),
                    now.stopAt(),
                    now.opened(),
                    now.started(),
                    now.cancelled(),
                    now.mayCommit(),
                    now.committed(),
                    now.reached());
        }
        return orders;
    }

    /** True once all sinks have committed. */
    public boolean over() {
        return committedTasks.cardinality() == tasks && committed == writers;
    }

    public @Nullable CheckpointStats lastCheckpoint() {
        return checkpoints == null ? null : checkpoints.newest();
    }

    @Override
    public void close() {
        if (checkpoints != null) {
            checkpoints.close();
        }
    }
}
