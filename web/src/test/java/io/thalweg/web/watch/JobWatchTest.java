// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.thalweg.api.stats.CheckpointStats;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.stats.PlanInfo;
import io.thalweg.api.stats.TaskStats;
import io.thalweg.web.SampleJob;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class JobWatchTest {
    private final JobWatch watch = new JobWatch();

    private JobWatch.Seen seen() {
        return Objects.requireNonNull(watch.seen(0));
    }

    @Test
    void shouldHaveSeenNothingBeforeTheFirstLook() {
        assertThat(watch.seen(0)).isNull();
    }

    @Test
    void shouldMakeAColumnOfTwoLooks() {
        watch.look(SampleJob.after(1));
        assertThat(seen().columns()).isEmpty();
        assertThat(seen().before()).isNull();
        watch.look(SampleJob.after(3));

        assertThat(seen().columns()).singleElement().satisfies(column -> {
            assertThat(column.number()).isEqualTo(1);
            assertThat(column.in()).isEqualTo(1_000);
            assertThat(column.latencies()).containsExactly(500L, 500L, 1_000L, 0L);
        });
        assertThat(watch.seen(1)).satisfies(later -> assertThat(later.columns()).isEmpty());
    }

    @Test
    void shouldKeepTheNewestColumns() {
        for (int second = 1; second <= JobWatch.MOST_COLUMNS + 10; second++) {
            watch.look(SampleJob.after(second));
        }
        assertThat(seen().columns()).hasSize(JobWatch.MOST_COLUMNS);
        assertThat(seen().columns().get(0).number()).isEqualTo(10);
        assertThat(seen().checkpoints())
                .hasSizeLessThanOrEqualTo(50)
                .extracting(CheckpointStats::number)
                .endsWith(60L, 61L);
    }

    @Test
    void shouldNotComputeRatesAcrossARestart() {
        watch.look(SampleJob.after(5));
        watch.look(SampleJob.after(6));
        watch.look(SampleJob.after(1, "embedded", JobState.RUNNING, 1));
        assertThat(seen().before()).isNull();
        assertThat(seen().columns()).hasSize(1);
        watch.look(SampleJob.after(2, "embedded", JobState.RUNNING, 1));
        assertThat(seen().before()).isNotNull();
        assertThat(seen().columns())
                .hasSize(2)
                .allSatisfy(column -> assertThat(column.in()).isEqualTo(1_000));
    }

    /** The restart was counted before, when there were still the figures of the start that failed; and the job has run for longer since. */
    @Test
    void shouldNotComputeRatesAcrossARestart_ofAStartThatWasShort() {
        watch.look(SampleJob.after(0.5));
        watch.look(SampleJob.after(0.6, "embedded", JobState.FAILED, 1));
        watch.look(SampleJob.after(0.9, "embedded", JobState.RUNNING, 1));
        assertThat(seen().before()).isNull();
        assertThat(seen().columns()).isEmpty();
        watch.look(SampleJob.after(1.9, "embedded", JobState.RUNNING, 1));
        assertThat(seen().columns())
                .singleElement()
                .satisfies(column -> assertThat(column.in()).isEqualTo(1_000));
    }

    @Test
    void shouldTakeTheEndForTheLastLook() {
        watch.look(SampleJob.after(1));
        watch.look(SampleJob.after(2));
        watch.look(SampleJob.after(2, "embedded", JobState.FINISHED, 0));
        assertThat(seen().now().stats().state()).isEqualTo(JobState.FINISHED);
        assertThat(seen().before()).isNotNull();
        assertThat(seen().columns()).hasSize(1);
    }

    @Test
    void shouldLookFurtherBackWhereFiguresComeSeldom() {
        for (int second = 1; second <= 20; second++) {
            watch.look(SampleJob.after(second, "Flink 2.3.0", JobState.RUNNING, 0));
        }
        assertThat(seen().before())
                .satisfies(before -> assertThat(before.stats().elapsedNs()).isEqualTo(10_000_000_000L));
    }

    @Test
    void shouldTellRatesAndSharesOfChains() {
        ChainRates rates =
                ChainRates.of(SampleJob.after(1).stats(), SampleJob.after(3).stats(), 16);
        assertThat(rates.chains()).hasSize(3);
        ChainRates.OfChain counter = rates.chains().get(1);
        assertThat(counter.in()).isEqualTo(1_000);
        assertThat(counter.busy()).isCloseTo(0.5, within(1e-9));
        assertThat(counter.skew()).isEqualTo(1.5);
        assertThat(counter.queued()).isEqualTo(8);
        assertThat(counter.room()).isEqualTo(32); // two tasks, each with a queue from the only task before them
        assertThat(rates.chains().get(0).room()).isZero();
        assertThat(rates.chains().get(0).heldBack()).isCloseTo(0.25, within(1e-9));
        assertThat(rates.edges()).containsExactly(1_000.0, 1_000.0);
    }

    @Test
    void shouldTellRatesSinceTheStartAtFirst() {
        ChainRates rates = ChainRates.of(null, SampleJob.after(4).stats(), 0);
        assertThat(rates.chains().get(2).in()).isEqualTo(1_000);
        assertThat(rates.chains().get(1).room()).isZero();
    }

    @Test
    void shouldTellWhatIsLeftForAnEdge() {
        // a and b lead to a union, a to a log as well: only what the union takes of each is not counted
        PlanInfo plan = new PlanInfo(
                "Union",
                "embedded",
                1,
                List.of(),
                Stream.of("a", "b", "union", "log")
                        .map(name -> new PlanInfo.Chain(0, List.of(name), 1, ""))
                        .toList(),
                List.of(edge("a", "union"), edge("b", "union"), edge("a", "log")),
                List.of());
        JobStats base = SampleJob.after(10).stats();
        List<TaskStats> tasks = List.of(
                task(base, "a", 1_000, 1_700),
                task(base, "b", 400, 400),
                task(base, "union", 1_400, 0),
                task(base, "log", 700, 0));
        JobStats stats = new JobStats(
                "Union",
                JobState.RUNNING,
                10_000_000_000L,
                0,
                0,
                0,
                0,
                0,
                List.of(),
                base.latency(),
                base.latencies(),
                base.acks(),
                base.process(),
                tasks,
                List.of(),
                plan);
        assertThat(ChainRates.of(null, stats, 0).edges()).containsExactly(100.0, 40.0, 70.0);
    }

    @Test
    void shouldNotTakeZerosForMeasurements() {
        assertThat(EngineMetrics.by(SampleJob.plan("embedded"))).isEqualTo(new EngineMetrics(true, true, true));
        assertThat(EngineMetrics.by(SampleJob.plan("Storm"))).isEqualTo(new EngineMetrics(false, true, true));
        assertThat(EngineMetrics.by(SampleJob.plan("Flink 2.3.0"))).isEqualTo(new EngineMetrics(false, false, false));
        assertThat(ChainRates.of(
                                null,
                                SampleJob.after(4, "Storm", JobState.RUNNING, 0).stats(),
                                16)
                        .chains())
                .allSatisfy(chain -> assertThat(chain.room()).isZero());
    }

    private static PlanInfo.Edge edge(String from, String to) {
        return new PlanInfo.Edge(from, to, "", 0, "shuffle", 1, 1, "Long", "", false, false, "", false);
    }

    private static TaskStats task(JobStats like, String name, long in, long out) {
        TaskStats other = like.tasks().get(0);
        return new TaskStats(
                name + "[0]",
                List.of(name),
                0,
                in,
                out,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                other.alignment(),
                List.of(),
                other.input(),
                List.of(),
                List.of(),
                0,
                0,
                List.of());
    }
}
