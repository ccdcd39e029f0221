// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.embedded;

import com.sun.management.OperatingSystemMXBean;
import io.thalweg.api.stats.AckStats;
import io.thalweg.api.stats.CheckpointStats;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.stats.LateRecords;
import io.thalweg.api.stats.LatencyHistogram;
import io.thalweg.api.stats.LatencyStats;
import io.thalweg.api.stats.PlanInfo;
import io.thalweg.api.stats.ProcessStats;
import io.thalweg.api.stats.StateStats;
import io.thalweg.api.stats.TaskStats;
import io.thalweg.doctor.observation.Ages;
import io.thalweg.doctor.observation.EdgeTotals;
import io.thalweg.doctor.observation.KeyShares;
import io.thalweg.doctor.observation.Lateness;
import io.thalweg.doctor.observation.Observation;
import io.thalweg.doctor.observation.OperatorProfile;
import io.thalweg.doctor.observation.ProcessSpan;
import io.thalweg.doctor.observation.Restarts;
import io.thalweg.doctor.observation.Span;
import io.thalweg.doctor.observation.Spans;
import io.thalweg.doctor.observation.TaskSpan;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes an observation of a job of this process from its statistics, looked at about once a second. Not thread-safe.
 */
public final class JobObserver {
    private static final String PROCESS = "embedded";
    private static final String OWN_THREADS = "each on a thread of its own";

    /** Two looks closer together are one: rates of a few milliseconds say nothing. */
    private static final long MIN_SPAN_NS = 100_000_000;

    /** Of checkpoints, the newest so many are kept. */
    private static final int MOST_CHECKPOINTS = 100;

    private static final long NS_PER_MS = 1_000_000;

    private final Spans spans = new Spans();
    private final KeySketches keys = new KeySketches();
    private final List<CheckpointStats> checkpoints = new ArrayList<>();
    private final Map<String, Long> recordsOfTask = new HashMap<>();
    private final Map<String, TaskStats> before = new HashMap<>();
    private @Nullable JobStats last;
    private @Nullable Long collectorNs = CollectorThreads.cpuNs();
    private int restarts;
    private @Nullable String cause;
    private int restartsBefore = -1;
    private long startedNs;

    /** Before the last restart. */
    private List<LateRecords> lateBefore = List.of();

    private boolean ownThreads;
    private boolean elsewhere;

    /** Observes a job from its start on. */
    public JobObserver() {}

    /** Observes a job from its start on that another engine runs in this process, each of its tasks on a thread of its own. */
    public static JobObserver ofThreads() {
        JobObserver observer = new JobObserver();
        observer.ownThreads = true;
        return observer;
    }

    /**
     * The same of a job that runs already, from now on.
     *
     * @param stats of the job since it was last started
     * @param restarted how often it was restarted so far
     */
    public static JobObserver ofThreads(JobStats stats, int restarted) {
        JobObserver observer = new JobObserver(stats, restarted);
        observer.ownThreads = true;
        return observer;
    }

    /**
     * Observes a job that runs already, from now on. Acks, latency and the number of a checkpoint are still those since its start.
     *
     * @param stats of the job since it was last started
     * @param restarted how often it was restarted so far
     */
    public JobObserver(JobStats stats, int restarted) {
        last = stats;
        restartsBefore = restarted;
        stats.tasks().forEach(task -> before.put(task.task(), task));
    }

    /** Its tasks run in other processes than this one, of which nothing is told. */
    public JobObserver inOtherProcesses() {
        elsewhere = true;
        return this;
    }

    /** Where the job's tasks tell the keys that they look at, from any thread. */
    public KeySketches keys() {
        return keys;
    }

