// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.thalweg.api.stats.CheckpointStats;
import io.thalweg.api.stats.LatencyStats;
import io.thalweg.doctor.ObservationFile;
import io.thalweg.doctor.finding.LatencyBudget;
import io.thalweg.doctor.finding.LatencyPart;
import io.thalweg.doctor.observation.Ages;
import io.thalweg.doctor.observation.Observation;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Parts of latencies, each computed here by hand from the figures of the job. */
final class LatencyTest {
    /**
     * Two tasks read 10,000 records a second each, ten at a time and 40 us late, and work on a record for 10 us. Two tasks behind
     * them get these by key, five in a batch, of which four are there at a time, and work on a record for 50 us.
     */
    private static MadeUpJob job() {
        MadeUpJob job = new MadeUpJob()
                .operator("in", "source", "", false)
                .chain(2, "in")
                .task(10_000, 0.1, 0.9, 0)
                .batches(1_000, second -> 0L)
                .overdue(400_000)
                .task(10_000, 0.1, 0.9, 0)
                .batches(1_000, second -> 0L)
                .overdue(400_000)
                .operator("score", "keyed-process", "", true)
                .operator("out", "sink", "", false);
        job.grouping = "by key Long";
        return job.chain(2, "score", "out")
                .task(10_000, 0.5, 0.5, 0)
                .batches(2_000, second -> second % 2 == 0 ? 4L : 2L)
                .task(10_000, 0.5, 0.5, 0)
                .batches(2_000, second -> 1L);
    }

    private static LatencyBudget budget(MadeUpJob job) {
        return Objects.requireNonNull(Latency.of(job.facts()));
    }

    private static List<String> parts(List<LatencyPart> parts) {
        return parts.stream()
                .map(part -> part.chain() + " " + part.part() + " " + part.us())
                .toList();
    }

    @Test
    void shouldAddUpToWhatWasMeasured() {
        MadeUpJob job = job();
        job.ages = new Ages(20_000, 20_000 * 1_200.0);

        LatencyBudget budget = budget(job);

        assertThat(parts(budget.parts()))
                .containsExactly(
                        "in source wait 40.0",
                        "in service 10.0",
                        "in batching 80.0", // four more records for each of two queues, 10 us each
                        "score+out queue 750.0", // 4 batches / 4,000 a second, less 250 us for the one in progress
                        "score+out service 50.0",
                        "score+out batching 200.0"); // four more records
        assertThat(budget.sumUs()).isEqualTo(1_130);
        assertThat(budget.measuredUs()).isEqualTo(1_200);
        assertThat(budget.measured()).isEqualTo("mean");
        assertThat(budget.restUs()).isEqualTo(70);
        assertThat(budget.rest()).isEqualTo("the parts explain what was measured");
        assertThat(budget.beyond()).isEmpty();
        assertThat(budget.parts())
                .extracting(LatencyPart::from)
                .containsExactly(
                        "8.000 s overdue, 200,000 records",
                        "busy 2.000 s, 200,000 records",
                        "batches of 5.0 records, 2 queues from each task",
                        "4.00 batches / 4000.0 a second, less the one in progress",
                        "busy 10.000 s, 200,000 records",
                        "batches of 5.0 records are done together");
    }

    @Test
    void shouldNameTheRest() {
        MadeUpJob job = job();
        job.ages = new Ages(1, 5_000);
        assertThat(budget(job).restUs()).isEqualTo(3_870);
        assertThat(budget(job).rest()).isEqualTo("not explained by anything that was measured");

        job.operator("ask", "async-map", "", false)
                .operator("sink", "sink", "", false)
                .chain(1, "ask", "sink")
                .task(20_000, 0.2, 0.5, 0)
                .batches(4_000, second -> 1L);
        job.gcMs = 30;
        LatencyBudget budget = budget(job);
        assertThat(budget.parts()).extracting(LatencyPart::chain).endsWith("ask+sink", "ask+sink");
        assertThat(budget.rest())
                .isEqualTo(
                        "not explained; part of it may be: records of other sinks were measured, too; answers that 'ask'"
                                + " waits for; tasks of 'ask' waited for a thread for 30 % of the time; collections stopped all"
                                + " tasks for 3 % of the time");
    }

    @Test
    void shouldSayThatThePartsAreMore() {
        MadeUpJob job = job();
        job.ages = new Ages(2, 1_000);

        assertThat(budget(job).restUs()).isEqualTo(-630);
        assertThat(budget(job).rest())
                .isEqualTo("the parts are more than what was measured: queues were looked at 10 times only, batches are"
                        + " taken to fill evenly");
    }

