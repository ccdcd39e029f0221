// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.stats.AckStats;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.stats.LatencyHistogram;
import io.thalweg.api.stats.LatencyStats;
import io.thalweg.api.stats.PlanInfo;
import io.thalweg.api.stats.ProcessStats;
import io.thalweg.api.stats.TaskStats;
import io.thalweg.run.BadReasons;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Combines the counts of a job's tasks on another engine. Any thread may call. */
public final class HostedStats {
    private final PlanInfo plan;
    private final long beganNs = HostedPlan.nowNs();
    private final ProcessStats atStart = StatsCollector.process();
    private final Map<Integer, HostedCounts> counts = new TreeMap<>();
    private final Map<Integer, AckStats> acks = new TreeMap<>();
    private final BadReasons reasons = new BadReasons();
    private final Map<String, ProcessStats> processes = new TreeMap<>();

    public HostedStats(PlanInfo plan) {
        this.plan = plan;
    }

    public void bad(String operator, BadRecord record) {
        reasons.add(operator, record);
    }

    /** The newest counts of a task. */
    public synchronized void counts(int task, HostedCounts of) {
        counts.put(task, of);
    }

    /** The newest counts of a task that reads. */
    public synchronized void acks(int task, long pending, long acked, long failed) {
        acks.put(task, new AckStats(pending, acked, failed, 0, 0, LatencyStats.NONE));
    }

    /** The newest counts of a process that runs tasks of the job; if none is reported, this JVM counts. */
    public synchronized void process(String name, ProcessStats of) {
        processes.put(name, of);
    }

    /** The counts of this JVM since its start. */
    public static ProcessStats thisProcess() {
        return StatsCollector.process();
    }

    public synchronized JobStats stats(JobState state) {
        List<TaskStats> tasks = new ArrayList<>();
        long in = 0;
        long out = 0;
        long bad = 0;
        long late = 0;
        long windows = 0;
        for (HostedCounts each : counts.values()) {
            TaskStats task = each.task();
            tasks.add(task);
            in += each.reads() ? task.recordsIn() : 0;
            out += each.written();
            bad += task.recordsBad();
            late += task.recordsLate();
            windows += each.windowsOpen();
        }
        return new JobStats(
                plan.topology(),
                state,
                HostedPlan.nowNs() - beganNs,
                in,
                out,
                bad,
                late,
                windows,
                reasons.most(BadReasons.MOST_TOLD),
                LatencyStats.NONE,
                LatencyHistogram.NONE,
                acks(),
                processes.isEmpty() ? StatsCollector.since(atStart) : together(),
                tasks,
                List.of(),
                plan);
    }

    private ProcessStats together() {
        ProcessStats sum = new ProcessStats(0, 0, 0, 0, 0);
        for (ProcessStats each : processes.values()) {
            sum = new ProcessStats(
                    sum.cpuNs() + each.cpuNs(),
                    sum.heapUsedBytes() + each.heapUsedBytes(),
                    sum.gcCount() + each.gcCount(),
                    sum.gcMs() + each.gcMs(),
                    sum.threads() + each.threads());
        }
        return sum;
    }

    private AckStats acks() {
        long pending = 0;
        long acked = 0;
        long failed = 0;
        for (AckStats each : acks.values()) {
            pending += each.pending();
            acked += each.acked();
            failed += each.failed();
        }
        return new AckStats(pending, acked, failed, 0, 0, LatencyStats.NONE);
    }
}
