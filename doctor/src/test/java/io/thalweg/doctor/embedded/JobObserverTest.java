// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.thalweg.api.stats.AckStats;
import io.thalweg.api.stats.AlignmentStats;
import io.thalweg.api.stats.CheckpointStats;
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
import io.thalweg.api.stats.TaskStats;
import io.thalweg.doctor.observation.Ages;
import io.thalweg.doctor.observation.EdgeTotals;
import io.thalweg.doctor.observation.KeyShare;
import io.thalweg.doctor.observation.KeyShares;
import io.thalweg.doctor.observation.Lateness;
import io.thalweg.doctor.observation.Observation;
import io.thalweg.doctor.observation.RecordJson;
import io.thalweg.doctor.observation.Span;
import io.thalweg.doctor.observation.TaskSpan;
import java.util.List;
import org.junit.jupiter.api.Test;

final class JobObserverTest {
    private static final PlanInfo PLAN =
            new PlanInfo("Rivers", "embedded", 1, List.of(), List.of(), List.of(), List.of());

    private final JobObserver observer = new JobObserver();

    private static JobStats at(long ms, long records, long longestCallNs) {
        return at(ms, records, longestCallNs, PLAN);
    }

    private static JobStats at(long ms, long records, long longestCallNs, PlanInfo plan) {
        return at(ms, records, longestCallNs, plan, JobState.RUNNING, List.of());
    }

    private static JobStats at(long ms, long records, long longestCallNs, PlanInfo plan, JobState state) {
        return at(ms, records, longestCallNs, plan, state, List.of());
    }

    private static JobStats at(long ms, long records, long longestCallNs, PlanInfo plan, List<LateRecords> late) {
        return at(ms, records, longestCallNs, plan, JobState.RUNNING, late);
    }

    private static JobStats at(
            long ms, long records, long longestCallNs, PlanInfo plan, JobState state, List<LateRecords> late) {
        TaskStats task = new TaskStats(
                "levels[0]",
                List.of("levels"),
                0,
                records,
                records,
                0,
                0,
                ms * 500_000,
                0,
                0,
                0,
                longestCallNs,
                0,
                AlignmentStats.NONE,
                List.of(),
                InputStats.NONE,
                List.of(),
                List.of(),
                records / 10,
                records * 3,
                late);
        return new JobStats(
                "Rivers",
                state,
                ms * 1_000_000,
                records,
                records,
                0,
                late.stream().mapToLong(LateRecords::records).sum(),
                0,
                List.of(),
                LatencyStats.NONE,
                new LatencyHistogram(List.of(), List.of(), records / 2, records * 20),
                AckStats.NONE,
                new ProcessStats(ms * 1_000_000, 1, 0, 0, 1),
                List.of(task),
                List.of(),
                plan);
    }

    private Observation observed() {
        return observer.observation(JobState.RUNNING, List.of(), null);
    }

    @Test
    void shouldGiveTasksOfAnotherEngineThreadsOfTheirOwn() {
        PlanInfo plan = new PlanInfo(
                "Rivers",
                "Storm",
                3,
                List.of(),
                List.of(new PlanInfo.Chain(0, List.of("levels"), 1, "spout chain-0")),
                List.of(),
                List.of());
        JobObserver threads = JobObserver.ofThreads();
        threads.look(at(1_000, 10, 0, plan), 0, null, null);

        PlanInfo told = threads.observation(JobState.FINISHED, List.of(), null).plan();

        assertThat(told.workers()).isZero();
        assertThat(told.runner()).isEqualTo("Storm");
        assertThat(told.chains())
                .containsExactly(new PlanInfo.Chain(0, List.of("levels"), 1, "each on a thread of its own"));
    }

    @Test
    void shouldObserveAJobThatRunsAlready() {
        JobObserver late = new JobObserver(at(60_000, 6_000, 5_000_000), 2);
        assertThat(late.hasSeenAnything()).isFalse();
        late.look(at(61_000, 6_500, 5_000_000), 2, "before", null);

        Observation seen = late.observation(JobState.RUNNING, List.of(), null);

        Span only = seen.spans().get(0);
        assertThat(seen.spans()).hasSize(1);
        assertThat(only.fromNs()).isEqualTo(60_000_000_000L);
        assertThat(only.recordsIn()).isEqualTo(500);
        assertThat(only.tasks()).singleElement().satisfies(task -> {
            assertThat(task.busyNs()).isEqualTo(500_000_000);
            assertThat(task.longestCallNs()).isNull();
        });
        assertThat(seen.restarts().times()).isZero();
    }

    @Test
    void shouldSayHowLateRecordsWere_alsoBeforeARestart_andKeepNone() {
        List<LateRecords> first = List.of(new LateRecords(
                "window",
                100,
                List.of(new LateBy(8, 60), new LateBy(900, 39), new LateBy(5_120, 1)),
                List.of(new LateSample("secret", "a.csv", 1L, 2L, 3L, 8))));
        List<LateRecords> second = List.of(new LateRecords("window", 100, List.of(new LateBy(8, 100)), List.of()));
        observer.look(at(1_000, 10, 7, PLAN, first), 0, null, null);
        observer.look(at(1_000, 10, 7, PLAN, second), 1, "it failed", null);

        assertThat(observed().lateness()).containsExactly(new Lateness("window", 200, 8, 900, 5_120));
        assertThat(RecordJson.text(observed())).doesNotContain("secret");
    }

