// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.stats.LatencyStats;
import io.thalweg.api.stats.ProcessStats;
import io.thalweg.api.stats.TaskStats;
import io.thalweg.engine.chain.ChainTask;
import io.thalweg.engine.plan.Build;
import io.thalweg.engine.stats.TaskCounters;
import io.thalweg.engine.work.Clock;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/** Puts together what the tasks' counters and the JVM say. */
final class StatsCollector {
    private final String topology;
    private final List<Build.Built> tasks;
    private final Clock clock;
    private final long beganNs;
    private final ProcessStats atStart;
    private final Histogram latencyUs = new Histogram(ChainTask.MAX_LATENCY_US, 3);
    private long endedNs;

    StatsCollector(String topology, List<Build.Built> tasks, Clock clock) {
        this.topology = topology;
        this.tasks = tasks;
        this.clock = clock;
        beganNs = clock.nowNs();
        atStart = process();
    }

    synchronized JobStats collect(JobState state) {
        if (state != JobState.RUNNING && endedNs == 0) {
            endedNs = clock.nowNs();
        }
        List<TaskStats> all = new ArrayList<>();
        long in = 0;
        long out = 0;
        long bad = 0;
        long late = 0;
        long windows = 0;
        for (Build.Built built : tasks) {
            TaskCounters counters = built.task().counters();
            TaskStats stats = stats(built, counters);
            all.add(stats);
            in += built.reads() ? stats.recordsIn() : 0;
            out += counters.recordsWritten.get();
            bad += stats.recordsBad();
            late += stats.recordsLate();
            windows += counters.windowsOpen.get();
            SingleWriterRecorder recorder = built.task().latencyUs();
            if (recorder != null) {
                latencyUs.add(recorder.getIntervalHistogram());
            }
        }
        long elapsedNs = (endedNs == 0 ? clock.nowNs() : endedNs) - beganNs;
        return new JobStats(topology, state, elapsedNs, in, out, bad, late, windows, latency(), sinceStart(), all);
    }

    private static TaskStats stats(Build.Built built, TaskCounters counters) {
        return new TaskStats(
                built.task().name(),
                built.operators(),
                built.index(),
                counters.recordsIn.get(),
                counters.recordsOut.get() + counters.recordsWritten.get(),
                counters.recordsBad.get(),
                counters.recordsLate.get(),
                counters.busyNs.get(),
                counters.waitingNs.get(),
                counters.heldBackNs.get(),
                built.task().queueDepth(),
                counters.longestCallNs.get(),
                counters.slowCalls.get());
    }

    private LatencyStats latency() {
        return latencyUs.getTotalCount() == 0
                ? LatencyStats.NONE
                : new LatencyStats(
                        latencyUs.getTotalCount(),
                        latencyUs.getValueAtPercentile(50),
                        latencyUs.getValueAtPercentile(90),
                        latencyUs.getValueAtPercentile(99),
                        latencyUs.getValueAtPercentile(99.9),
                        latencyUs.getMaxValue());
    }

    private ProcessStats sinceStart() {
        ProcessStats now = process();
        return new ProcessStats(
                now.cpuNs() - atStart.cpuNs(),
                now.heapUsedBytes(),
                now.gcCount() - atStart.gcCount(),
                now.gcMs() - atStart.gcMs(),
                now.threads());
    }

    private static ProcessStats process() {
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
