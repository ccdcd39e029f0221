// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web;

import io.thalweg.api.stats.AckStats;
import io.thalweg.api.stats.AlignmentStats;
import io.thalweg.api.stats.BadReason;
import io.thalweg.api.stats.CheckpointStats;
import io.thalweg.api.stats.ConnectionStats;
import io.thalweg.api.stats.InputStats;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.stats.LateBy;
import io.thalweg.api.stats.LateRecords;
import io.thalweg.api.stats.LateSample;
import io.thalweg.api.stats.LatencyHistogram;
import io.thalweg.api.stats.LatencyStats;
import io.thalweg.api.stats.PlanInfo;
import io.thalweg.api.stats.ProcessStats;
import io.thalweg.api.stats.SplitLag;
import io.thalweg.api.stats.StateStats;
import io.thalweg.api.stats.TaskStats;
import io.thalweg.web.watch.JobSample;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job that reads levels, counts them by key and stores the counts; and writes all of them, too. The second task of the counter gets
 * three records of four. Its texts hold what must not become HTML.
 */
public final class SampleJob {
    /** A name that would be an element and an attribute. */
    public static final String ODD = "<img src=x onerror=alert(1)> \"'&\\";

    private SampleJob() {}

    /** How it runs. */
    public static PlanInfo plan(String runner) {
        return new PlanInfo(
                "Rivers",
                runner,
                2,
                List.of(
                        new PlanInfo.Operator("levels", "source", "text file", 0, 1, false, true),
                        new PlanInfo.Operator(ODD, "map", "map", 0, 1, false, true),
                        new PlanInfo.Operator("count", "window", "tumbling 1000 ms", 1, 2, true, true),
                        new PlanInfo.Operator("store", "sink", "CSV file", 1, 2, false, true),
                        new PlanInfo.Operator("all", "sink", "discard", 2, 1, false, true)),
                List.of(
                        new PlanInfo.Chain(0, List.of("levels", ODD), 1, ""),
                        new PlanInfo.Chain(1, List.of("count", "store"), 2, ""),
                        new PlanInfo.Chain(2, List.of("all"), 1, "each on a thread of its own")),
                List.of(
                        edge("levels", ODD, "forward", 1, 1, true),
                        edge(ODD, "count", "by key String", 1, 2, false),
                        edge("count", "store", "forward", 2, 2, true),
                        edge(ODD, "all", "forward", 1, 1, false)),
                List.of(new PlanInfo.Option("", "guarantee", "at-least-once")));
    }

    private static PlanInfo.Edge edge(
            String from, String to, String grouping, int tasksFrom, int tasksTo, boolean fused) {
        return new PlanInfo.Edge(
                from, to, "", 0, grouping, tasksFrom, tasksTo, "String", "", true, fused, fused ? "" : "keys", false);
    }

    /** After that many seconds at 1,000 records per second. */
    public static JobSample after(double seconds) {
        return after(seconds, "embedded", JobState.RUNNING, 0);
    }

    /** The same, in that state, after so many restarts. */
    public static JobSample after(double seconds, String runner, JobState state, int restarts) {
        long records = Math.round(seconds * 1_000);
        double ns = seconds * 1e9;
        return new JobSample(
                1_000_000 + Math.round(seconds * 1_000),
                new JobStats(
                        "Rivers",
                        state,
                        Math.round(ns),
                        records,
                        records + 4,
                        3,
                        2,
                        7,
                        List.of(new BadReason(ODD, "no level: #", 3, "levels.txt", 3, 8, "no level: <b>12x</b>")),
                        new LatencyStats(records, 20, 90, 400, 450, 500),
                        new LatencyHistogram(
                                List.of(15L, 23L, 31L),
                                List.of(records / 4, records / 2, records - 1),
                                records,
                                records * 20.0),
                        new AckStats(5, records - 5, 1, 2, 0, LatencyStats.NONE),
                        new ProcessStats(Math.round(ns * 1.5), 1_000_000, 4, 50, 9),
                        List.of(
                                task("levels+" + ODD + "[0]", List.of("levels", ODD), 0, records, ns, 0.5, 0.25, 0, 3),
                                task("count+store[0]", List.of("count", "store"), 0, records / 4, ns, 0.1, 0, 2, 0),
                                task("count+store[1]", List.of("count", "store"), 1, records * 3 / 4, ns, 0.9, 0, 6, 0),
                                task("all[0]", List.of("all"), 0, records, ns, 0, 0, 0, 0)),
                        List.of(),
                        plan(runner)),
                restarts,
                restarts == 0 ? null : "it <b>failed</b>",
                checkpoint(seconds),
                state != JobState.RUNNING);
    }