    @Test
    void shouldTakeTheWholeReadForABatch_whereThereIsNoQueue() {
        MadeUpJob job = new MadeUpJob()
                .operator("in", "source", "", false)
                .operator("out", "sink", "", false)
                .chain(1, "in", "out")
                .task(50_000, 0.5, 0.5, 0)
                .batches(500, second -> 0L)
                .overdue(0);
        job.ages = new Ages(1, 1_000);

        assertThat(parts(budget(job).parts()))
                .containsExactly("in+out source wait 0.0", "in+out service 10.0", "in+out batching 990.0");
        assertThat(budget(job).restUs()).isZero();
    }

    /** A read of 2,000 records makes four batches: the first is handed over after a quarter of it, the last at its end. */
    @Test
    void shouldHandOverBatchesOfALargeReadOneByOne() {
        MadeUpJob job = new MadeUpJob()
                .operator("in", "source", "", false)
                .chain(1, "in")
                .task(1_000_000, 0.5, 0, 0.5)
                .batches(500, second -> 0L)
                .overdue(0)
                .operator("out", "sink", "", false)
                .chain(1, "out")
                .task(1_000_000, 0.9, 0.1, 0)
                .batches(2_000, second -> 2L);
        job.ages = new Ages(1, 1_000);
        double apart = 0.5; // us; while its only queue is full, no batch is open
        double handedOver = (500 * apart + 1_000 * apart + 1_500 * apart + 2_000 * apart) / 4;

        List<LatencyPart> parts = budget(job).parts();

        assertThat(us(parts.get(1)) + us(parts.get(2))).isEqualTo(handedOver, within(1e-9));
        assertThat(parts.get(3)).extracting(LatencyPart::part, LatencyPart::us).containsExactly("queue", 550.0);
    }

    private static double us(LatencyPart part) {
        return Objects.requireNonNull(part.us());
    }

    @Test
    void shouldCountTimeInWhichAnotherQueueIsFull() {
        MadeUpJob job = new MadeUpJob()
                .operator("in", "source", "", false)
                .chain(1, "in")
                .task(10_000, 0.2, 0, 0.8)
                .batches(1_000, second -> 0L)
                .overdue(0)
                .operator("out", "sink", "", false);
        job.grouping = "shuffle";
        job.chain(2, "out")
                .task(5_000, 0.9, 0.1, 0)
                .batches(500, second -> 1L)
                .task(5_000, 0.9, 0.1, 0)
                .batches(500, second -> 1L);
        job.ages = new Ages(1, 1_000);

        assertThat(us(budget(job).parts().get(2)))
                .as("nine more records for each of two queues, 100 us each")
                .isEqualTo(1_800);
    }

    @Test
    void shouldTakeWhatAWindowEmitsToComeTogether() {
        MadeUpJob job = new MadeUpJob()
                .operator("in", "source", "", false)
                .operator("count", "window", "", true)
                .chain(1, "in", "count")
                .task(100_000, 0.5, 0.5, 0)
                .batches(1_000, second -> 0L)
                .overdue(0)
                .operator("out", "sink", "", false)
                .chain(1, "out")
                .task(100, 0.001, 0.999, 0)
                .batches(2, second -> 0L);
        job.ages = new Ages(1, 1_000);

        assertThat(us(budget(job).parts().get(2)))
                .as("49 more records, 5 us each as those that come in")
                .isEqualTo(245);
    }

    @Test
    void shouldTakeTheSlowestWay() {
        MadeUpJob job = job();
        job.ages = new Ages(1, 1_000);
        job.behind = "in";
        job.operator("copy", "map", "", false)
                .chain(1, "copy")
                .task(20_000, 0.1, 0.9, 0)
                .batches(4_000, second -> 100L);
        job.behind = null;
        job.operator("kept", "sink", "", false)
                .chain(1, "kept")
                .task(20_000, 0.1, 0.9, 0)
                .batches(4_000, second -> 0L)
                .operator("idle", "sink", "", false)
                .chain(1, "idle")
                .task(0, 0, 1, 0)
                .batches(0, second -> 1_000L);

        assertThat(budget(job).parts())
                .extracting(LatencyPart::chain)
                .containsExactly("in", "in", "in", "copy", "copy", "copy", "kept", "kept", "kept");
        assertThat(budget(job).parts().get(3).us()).isEqualTo(25_000 - 25);
    }

