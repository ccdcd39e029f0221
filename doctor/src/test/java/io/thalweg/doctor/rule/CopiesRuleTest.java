// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.doctor.finding.Figure;
import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.finding.Gain;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CopiesRuleTest {
    /** @param busy share of the time of each of four tasks, on two threads */
    private static MadeUpJob job(double busy) {
        MadeUpJob job = new MadeUpJob()
                .operator("in", "source", "", false)
                .chain(2, "in")
                .task(500_000, busy, 0, 0)
                .task(500_000, busy, 0, 0)
                .operator("sum", "process", "", true);
        job.grouping = "by key Long";
        job.chain(2, "sum").task(500_000, busy, 0, 0).task(500_000, busy, 0, 0);
        job.usedCores = 4 * busy;
        return job;
    }

    private static List<Finding> found(MadeUpJob job) {
        return new CopiesRule().findings(job.facts());
    }

    @Test
    void shouldFindCopiesThatTakeAFifthOfAllCores() {
        MadeUpJob job = job(0.47).copies("in", 10, 50, 40).copies("sum", 40, 0, 0);

        assertThat(found(job)).singleElement().satisfies(finding -> {
            assertThat(finding.rule()).isEqualTo("record-copies");
            assertThat(finding.operator()).isEqualTo("in");
            assertThat(finding.evidence())
                    .contains(
                            new Figure("of all samples in copying records", 40, "%"),
                            new Figure("records", 1_000_000, "/s"));
            assertThat(finding.why()).startsWith("'in' uses the objects of its records again");
            assertThat(finding.predictedGain()).isEqualTo(Gain.throughput(1 / 0.8, 1 / 0.6));
        });
        assertThat(found(job(0.47).copies("in", 1_000, 5_000, 2_070).copies("sum", 4_000, 0, 0)))
                .hasSize(1);
        assertThat(found(job(0.47).copies("in", 1_000, 5_000, 2_060).copies("sum", 4_000, 0, 0)))
                .isEmpty();
    }

    /** On a busy machine a thread is sampled seldom: 33 of 141 samples were copies where others of the same job had a tenth. */
    @Test
    void shouldAllowForTheErrorOfFewSamples() {
        assertThat(found(job(0.47).copies("in", 3, 34, 33).copies("sum", 104, 0, 0)))
                .isEmpty();
    }

    /** The other threads wait: what one task saves is what it spends. */
    @Test
    void shouldJudgeTheTaskThatTheOthersWaitFor() {
        MadeUpJob job = new MadeUpJob()
                .operator("in", "source", "", false)
                .chain(1, "in")
                .task(100_000, 0.95, 0, 0)
                .operator("sum", "process", "", true);
        job.grouping = "by key Long";
        job.chain(1, "sum").task(100_000, 0.2, 0.8, 0);
        job.usedCores = 1.15;
        job.copies("in", 10, 40, 30).copies("sum", 100, 0, 0);

        assertThat(found(job)).singleElement().satisfies(finding -> {
            assertThat(finding.evidence()).contains(new Figure("of its time in copying records", 60, "%"));
            assertThat(finding.predictedGain()).isEqualTo(Gain.throughput(1 / 0.7, 1 / 0.4));
        });
    }

    @Test
    void shouldLetCopiesBeWhereNobodyWaitsForThem() {
        assertThat(found(job(0.2).copies("in", 10, 50, 40).copies("sum", 40, 0, 0)))
                .isEmpty();
    }

    /** As of observations that are older than the figure. */
    @Test
    void shouldFindNothingWhereNobodyTells() {
        assertThat(found(job(0.47).profile("in", 60, 0, 0).profile("sum", 40, 0, 0)))
                .isEmpty();
        assertThat(found(job(0.47))).isEmpty();
    }
}