    @Test
    void shouldCountWhatWasAddedInEachSpan() {
        observer.look(at(1_000, 100, 7), 0, null, null);
        observer.look(at(2_000, 250, 7), 0, null, null);
        observer.look(at(2_050, 251, 7), 0, null, null); // too soon for a rate

        assertThat(observed().spans()).extracting(Span::recordsIn).containsExactly(100L, 150L);
        assertThat(observed().spans())
                .extracting(span -> span.tasks().get(0))
                .extracting(TaskSpan::busyNs, TaskSpan::longestCallNs)
                .containsExactly(tuple(500_000_000L, 7L), tuple(500_000_000L, null));
    }

    @Test
    void shouldTakeAgesAndBatchesOfEachSpan() {
        observer.look(at(1_000, 100, 7), 0, null, null);
        observer.look(at(2_000, 250, 7), 0, null, null);
        observer.look(at(3_000, 250, 7), 0, null, null);
        observer.look(at(400, 30, 5), 1, "no memory", null);

        assertThat(observed().spans())
                .extracting(Span::ages)
                .containsExactly(new Ages(50, 2_000), new Ages(75, 3_000), null, new Ages(15, 600));
        assertThat(observed().spans())
                .extracting(span -> span.tasks().get(0))
                .extracting(TaskSpan::batchesIn, TaskSpan::overdueUs)
                .containsExactly(tuple(10L, 300L), tuple(15L, 450L), tuple(0L, 0L), tuple(3L, 90L));
    }

    @Test
    void shouldGoOnAfterARestartThatCountsFromZero() {
        observer.look(at(1_000, 100, 7), 0, null, null);
        observer.look(at(400, 30, 5), 2, "no memory", null);

        assertThat(observed().restarts().times()).isEqualTo(2);
        assertThat(observed().restarts().cause()).isEqualTo("no memory");
        assertThat(observed().spans()).extracting(Span::recordsIn).containsExactly(100L, 30L);
        assertThat(observed().spans()).extracting(Span::fromNs).containsExactly(0L, 1_000_000_000L);
        assertThat(observed().spans()).extracting(Span::toNs).containsExactly(1_000_000_000L, 1_400_000_000L);
    }

    @Test
    void shouldGoOnAfterARestartThatWasCountedBeforeItHadFigures() {
        observer.look(at(1_000, 100, 7), 0, null, null);
        observer.look(at(1_200, 120, 7, PLAN, JobState.FAILED), 1, "no memory", null);
        observer.look(at(1_200, 120, 7, PLAN, JobState.FAILED), 1, "no memory", null);
        observer.look(at(400, 30, 5), 1, "no memory", null);

        assertThat(observed().restarts().times()).isEqualTo(1);
        assertThat(observed().spans()).extracting(Span::recordsIn).containsExactly(100L, 20L, 30L);
        assertThat(observed().spans()).extracting(Span::fromNs).containsExactly(0L, 1_000_000_000L, 1_200_000_000L);
    }

    @Test
    void shouldKeepTotalsOfALongRunInFewSpans() {
        for (int second = 1; second <= 1_000; second++) {
            observer.look(at(second * 1_000L, second * 10L, second), 0, null, null);
        }

        List<Span> spans = observed().spans();
        assertThat(spans).hasSizeBetween(30, 60);
        assertThat(spans.stream().mapToLong(Span::recordsIn).sum()).isEqualTo(10_000);
        assertThat(spans.stream()
                        .mapToLong(span -> span.tasks().get(0).busyNs())
                        .sum())
                .isEqualTo(500_000_000_000L);
        assertThat(spans.stream().mapToLong(span -> span.ages().samples()).sum())
                .isEqualTo(5_000);
        assertThat(spans.stream().mapToDouble(span -> span.ages().sumUs()).sum())
                .isEqualTo(200_000);
        for (int i = 1; i < spans.size(); i++) {
            assertThat(spans.get(i).fromNs()).isEqualTo(spans.get(i - 1).toNs());
        }
    }

    @Test
    void shouldKeepEachCheckpointOnce() {
        observer.look(at(1_000, 1, 1), 0, null, checkpoint(1));
        observer.look(at(2_000, 2, 1), 0, null, checkpoint(1));
        observer.look(at(3_000, 3, 1), 0, null, checkpoint(4));

        assertThat(observed().checkpoints()).extracting(CheckpointStats::number).containsExactly(1L, 4L);
    }

    @Test
    void shouldTellKeysOfEachEdgeOfWhichTheyAreKnown_alsoWithinATask() {
        PlanInfo plan = new PlanInfo(
                "Rivers",
                "embedded",
                1,
                List.of(),
                List.of(),
                List.of(edge("levels", "count", true), edge("count", "end", true), edge("count", "map", false)),
                List.of());
        observer.keys().along("levels", "count", 0).add(5, 10);

        observer.look(at(1_000, 100, 7, plan), 0, null, null);

        assertThat(observed().edges())
                .containsExactly(
                        new EdgeTotals(
                                "levels", "count", null, null, new KeyShares(1, 10, List.of(new KeyShare(5, 1)))),
                        new EdgeTotals("count", "map", 0L, null, null));
    }

    private static PlanInfo.Edge edge(String from, String to, boolean fused) {
        return new PlanInfo.Edge(from, to, "", 0, "by key Long", 1, 1, "", "", false, fused, "", false);
    }

    @Test
    void shouldSayThatItHasSeenNothing() {
        observer.look(at(5, 1, 1), 0, null, null);

        assertThat(observer.hasSeenAnything()).isFalse();
        assertThatThrownBy(this::observed).isInstanceOf(IllegalStateException.class);
    }

    private static CheckpointStats checkpoint(long number) {
        return new CheckpointStats("Rivers", number, number * 1_000, 5, 0, 1, false, List.of());
    }
}
