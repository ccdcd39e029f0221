// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.stats.AckStats;
import io.thalweg.api.stats.LatencyStats;
import io.thalweg.doctor.finding.Bound;
import io.thalweg.doctor.finding.Finding;
import java.util.List;
import org.junit.jupiter.api.Test;

final class MaxPendingRuleTest {
    /** A source with a thousand records pending, of a thousand at most, and one task that works, on two threads. */
    private static MadeUpJob job(double busy) {
        MadeUpJob job = new MadeUpJob()
                .operator("in", "source", "", false)
                .chain(1, "in")
                .task(1_000, 0.1, 0.9, 0)
                .operator("score", "map", "", false)
                .chain(1, "score")
                .task(1_000, busy, 1 - busy, 0)
                .profile("in", 10, 0, 0)
                .profile("score", 90, 0, 0);
        job.acks = new AckStats(1_000, 10_000, 0, 0, 0, LatencyStats.NONE);
        job.maxPending = "1000";
        job.pending = 1_000L;
        return job;
    }

    private static List<Finding> found(MadeUpJob job) {
        return new MaxPendingRule().findings(job.facts());
    }

    private static Bound bound(MadeUpJob job) {
        return BoundOf.of(job.facts());
    }

    @Test
    void shouldFindThatSourcesWaitForAcksWhileNobodyIsBusy() {
        assertThat(found(job(0.65))).singleElement().satisfies(finding -> {
            assertThat(finding.rule()).isEqualTo("max-pending");
            assertThat(finding.option()).isEqualTo("--max-pending 5334");
        });
        assertThat(bound(job(0.65)).kind()).isEqualTo("acks");
    }

    /** More pending records would only wait longer before it. */
    @Test
    void shouldNotFindItWhereATaskIsBusyAllTheTime() {
        assertThat(found(job(0.84))).hasSize(1);
        assertThat(found(job(0.86))).isEmpty();
        assertThat(bound(job(0.86)).kind()).isEqualTo("operator");
        assertThat(bound(job(0.86)).operator()).isEqualTo("score");
    }

    /** Its task stands still in them, and nothing else can use the time. */
    @Test
    void shouldNotFindItWhereATaskIsBusyWithCalls() {
        MadeUpJob job = job(0.99);
        job.usedCores = 0.1;

        assertThat(found(job)).isEmpty();
        assertThat(bound(job).kind()).isEqualTo("calls");
    }

    @Test
    void shouldNotFindItWhileMoreMayBePending() {
        MadeUpJob job = job(0.65);
        job.pending = 799L;

        assertThat(found(job)).isEmpty();
        assertThat(bound(job).kind()).isEqualTo("source");
    }

    @Test
    void shouldNotFindItWhereThreadsAreFull() {
        assertThat(found(job(0.65).task(1_000, 0.8, 0.2, 0))).isEmpty();
    }

    @Test
    void shouldNotFindItInAJobThatIsNotAcked() {
        MadeUpJob job = job(0.65);
        job.acks = null;

        assertThat(found(job)).isEmpty();
    }
}