    /**
     * Takes what was measured until now.
     *
     * @param stats of the job since it was last started
     * @param restarted how often it was restarted so far
     * @param failure before the last restart; null if there was none
     * @param checkpoint the newest one; null if there is none
     */
    public void look(JobStats stats, int restarted, @Nullable String failure, @Nullable CheckpointStats checkpoint) {
        JobStats previous = last;
        if (restarted != restartsBefore && !isOfTheStartBefore(stats, previous)) {
            before.clear();
            if (previous != null) {
                restarts += restarted - restartsBefore;
                cause = failure;
                startedNs += previous.elapsedNs();
                lateBefore = late(previous);
                previous = null;
            }
            restartsBefore = restarted;
        }
        if (checkpoint != null && (checkpoints.isEmpty() || newest().number() < checkpoint.number())) {
            checkpoints.add(checkpoint);
            if (checkpoints.size() > MOST_CHECKPOINTS) {
                checkpoints.remove(0);
            }
        }
        long fromNs = previous == null ? 0 : previous.elapsedNs();
        if (stats.elapsedNs() - fromNs >= MIN_SPAN_NS) {
            spans.add(span(previous, stats));
            last = stats;
        }
    }

    /** A restart is counted before state is restored, and until then the figures are those of the start that failed. */
    private static boolean isOfTheStartBefore(JobStats stats, @Nullable JobStats previous) {
        return previous != null && stats.state() == JobState.FAILED && stats.elapsedNs() >= previous.elapsedNs();
    }

    private CheckpointStats newest() {
        return checkpoints.get(checkpoints.size() - 1);
    }

    private Span span(@Nullable JobStats previous, JobStats stats) {
        List<TaskSpan> tasks = new ArrayList<>();
        for (TaskStats task : stats.tasks()) {
            if (!task.operators().isEmpty()) { // an engine may have tasks between those of the topology
                tasks.add(task(before.get(task.task()), task));
                before.put(task.task(), task);
            }
        }
        return new Span(
                startedNs + (previous == null ? 0 : previous.elapsedNs()),
                startedNs + stats.elapsedNs(),
                stats.recordsIn() - (previous == null ? 0 : previous.recordsIn()),
                stats.recordsOut() - (previous == null ? 0 : previous.recordsOut()),
                stats.recordsBad() - (previous == null ? 0 : previous.recordsBad()),
                stats.recordsLate() - (previous == null ? 0 : previous.recordsLate()),
                stats.windowsOpen(),
                stats.acks().equals(AckStats.NONE)
                        ? null
                        : Long.valueOf(stats.acks().pending()),
                tasks,
                elsewhere ? List.of() : List.of(process(previous == null ? null : previous.process(), stats.process())),
                ages(previous == null ? LatencyHistogram.NONE : previous.latencies(), stats.latencies()));
    }

    private static @Nullable Ages ages(LatencyHistogram was, LatencyHistogram now) {
        long samples = now.total() - was.total();
        return samples <= 0 ? null : new Ages(samples, Math.max(0, now.sumUs() - was.sumUs()));
    }

    private TaskSpan task(@Nullable TaskStats was, TaskStats now) {
        recordsOfTask.merge(now.task(), now.recordsIn() - (was == null ? 0 : was.recordsIn()), Long::sum);
        boolean longer = was == null || now.longestCallNs() > was.longestCallNs();
        boolean tells = !now.input().splits().isEmpty();
        return new TaskSpan(
                now.task(),
                now.operators(),
                now.index(),
                PROCESS,
                now.recordsIn() - (was == null ? 0 : was.recordsIn()),
                now.recordsOut() - (was == null ? 0 : was.recordsOut()),
                tells ? now.input().bytes() - (was == null ? 0 : was.input().bytes()) : null,
                now.recordsBad() - (was == null ? 0 : was.recordsBad()),
                now.recordsLate() - (was == null ? 0 : was.recordsLate()),
                now.busyNs() - (was == null ? 0 : was.busyNs()),
                now.waitingNs() - (was == null ? 0 : was.waitingNs()),
                now.heldBackNs() - (was == null ? 0 : was.heldBackNs()),
                now.queueDepth(),
                longer ? Long.valueOf(now.longestCallNs()) : null,
                now.slowCalls() - (was == null ? 0 : was.slowCalls()),
                tells ? Long.valueOf(now.input().lag()) : null,
                now.state().stream().mapToLong(StateStats::keys).sum(),
                now.state().stream().mapToLong(StateStats::bytes).sum(),
                now.splitTimes(),
                now.batchesIn() - (was == null ? 0 : was.batchesIn()),
                now.overdueUs() - (was == null ? 0 : was.overdueUs()));
    }

