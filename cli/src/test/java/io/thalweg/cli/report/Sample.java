// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.report;

import io.thalweg.api.stats.AckStats;
import io.thalweg.api.stats.AlignmentStats;
import io.thalweg.api.stats.BadReason;
import io.thalweg.api.stats.ConnectionStats;
import io.thalweg.api.stats.InputStats;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.stats.LatencyHistogram;
import io.thalweg.api.stats.LatencyStats;
import io.thalweg.api.stats.PlanInfo;
import io.thalweg.api.stats.ProcessStats;
import io.thalweg.api.stats.SplitLag;
import io.thalweg.api.stats.TaskStats;
import java.util.List;

/** Measurements of a job named Rivers. */
final class Sample {
    private static final PlanInfo PLAN =
            new PlanInfo("Rivers", "embedded", 1, List.of(), List.of(), List.of(), List.of());

    private Sample() {}

    static JobStats at(double seconds, long in, long out, long bad, long late, TaskStats... tasks) {
        return of(JobState.RUNNING, seconds, in, out, bad, late, 0, tasks);
    }

    static JobStats of(
            JobState state, double seconds, long in, long out, long bad, long late, long open, TaskStats... tasks) {
        BadReason reason = new BadReason("parse", "no level: #", bad, "levels.txt", 3, 8, "no level: 12x");
        return of(state, seconds, in, out, bad, late, open, bad == 0 ? List.of() : List.of(reason), tasks);
    }

    static JobStats of(
            JobState state,
            double seconds,
            long in,
            long out,
            long bad,
            long late,
            long open,
            List<BadReason> reasons,
            TaskStats... tasks) {
        return of(PLAN, state, seconds, in, out, bad, late, open, reasons, tasks);
    }

    static JobStats with(PlanInfo plan, TaskStats... tasks) {
        return of(plan, JobState.FINISHED, 1, 2, 3, 4, 5, 6, List.of(), tasks);
    }

    private static JobStats of(
            PlanInfo plan,
            JobState state,
            double seconds,
            long in,
            long out,
            long bad,
            long late,
            long open,
            List<BadReason> reasons,
            TaskStats... tasks) {
        return new JobStats(
                "Rivers",
                state,
                (long) (seconds * 1e9),
                in,
                out,
                bad,
                late,
                open,
                reasons,
                new LatencyStats(9, 85, 900, 1_250, 2_000, 3_000),
                LatencyHistogram.NONE,
                AckStats.NONE,
                new ProcessStats(1, 2, 3, 4, 5),
                List.of(tasks),
                List.of(),
                plan);
    }

    /** Of a task that waits for a system. */
    static TaskStats waiting(String name, ConnectionStats lost) {
        return task(name, 0, List.of(lost), InputStats.NONE);
    }

    static TaskStats task(String name, double busySeconds) {
        return task(name, busySeconds, List.of(), InputStats.NONE);
    }

    /** Of a task whose source is behind. */
    static TaskStats behind(String name, SplitLag... splits) {
        return task(name, 0, List.of(), InputStats.of(List.of(splits), 7, 8, 9));
    }

    private static TaskStats task(
            String name, double busySeconds, List<ConnectionStats> connections, InputStats input) {
        return new TaskStats(
                name,
                List.of(name),
                0,
                1,
                2,
                3,
                4,
                (long) (busySeconds * 1e9),
                5,
                6,
                7,
                8,
                9,
                AlignmentStats.NONE,
                connections,
                input,
                List.of(),
                List.of(),
                10,
                11,
                List.of());
    }
}