    @Test
    void shouldTellWhatAnOldObservationDoesNotKnow() {
        MadeUpJob job = new MadeUpJob()
                .operator("in", "source", "", false)
                .chain(1, "in")
                .task(10_000, 0.1, 0.9, 0)
                .operator("out", "sink", "", false)
                .chain(1, "out")
                .task(10_000, 0.5, 0.5, 0);
        job.latency = new LatencyStats(1_000, 900, 1_000, 1_000, 1_000, 1_000);

        LatencyBudget budget = budget(job);

        assertThat(parts(budget.parts()))
                .containsExactly(
                        "in source wait null",
                        "in service 10.0",
                        "in batching null",
                        "out queue null",
                        "out service 50.0",
                        "out batching null");
        assertThat(budget.measured()).isEqualTo("median");
        assertThat(budget.restUs()).isEqualTo(840);
        assertThat(budget.rest()).isEqualTo("not explained; part of it may be: parts that are not known");
    }

    private static CheckpointStats checkpoint(long number, long beganMs, long tookMs, String operator, String state) {
        return new CheckpointStats(
                "made-up",
                number,
                beganMs,
                tookMs,
                0,
                0,
                false,
                List.of(new CheckpointStats.StateSize(operator, state, 10)));
    }

    @Test
    void shouldTellBesides_howLongRecordsAreUnreadAndUncommitted() {
        MadeUpJob job = job().unread(second -> 0L);
        job.ages = new Ages(1, 1_130);
        job.checkpoints.add(checkpoint(3, 10_000, 100, "out", "state"));
        job.checkpoints.add(checkpoint(4, 12_000, 300, "score", "writer"));
        assertThat(budget(job).beyond()).isEmpty();

        job.checkpoints.add(checkpoint(6, 16_000, 200, "out", "writer"));
        assertThat(budget(job).beyond())
                .containsExactly(new LatencyPart(
                        "score+out",
                        "commit",
                        1_200_000.0,
                        "half of 2.000 s from checkpoint to checkpoint, and 0.200 s for one"));
        assertThat(budget(job).restUs())
                .as("it is no part of what was measured")
                .isZero();

        job.checkpoints.subList(0, 2).clear();
        assertThat(budget(job).beyond())
                .containsExactly(new LatencyPart("score+out", "commit", null, "only one checkpoint was seen"));

        MadeUpJob topic = new MadeUpJob()
                .operator("in", "source", "", false)
                .operator("out", "sink", "", false)
                .chain(1, "in", "out")
                .task(1_000, 0.5, 0.5, 0)
                .batches(500, second -> 0L)
                .unread(second -> second % 2 == 0 ? 100L : 300L);
        topic.ages = new Ages(1, 1_000);
        assertThat(budget(topic).beyond())
                .containsExactly(
                        new LatencyPart("in+out", "unread", 200_000.0, "200 not read / 1,000.0 read a second"));
    }

    @Test
    void shouldSayNothingWhereNothingIsKnown() {
        assertThat(Latency.of(job().facts())).as("no record came to a sink").isNull();
        MadeUpJob flink = job();
        flink.ages = new Ages(1, 1_000);
        flink.runner = "Flink 2.3.0";
        assertThat(Latency.of(flink.facts())).isNull();
        MadeUpJob old = job();
        old.ages = new Ages(1, 90_000_000_000.0);
        assertThat(Latency.of(old.facts())).as("times of another day").isNull();
    }

    /** The job of the corpus: what comes in faster than one task works waits in its full queues. */
    @Test
    void shouldExplainARecordedJob() throws Exception {
        try (InputStream recorded = Objects.requireNonNull(
                LatencyTest.class.getResourceAsStream("/io/thalweg/doctor/latency/slow-operator.json"))) {
            Observation observation = ObservationFile.read(recorded.readAllBytes());

            LatencyBudget budget = Objects.requireNonNull(Latency.of(new Facts(observation)));

            assertThat(budget.measuredUs())
                    .as("beside the median of the engine's own histogram, of the whole run")
                    .isEqualTo(
                            observation.latency().p50Us(),
                            within(0.1 * observation.latency().p50Us()));
            assertThat(budget.restUs()).isEqualTo(0, within(0.1 * budget.measuredUs()));
            assertThat(budget.parts().get(3)).satisfies(queue -> {
                assertThat(queue.chain() + " " + queue.part()).isEqualTo("score+sink queue");
                assertThat(us(queue)).isGreaterThan(0.9 * budget.sumUs());
            });
        }
    }
}