    private ProcessSpan process(@Nullable ProcessStats was, ProcessStats now) {
        Long collectedNs = CollectorThreads.cpuNs();
        Long collectedBefore = collectorNs;
        collectorNs = collectedNs;
        Runtime runtime = Runtime.getRuntime();
        return new ProcessSpan(
                PROCESS,
                runtime.availableProcessors(),
                now.cpuNs() - (was == null ? 0 : was.cpuNs()),
                now.threads(),
                now.heapUsedBytes(),
                runtime.maxMemory(),
                now.gcCount() - (was == null ? 0 : was.gcCount()),
                (now.gcMs() - (was == null ? 0 : was.gcMs())) * NS_PER_MS,
                collectedNs == null || collectedBefore == null
                        ? null
                        : Long.valueOf(Math.max(0, collectedNs - collectedBefore)),
                machineLoad());
    }

    private static @Nullable Double machineLoad() {
        double load =
                ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean os ? os.getCpuLoad() : -1;
        return load >= 0 ? Double.valueOf(load) : null; // nor is NaN a load
    }

    /** True once there is something to judge. */
    public boolean hasSeenAnything() {
        return !spans.all().isEmpty();
    }

    /**
     * What was observed so far.
     *
     * @param state of the job now
     * @param profile of its operators; empty if none was taken
     * @param failure that ended it, in one line; null if none did
     * @throws IllegalStateException if nothing was seen, because the job ended at once
     */
    public Observation observation(JobState state, List<OperatorProfile> profile, @Nullable String failure) {
        JobStats end = last;
        if (end == null || !hasSeenAnything()) {
            throw new IllegalStateException("nothing was observed");
        }
        LatencyStats latency = end.latency();
        return new Observation(
                Observation.VERSION,
                state,
                ownThreads ? onOwnThreads(end.plan()) : end.plan(),
                spans.all(),
                profile,
                edges(end.plan()),
                checkpoints,
                end.acks().equals(AckStats.NONE) ? null : end.acks(),
                latency,
                new Restarts(restarts, cause),
                failure,
                null,
                null,
                null,
                null,
                lateness());
    }

    /** Null if the engine counts late records, and does not tell how late they were. */
    private @Nullable List<Lateness> lateness() {
        JobStats end = last;
        List<LateRecords> all = end == null ? lateBefore : late(end);
        long counted = end == null ? 0 : end.recordsLate();
        return all.isEmpty() && counted > 0
                ? null
                : all.stream().map(Lateness::of).toList();
    }

    private List<LateRecords> late(JobStats stats) {
        return LateRecords.byOperator(
                Stream.concat(lateBefore.stream(), stats.late().stream()).toList());
    }

    private static PlanInfo onOwnThreads(PlanInfo plan) {
        return new PlanInfo(
                plan.topology(),
                plan.runner(),
                0,
                plan.operators(),
                plan.chains().stream()
                        .map(chain ->
                                new PlanInfo.Chain(chain.number(), chain.operators(), chain.parallelism(), OWN_THREADS))
                        .toList(),
                plan.edges(),
                plan.options());
    }

    /** A queue's records are known if it is the only one that its operator takes records from. */
    private List<EdgeTotals> edges(PlanInfo plan) {
        List<EdgeTotals> totals = new ArrayList<>();
        for (PlanInfo.Edge edge : plan.edges()) {
            KeyShares shares = keys.shares(edge.from(), edge.to());
            if (!edge.fused() || shares != null) {
                boolean only = plan.edges().stream()
                                .filter(each -> each.to().equals(edge.to()))
                                .count()
                        == 1;
                Long records = only && !edge.fused() ? Long.valueOf(recordsInto(edge.to())) : null;
                totals.add(new EdgeTotals(edge.from(), edge.to(), records, null, shares));
            }
        }
        return totals;
    }

    private long recordsInto(String head) {
        long records = 0;
        for (TaskStats task : before.values()) {
            if (task.operators().get(0).equals(head)) {
                records += recordsOfTask.getOrDefault(task.task(), 0L);
            }
        }
        return records;
    }
}
