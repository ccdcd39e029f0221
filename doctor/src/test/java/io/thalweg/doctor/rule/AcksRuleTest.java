// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.stats.AckStats;
import io.thalweg.api.stats.LatencyStats;
import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.finding.Gain;
import java.util.List;
import org.junit.jupiter.api.Test;

final class AcksRuleTest {
    /** Two tasks that read and two that work, on two threads; samples of 100, so many of them in tracking. */
    private static MadeUpJob job(long inAcks, double busy, double held) {
        MadeUpJob job = new MadeUpJob()
                .operator("in", "source", "", false)
                .chain(2, "in")
                .task(1_000, busy, 0, held)
                .task(1_000, busy, 0, held)
                .operator("work", "map", "", false)
                .chain(2, "work")
                .task(1_000, busy, 0, 0)
                .task(1_000, busy, 0, 0)
                .profile("in", 60 - inAcks, inAcks - 5, 0)
                .profile("work", 40, 5, 0);
        job.acks = new AckStats(30, 20_000, 0, 0, 0, LatencyStats.NONE);
        job.pending = 30L;
        return job;
    }

    private static List<Finding> found(MadeUpJob job) {
        return new AcksRule().findings(job.facts());
    }

    @Test
    void shouldFindThatAQuarterOfTheSamplesTracks_whileThreadsAreFull() {
        assertThat(found(job(25, 0.45, 0))).singleElement().satisfies(finding -> {
            assertThat(finding.rule()).isEqualTo("acks");
            assertThat(finding.operator())
                    .as("the one with most samples in tracking")
                    .isEqualTo("in");
            assertThat(finding.evidence()).extracting(figure -> figure.value()).containsExactly(25.0, 20_000.0, 30.0);
        });
    }

    @Test
    void shouldNotFindLessThanAQuarter() {
        assertThat(found(job(24, 0.45, 0))).isEmpty();
    }

    @Test
    void shouldNotFindItWhereThreadsHaveTime() {
        assertThat(found(job(25, 0.3, 0))).isEmpty();
    }

    @Test
    void shouldFindItWhereSourcesAreHeldBackAndNoThreadIsFull() {
        assertThat(found(job(25, 0.3, 0.3))).hasSize(1);
    }

    @Test
    void shouldNotFindItInAJobThatIsNotAcked() {
        MadeUpJob job = job(25, 0.45, 0);
        job.acks = null;

        assertThat(found(job)).isEmpty();
    }

    @Test
    void shouldPredictWhatIsLeftWithoutTracking_andATenthOfItFromTheCaches() {
        assertThat(found(job(50, 0.45, 0)).get(0).predictedGain()).isEqualTo(Gain.throughput(1 / (1 - 0.5 * 1.1)));
    }

    @Test
    void shouldNotPredictMoreThanTenTimes() {
        MadeUpJob job = job(25, 0.45, 0).profile("work", 0, 10_000, 0);

        assertThat(found(job).get(0).predictedGain()).isEqualTo(Gain.throughput(10));
    }
}
