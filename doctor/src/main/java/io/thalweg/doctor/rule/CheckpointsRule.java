// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.api.stats.CheckpointStats;
import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.finding.Gain;
import io.thalweg.doctor.observation.FlinkDetails;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Checkpoints stop the tasks for too much of the time, follow each other without a pause, or wait for a slow input. */
final class CheckpointsRule implements Rule {
    /** Of the time; what a user would notice in throughput. */
    private static final double MAX_PAUSED = 0.05;

    /** Of the time: Flink's manual asks for a pause between checkpoints that is as long as one takes. */
    private static final double MAX_TAKEN = 0.5;

    /** Of the time that one input is held back until the barrier comes from the others. */
    private static final double MAX_ALIGNED = 0.1;

    /** After a longer interval, tasks are to be stopped for a hundredth of the time. */
    private static final double WANTED_PAUSED = 0.01;

    /** After a longer interval, checkpoints are to take half of the time that is too much. */
    private static final double WANTED_TAKEN = MAX_TAKEN / 2;

    /** Of the severity, if something else holds the barriers back and is a finding itself. */
    private static final double CONSEQUENCE = 0.4;

    private static final long DEFAULT_INTERVAL_MS = 10_000;

    @Override
    public List<Finding> findings(Facts facts) {
        List<CheckpointStats> taken = facts.observation().checkpoints();
        if (taken.size() < 2) {
            return List.of();
        }
        CheckpointStats first = taken.get(0);
        CheckpointStats last = taken.get(taken.size() - 1);
        double cycleMs = (double) (last.beganMs() - first.beganMs()) / Math.max(1, last.number() - first.number());
        if (cycleMs <= 0) {
            return List.of();
        }
        double paused = mean(taken, CheckpointStats::pausedMs) * facts.share() / cycleMs;
        double aligned = mean(taken, CheckpointStats::alignedMs) / cycleMs;
        Double writesMs = writesMs(facts);
        double tookMs = writesMs == null ? mean(taken, CheckpointStats::tookMs) : writesMs;
        double took = tookMs * facts.share() / cycleMs;
        List<Finding> found = new ArrayList<>();
        if (aligned >= MAX_ALIGNED
                && mean(taken, CheckpointStats::alignedMs) > mean(taken, CheckpointStats::tookMs) / 2) {
            found.add(alignment(facts, taken, aligned));
        } else if (paused >= MAX_PAUSED || (took >= MAX_TAKEN && (writesMs != null || !waitsBehindRecords(facts)))) {
            found.add(tooOften(facts, taken, cycleMs, paused, took, tookMs));
        }
        return found;
    }

    /** Flink counts the time in which barriers wait behind the records of an operator that others wait for anyway. */
    private static boolean waitsBehindRecords(Facts facts) {
        return facts.chainsAreOperators() && facts.isAnySaturated();
    }

    /** Flink tells for how long a task writes, apart from how long its barrier waits behind records. */
    private static @Nullable Double writesMs(Facts facts) {
        FlinkDetails flink = facts.observation().flink();
        return flink == null ? null : flink.checkpointWritesMs();
    }

    private static Finding tooOften(
            Facts facts, List<CheckpointStats> taken, double cycleMs, double paused, double took, double tookMs) {
        double pausedMs = mean(taken, CheckpointStats::pausedMs);
        double neededMs = Math.max(pausedMs / WANTED_PAUSED, tookMs / WANTED_TAKEN);
        long wantedMs = Math.max(DEFAULT_INTERVAL_MS, (long) Math.ceil(neededMs / 1_000) * 1_000);
        double factor = Math.min(
                1 / (1 - Math.min(0.9, paused + Math.min(took, 1) * WRITING)),
                new Capacity(facts).roomWithoutStops(paused));
        return Findings.of("checkpoints")
                .figure("from one checkpoint to the next", cycleMs, "ms")
                .figure("a checkpoint takes", tookMs, "ms")
                .figure("tasks stopped for it", pausedMs, "ms")
                .share("of the time in checkpoints", Math.min(1, took))
                .why("tasks stop while they serialize their state, and threads that write it take cores from them")
                .remedy("take checkpoints less often; a restart then repeats up to " + wantedMs / 1_000 + " s")
                .option(facts.advice().checkpointInterval(wantedMs / 1_000))
                .made(Math.max(0.1, 1 - 1 / factor), Gain.throughput(factor), "the job is as fast with this interval");
    }

    /** Of a core, while a checkpoint is written: compression and checksums keep a thread busy for about so much of it. */
    private static final double WRITING = 0.2;

    /** Inputs that are held back lose nothing where the sources have no more, or where a task that is busy all the time has to come first. */
    private static Finding alignment(Facts facts, List<CheckpointStats> taken, double aligned) {
        double factor = Math.min(1 / (1 - Math.min(0.9, aligned / 2)), new Capacity(facts).roomWithoutStops(0));
        return Findings.of("alignment")
                .figure("barriers wait for each other", mean(taken, CheckpointStats::alignedMs), "ms")
                .figure("a checkpoint takes", mean(taken, CheckpointStats::tookMs), "ms")
                .share("of the time with an input held back", aligned)
                .why("one input of an operator is far behind the others: they are held back until its barrier comes")
                .remedy(facts.advice().alignment())
                .option(facts.advice().checkpointInterval(Math.max(DEFAULT_INTERVAL_MS / 1_000, (long)
                        (mean(taken, CheckpointStats::alignedMs) / 50))))
                .made(
                        Math.min(0.9, aligned) * (facts.isAnySaturated() ? CONSEQUENCE : 1),
                        Gain.throughput(factor),
                        "barriers are aligned at once when the inputs are equally fast");
    }

    private static double mean(List<CheckpointStats> taken, ToLongFunction<CheckpointStats> figure) {
        return taken.stream().mapToLong(figure).average().orElse(0);
    }
}
