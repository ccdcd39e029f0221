// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import io.thalweg.api.stats.AckStats;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.stats.LatencyStats;
import io.thalweg.api.stats.PlanInfo;
import io.thalweg.api.stats.ProcessStats;
import io.thalweg.api.stats.StateStats;
import io.thalweg.api.stats.TaskStats;
import io.thalweg.engine.chain.ChainTask;
import io.thalweg.engine.chain.Loop;
import io.thalweg.engine.chain.TaskParts;
import io.thalweg.engine.plan.Build;
import io.thalweg.engine.stats.AckCounters;
import io.thalweg.engine.stats.TaskCounters;
import io.thalweg.run.BadReasons;
import io.thalweg.run.BadRecordCount;
import io.thalweg.run.Clock;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;
import org.jspecify.annotations.Nullable;

/** Combines the counters of tasks and of the JVM into {@code JobStats}. */
final class StatsCollector {
    /** The counters of a task, and the task itself while it runs. */
    private static final class Measured {
        final String name;
        final List<String> operators;
        final int index;
        final boolean reads;
        final TaskCounters counters;
        final @Nullable SingleWriterRecorder latencyUs;
        final @Nullable AckCounters acks;

        @Nullable ChainTask task;

        Measured(Build.Built built) {
            task = built.task();
            name = built.task().name();
            operators = built.operators();
            index = built.index();
            reads = built.reads();
            counters = built.task().counters();
            latencyUs = built.task().latencyUs();
            acks = built.acks();
        }

        HostedCounts counts() {
            return HostedCounts.of(stats(), reads, counters);
        }

        TaskStats stats() {
            ChainTask running = task; // the job's end sets it to null meanwhile
            return new TaskStats(
                    name,
                    operators,
                    index,
                    counters.recordsIn.get(),
                    counters.recordsOut.get() + counters.recordsWritten.get(),
                    counters.recordsBad.get(),
                    counters.recordsLate.get(),
                    counters.busyNs.get(),
                    counters.waitingNs.get(),
                    counters.heldBackNs.get(),
                    running == null ? 0 : running.queueDepth(),
                    counters.longestCallNs.get(),
                    counters.slowCalls.get(),
                    counters.alignment,
                    counters.connections.get(),
                    counters.input,
                    counters.state,
                    counters.splitTimes,
                    counters.batchesIn.get(),
                    counters.overdueUs.get(),
                    counters.lateLog.told());
        }
    }

    private final PlanInfo plan;
    private final List<Measured> tasks;
    private final List<Loop> loops;
    private final Clock clock;
    private final long beganNs;
    private final ProcessStats atStart;
    private final BadReasons reasons;
    private final Histogram latencyUs = new Histogram(TaskParts.MAX_LATENCY_US, 3);
    private final Histogram completeUs = new Histogram(TaskParts.MAX_LATENCY_US, 3);
    private @Nullable JobStats last;

    StatsCollector(PlanInfo plan, List<Build.Built> tasks, Clock clock, BadReasons reasons) {
        this.plan = plan;
        this.reasons = reasons;
        this.tasks = tasks.stream().map(Measured::new).toList();
        loops = tasks.stream()
                .map(Build.Built::loop)
                .filter(Objects::nonNull)
                .distinct()
                .toList();
        this.clock = clock;
        beganNs = clock.nowNs();
        atStart = process();
    }

    /** The tasks have ended: keeps only their counters, so that their state can be collected. */
    synchronized void releaseTasks() {
        for (int i = 0; i < tasks.size(); i++) { // no iterator: memory may be short
            tasks.get(i).task = null;
        }
    }

    /** The state of operators, the largest first. */
    List<StateStats> keptState() {
        return StateStats.byOperator(tasks.stream()
                .flatMap(measured -> measured.counters.state.stream())
                .toList());
    }

    long stateBytes() {
        long bytes = 0;
        for (Measured measured : tasks) {
            for (StateStats each : measured.counters.state) {
                bytes += each.bytes();
            }
        }
        return bytes;
    }

    BadRecordCount tally() {
        return HostedCounts.tally(tasks.stream().map(Measured::counts).toList());
    }

    /** Records that were to be led back when their loop had ended. */
    long lost() {
        return loops.stream().mapToLong(Loop::lost).sum();
    }

    /** Measures a last time. */
    synchronized void end(JobState state) {
        last = collect(state);
    }

    synchronized JobStats collect(JobState state) {
        if (last != null) {
            return last;
        }
        List<TaskStats> all = new ArrayList<>();
        long in = 0;
        long out = 0;
        long bad = 0;
        long late = 0;
        long windows = 0;
        for (Measured measured : tasks) {
            TaskStats stats = measured.stats();
            all.add(stats);
            in += measured.reads ? stats.recordsIn() : 0;
            out += measured.counters.recordsWritten.get();
            bad += stats.recordsBad();
            late += stats.recordsLate();
            windows += measured.counters.windowsOpen.get();
            if (measured.latencyUs != null) {
                latencyUs.add(measured.latencyUs.getIntervalHistogram());
            }
        }
        long elapsedNs = clock.nowNs() - beganNs;
        return new JobStats(
                plan.topology(),
                state,
                elapsedNs,
                in,
                out,
                bad,
                late,
                windows,
                reasons.most(BadReasons.MOST_TOLD),
                of(latencyUs),
                LatencyBuckets.of(latencyUs),
                acks(),
                since(atStart),
                all,
                loops.stream().map(Loop::stats).toList(),
                plan);
    }

    private AckStats acks() {
        long pending = 0;
        long acked = 0;
        long failed = 0;
        long timedOut = 0;
        long givenUp = 0;
        for (Measured measured : tasks) {
            AckCounters counters = measured.acks;
            if (counters != null) {
                pending += counters.pending.get();
                acked += counters.acked.get();
                failed += counters.failed.get();
                timedOut += counters.timedOut.get();
                givenUp += counters.givenUp.get();
                completeUs.add(counters.completeUs.getIntervalHistogram());
            }
        }
        return new AckStats(pending, acked, failed, timedOut, givenUp, of(completeUs));
    }

    private static LatencyStats of(Histogram us) {
        return us.getTotalCount() == 0
                ? LatencyStats.NONE
                : new LatencyStats(
                        us.getTotalCount(),
                        us.getValueAtPercentile(50),
                        us.getValueAtPercentile(90),
                        us.getValueAtPercentile(99),
                        us.getValueAtPercentile(99.9),
                        us.getMaxValue());
    }

    /** What this JVM has used since; heap and threads are the current ones. */
    static ProcessStats since(ProcessStats atStart) {
        ProcessStats now = process();
        return new ProcessStats(
                now.cpuNs() - atStart.cpuNs(),
                now.heapUsedBytes(),
                now.gcCount() - atStart.gcCount(),
                now.gcMs() - atStart.gcMs(),
                now.threads());
    }

    static ProcessStats process() {
        long count = 0;
        long ms = 0;
        for (GarbageCollectorMXBean gc : ManagementFactory.getGarbageCollectorMXBeans()) {
            count += gc.getCollectionCount();
            ms += gc.getCollectionTime();
        }
        long cpuNs = ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean os
                ? os.getProcessCpuTime()
                : 0;
        Runtime runtime = Runtime.getRuntime();
        int threads = ManagementFactory.getThreadMXBean().getThreadCount();
        return new ProcessStats(cpuNs, runtime.totalMemory() - runtime.freeMemory(), count, ms, threads);
    }
}