    /** The same, when it has failed and is about to be restarted. */
    public static JobSample failedForNow(double seconds) {
        JobSample failed = after(seconds, "embedded", JobState.FAILED, 0);
        return new JobSample(failed.epochMs(), failed.stats(), 0, null, failed.checkpoint(), false);
    }

    /** A source, and that many sinks, each in a chain of its own. */
    public static JobSample wide(int sinks) {
        JobSample like = after(1);
        JobStats stats = like.stats();
        List<PlanInfo.Operator> operators = new ArrayList<>();
        List<PlanInfo.Chain> chains = new ArrayList<>();
        List<PlanInfo.Edge> edges = new ArrayList<>();
        for (int i = 0; i <= sinks; i++) {
            String name = i == 0 ? "all" : "sink " + i;
            operators.add(new PlanInfo.Operator(name, i == 0 ? "source" : "sink", "discard", i, 1, false, true));
            chains.add(new PlanInfo.Chain(i, List.of(name), 1, ""));
            if (i > 0) {
                edges.add(edge("all", name, "forward", 1, 1, false));
            }
        }
        PlanInfo plan = new PlanInfo("Wide", "embedded", 2, operators, chains, edges, List.of());
        return new JobSample(
                like.epochMs(),
                new JobStats(
                        "Wide",
                        JobState.RUNNING,
                        stats.elapsedNs(),
                        1_000,
                        1_000,
                        0,
                        0,
                        0,
                        List.of(),
                        stats.latency(),
                        stats.latencies(),
                        stats.acks(),
                        stats.process(),
                        List.of(task("all[0]", List.of("all"), 0, 1_000, 1e9, 0.5, 0, 0, 0)),
                        List.of(),
                        plan),
                0,
                null,
                null,
                false);
    }

    private static @Nullable CheckpointStats checkpoint(double seconds) {
        long number = (long) seconds / 10;
        return number == 0
                ? null
                : new CheckpointStats(
                        "Rivers",
                        number,
                        1_000_000 + number * 10_000,
                        40,
                        3,
                        2,
                        false,
                        List.of(new CheckpointStats.StateSize("count", "windows", 500)));
    }

    private static TaskStats task(
            String name,
            List<String> operators,
            int index,
            long records,
            double ns,
            double busy,
            double heldBack,
            long queued,
            long bad) {
        boolean reads = operators.contains("levels");
        return new TaskStats(
                name,
                operators,
                index,
                records,
                reads ? 2 * records : 2,
                bad,
                operators.contains("count") ? 1 : 0,
                Math.round(ns * busy),
                Math.round(ns * (1 - busy - heldBack)),
                Math.round(ns * heldBack),
                queued,
                3_000_000,
                1,
                AlignmentStats.NONE,
                operators.contains("all")
                        ? List.of(new ConnectionStats("all", "the service " + ODD, "refused", 1, 2_000_000, 1_000_000))
                        : List.of(),
                reads ? InputStats.of(List.of(new SplitLag("levels.txt", 11)), 2_048, 1, 0) : InputStats.NONE,
                operators.contains("count") ? List.of(new StateStats("count", 20, 4_000)) : List.of(),
                List.of(),
                0,
                0,
                operators.contains("count")
                        ? List.of(new LateRecords(
                                "count",
                                1,
                                List.of(new LateBy(5_120, 1)),
                                List.of(new LateSample(ODD, "levels.txt", 1_000L, 6_100L, null, 5_101))))
                        : List.of());
    }
}
