// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.stats.AckStats;
import io.thalweg.api.stats.LatencyStats;
import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.finding.Gain;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What fewer checkpoints bring: no more than what limits the job next leaves. */
final class CheckpointsRuleTest {
    /** Two tasks that read and two with state, on two threads. */
    private static MadeUpJob job(double source, double waiting, double state) {
        return job(2, source, waiting, state);
    }

    private static MadeUpJob job(int threads, double source, double waiting, double state) {
        MadeUpJob job = new MadeUpJob()
                .operator("in", "source", "", false)
                .chain(2, "in")
                .task(1_000, source, waiting, 0.1)
                .task(1_000, source, waiting, 0.1)
                .operator("state", "keyed-process", "", true)
                .chain(2, "state")
                .task(1_000, state, 0.1, 0)
                .task(1_000, state, 0.1, 0);
        job.workers = threads;
        job.cores = threads;
        return job;
    }

    private static Finding only(MadeUpJob job) {
        List<Finding> found = new CheckpointsRule().findings(job.facts());
        assertThat(found).hasSize(1);
        return found.get(0);
    }

    private static void predicts(MadeUpJob job, double factor) {
        assertThat(only(job).predictedGain()).isEqualTo(Gain.throughput(factor));
    }

    @Test
    void shouldPredictTheTimeForWhichTasksStop_andAFifthOfACoreForWriting() {
        predicts(job(0.01, 0, 0.8).checkpoints(1_000, 500, 0, 400), 1 / (1 - 0.4 - 0.5 * 0.2));
    }

    @Test
    void shouldPredictNothingIfTheSourceHasNoMore() {
        predicts(job(0.01, 0.2, 0.8).checkpoints(1_000, 500, 0, 400), 1);
    }

    @Test
    void shouldNotTakeATaskThatWaitsForAcksForOneThatHasNoMore() {
        MadeUpJob job = job(0.01, 0.2, 0.8).checkpoints(1_000, 500, 0, 400);
        job.acks = new AckStats(20, 20_000, 0, 0, 0, LatencyStats.NONE);
        job.pending = 16L;
        job.maxPending = "10";

        predicts(job, 2);
    }

    @Test
    void shouldPredictNoMoreThanATaskLeavesThatSavesNothing() {
        MadeUpJob job = job(8, 0.01, 0, 0.8)
                .operator("parse", "map", "", false)
                .chain(1, "parse")
                .task(2_000, 0.8, 0, 0)
                .checkpoints(1_000, 500, 0, 400);

        predicts(job, 1 / 0.8);
    }

    @Test
    void shouldPredictNoMoreThanRecordsLeaveOfATaskWithState() {
        predicts(job(8, 0.01, 0, 0.98).checkpoints(1_000, 1_000, 0, 200), 1 / (0.98 - 0.2));
    }

    @Test
    void shouldPredictNoMoreThanAllThreadsCanDo() {
        // 1.4 threads in the sources and 0.2 in what is left of the others
        predicts(job(0.7, 0, 0.5).checkpoints(1_000, 1_000, 0, 400), 2 / (1.4 + 0.2));
    }

    @Test
    void shouldPredictNoMoreThanUsersCodeLeaves() {
        MadeUpJob job = job(0.05, 0, 0.95).checkpoints(100, 90, 0, 85).hot("state", 100, 60);

        predicts(job, 2 / (0.4 * 2 * (0.05 + 0.95)));
    }

    @Test
    void shouldNotCountTheTimeInWhichInputsWaitForATaskThatIsBusyAllTheTime() {
        MadeUpJob job = job(0.01, 0, 0.1)
                .operator("slow", "map", "", false)
                .chain(1, "slow")
                .task(2_000, 0.99, 0, 0)
                .checkpoints(1_000, 700, 600, 0);

        assertThat(only(job).rule()).isEqualTo("alignment");
        assertThat(only(job).severity()).as("a consequence of another finding").isEqualTo(0.24);
        predicts(job, 1 / 0.99);
    }

    @Test
    void shouldCountHalfOfTheTimeInWhichInputsWaitWhereThereIsRoom() {
        predicts(job(0.01, 0, 0.5).checkpoints(1_000, 700, 600, 0), 1 / (1 - 0.6 / 2));
    }

    @Test
    void shouldAdviseAnIntervalThatIsLonger_alsoWhereTasksHardlyStop() {
        assertThat(only(job(0.01, 0, 0.8).checkpoints(1_000, 500, 0, 400)).option())
                .as("40 seconds: 400 ms are a hundredth of them")
                .isEqualTo("--checkpoint-interval 40s");
        assertThat(only(job(0.01, 0, 0.8).checkpoints(20_000, 12_000, 0, 10)).option())
                .as("every 20 s was too often")
                .isEqualTo("--checkpoint-interval 48s");
        assertThat(only(job(0.01, 0, 0.8).checkpoints(30_000, 10_000, 6_000, 10))
                        .option())
                .as("aligned for a fifth of the time")
                .isEqualTo("--checkpoint-interval 120s");
    }

    @Test
    void shouldPredictNothingFromAlignmentIfTheSourcesHaveNoMore() {
        predicts(job(0.01, 0.5, 0.5).checkpoints(1_000, 700, 600, 0), 1);
    }

    /** Barriers wait behind the records of tasks that are busy all the time, also where next to nothing is written. */
    @Test
    void shouldTellOnFlinkWhatIsWrittenFromWhatOnlyWaits() {
        MadeUpFlink job = new MadeUpFlink()
                .vertex("Source: in", 1, 1_000, 0.98, 0)
                .checkpoint(1_000_000, 200, 190)
                .checkpoint(1_000_000, 200, 190);
        assertThat(new CheckpointsRule().findings(job.facts()))
                .as("nobody knows")
                .isEmpty();

        job.checkpointWritesMs = 20.0;
        assertThat(new CheckpointsRule().findings(job.facts())).isEmpty();

        job.checkpointWritesMs = 150.0;
        assertThat(new CheckpointsRule().findings(job.facts()))
                .singleElement()
                .satisfies(finding -> assertThat(finding.rule()).isEqualTo("checkpoints"));
    }
}
