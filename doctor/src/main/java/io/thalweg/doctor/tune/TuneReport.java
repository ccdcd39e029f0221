// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.tune;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What tuning a job did.
 *
 * @param version of this format: {@link #VERSION}
 * @param topology its name
 * @param goal {@code throughput}, or {@code p99 latency}
 * @param rate of records per second at which latency was measured; null for throughput
 * @param limitUs that the latency is to be below; null for throughput
 * @param cores that the job may use
 * @param before what the job reached as it was, in records per second or microseconds: median of its runs without changes
 * @param outputs of the job, the same in every run that counts
 * @param start settings that it began with: those of the job as it was
 * @param reset whether the job is better off without them; null if there were too few, or it was not tried
 * @param steps in the order in which they were tried
 * @param skipped changes that were withdrawn by an earlier call and not tried again
 * @param unfit changes that the job cannot run with, and that were not tried
 * @param kept the settings that pay, and those that it began with and did not change
 * @param total what all changes that pay did together, also if that was a loss, for which they were withdrawn; null if there are fewer
 *     than two, or they were not compared
 * @param ended why it ended, in a few words
 * @param failure what it could not go on for, in one line; null if it came to its end, or the user has stopped it
 * @param runs how many JVMs ran the job
 * @param seconds that all took
 */
public record TuneReport(
        int version,
        String topology,
        String goal,
        @Nullable Double rate,
        @Nullable Double limitUs,
        int cores,
        double before,
        List<Output> outputs,
        List<Choice> start,
        @Nullable Reset reset,
        List<Step> steps,
        List<Choice> skipped,
        List<Unfit> unfit,
        List<Choice> kept,
        @Nullable Effect total,
        String ended,
        @Nullable String failure,
        int runs,
        double seconds) {
    /** The version that this code writes. */
    public static final int VERSION = 2;

    public TuneReport {
        outputs = List.copyOf(outputs);
        start = List.copyOf(start);
        steps = List.copyOf(steps);
        skipped = List.copyOf(skipped);
        unfit = List.copyOf(unfit);
        kept = List.copyOf(kept);
    }

    /**
     * A change that the job cannot run with.
     *
     * @param why in one line
     */
    public record Unfit(Choice choice, String why) {}

    /**
     * The job as it was against the job without settings that it began with, all at once.
     *
     * @param settings that were left out
     * @param measured null if no pair of runs was complete
     * @param outcome what became of it
     * @param reason for that, in one line
     */
    public record Reset(List<Choice> settings, @Nullable Effect measured, Step.Outcome outcome, String reason) {
        public Reset {
            settings = List.copyOf(settings);
        }
    }

    /** What is kept and was not there at the beginning. */
    public List<Choice> changes() {
        return kept.stream().filter(each -> !start.contains(each)).toList();
    }

    /** Whether settings that it began with are left out in what is kept. */
    public boolean isReset() {
        return reset != null && reset.outcome() == Step.Outcome.KEPT && !kept.containsAll(reset.settings());
    }

    /** Changes paid one by one, but not together: none of them is kept. */
    public boolean isWithdrawn() {
        boolean paid = (reset != null && reset.outcome() == Step.Outcome.KEPT)
                || steps.stream().anyMatch(step -> step.outcome() == Step.Outcome.KEPT);
        return paid && changes().isEmpty() && !isReset();
    }

    /** The steps that led to what is kept; of a setting that was changed twice, the last one. */
    public List<Step> keptSteps() {
        return steps.stream()
                .filter(step -> step.outcome() == Step.Outcome.KEPT && kept.contains(step.choice()))
                .toList();
    }
}
