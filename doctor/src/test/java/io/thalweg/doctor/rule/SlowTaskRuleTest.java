// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.finding.Gain;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SlowTaskRuleTest {
    /** Two splits before three tasks on two threads, of which the first needs ever so much longer for a record. */
    private static MadeUpJob job(long slowSplit, long slowRecords, double busySlow, double busyOthers) {
        return new MadeUpJob()
                .operator("in", "source", "", false)
                .chain(2, "in")
                .task(slowSplit, 0.05, 0, 0.5)
                .task(2_000, 0.05, 0, 0)
                .operator("tax", "process", "", false)
                .chain(3, "tax")
                .task(slowRecords, busySlow, 0, 0)
                .task(1_000, busyOthers, 0, 0)
                .task(1_000, busyOthers, 0, 0);
    }

    private static List<Finding> found(MadeUpJob job) {
        return new SlowTaskRule().findings(job.facts());
    }

    @Test
    void shouldPredictThatTheOthersTakeTheirPartWhereThreadsHaveTime() {
        assertThat(found(job(2_000, 100, 0.9, 0.1))).singleElement().satisfies(finding -> {
            assertThat(finding.task()).isEqualTo("tax[0]");
            assertThat(finding.predictedGain()).isEqualTo(Gain.throughput(2 / 1.2));
        });
    }

    @Test
    void shouldNotFindATaskThatIsNotBusyAllTheTime() {
        assertThat(found(job(2_000, 100, 0.84, 0.1))).isEmpty();
    }

    @Test
    void shouldNotFindATaskWhoseOthersDoNotWaitForIt() {
        MadeUpJob wait = job(2_000, 100, 0.9, 0.42);
        wait.workers = wait.cores = 4;
        MadeUpJob work = job(2_000, 100, 0.9, 0.43);
        work.workers = work.cores = 4;

        assertThat(found(wait)).hasSize(1);
        assertThat(found(work)).isEmpty();
    }

    @Test
    void shouldNotFindATaskWhoseRecordsTakeLessThanTwiceAsLong() {
        assertThat(found(job(2_000, 4_500, 0.9, 0.1))).hasSize(1);
        assertThat(found(job(2_000, 4_501, 0.9, 0.1))).isEmpty();
    }

    @Test
    void shouldFindThatInputFallsBehindWhereAllCoresAreFull() {
        // 0.94 + 0.42 + 0.42 + 0.1 threads are busy: nothing is left to gain
        assertThat(found(job(1_000, 100, 0.94, 0.42))).singleElement().satisfies(finding -> {
            assertThat(finding.rule()).isEqualTo("slow-task");
            assertThat(finding.task()).isEqualTo("tax[0]");
            assertThat(finding.why()).contains("falls behind");
            assertThat(finding.predictedGain()).isNull();
            assertThat(finding.evidence())
                    .extracting(figure -> figure.name() + " " + Math.round(figure.value()))
                    .contains("records read by in[0] 10000", "by the other tasks of 'in', on average 20000");
        });
    }

    @Test
    void shouldNotFindThatInputFallsBehindWhereTheOthersAreBusyAllTheTimeToo() {
        assertThat(found(job(1_000, 100, 0.94, 0.84))).hasSize(1);
        assertThat(found(job(1_000, 100, 0.94, 0.85))).isEmpty();
    }

    @Test
    void shouldNotFindItWhereAllInputIsReadAlikeAndAllCoresAreFull() {
        assertThat(found(job(1_001, 100, 0.94, 0.42))).isEmpty();
    }

    @Test
    void shouldNotBlameTheTaskForTheInputOfAnotherStream() {
        MadeUpJob job = job(2_000, 100, 0.94, 0.42)
                .operator("elsewhere", "source", "", false)
                .chain(2, "elsewhere")
                .task(1, 0.01, 0.9, 0)
                .task(2_000, 0.01, 0.9, 0);

        assertThat(found(job)).isEmpty();
    }

    @Test
    void shouldNotTakeAnOperatorBetweenThemForTheInput() {
        MadeUpJob job = new MadeUpJob()
                .operator("in", "source", "", false)
                .chain(1, "in")
                .task(2_100, 0.1, 0, 0.5)
                .operator("route", "map", "", false)
                .chain(2, "route")
                .task(100, 0.01, 0, 0)
                .task(2_000, 0.01, 0, 0)
                .operator("tax", "process", "", false)
                .chain(3, "tax")
                .task(100, 0.94, 0, 0)
                .task(1_000, 0.42, 0, 0)
                .task(1_000, 0.42, 0, 0);

        assertThat(found(job)).isEmpty();
    }
}
