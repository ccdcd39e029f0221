// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.stats.SplitTime;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** Looks at the end of second 5, the middle, and of second 9. */
final class HeldTimeTest {
    private static SplitTime at(String split, Long ms) {
        return new SplitTime("times", split, ms);
    }

    private static MadeUpJob reading(List<IntFunction<List<SplitTime>>> tasks) {
        MadeUpJob job = new MadeUpJob()
                .operator("in", "source", "", false)
                .operator("times", "event-time", "", false)
                .chain(tasks.size(), "in", "times");
        tasks.forEach(splits -> job.task(1_000, 0.1, 0.9, 0).splits(splits));
        return job;
    }

    private static HeldTime held(MadeUpJob job) {
        Facts facts = job.facts();
        return HeldTime.of(facts, facts.chains().get(0));
    }

    @Test
    void shouldTellWhichSplitStandsStill_andHowFarTheOthersCameMeanwhile() {
        MadeUpJob job = reading(List.of(
                second -> List.of(at("a", 1_000L * second)), second -> List.of(at("b", 700L), at("c", 900L * second))));

        HeldTime held = held(job);

        assertThat(held.task()).isEqualTo("in+times[1]");
        assertThat(held.last()).isEqualTo(at("b", 700L));
        assertThat(held.movedMs()).isEqualTo(9_000 - 5_000);
        assertThat(held.forNs()).isEqualTo(4_000_000_000L);
    }

    @Test
    void shouldTakeTheOneThatIsLeastFar() {
        MadeUpJob job = reading(List.of(
                second -> List.of(at("later", 900L), at("earlier", 800L), at("moves", 1_000L * second)),
                second -> List.of(at("latest", 950L))));

        assertThat(held(job).last()).isEqualTo(at("earlier", 800L));
    }

    @Test
    void shouldTakeASplitWithoutRecordsForTheLeastFar() {
        MadeUpJob job = reading(List.of(
                second -> List.of(at("old", 1L), at("silent", null), at("older", 0L), at("moves", 1_000L * second))));

        assertThat(held(job).last()).isEqualTo(at("silent", null));
    }

    @Test
    void shouldFindNoneIfAllMoveOn() {
        MadeUpJob job = reading(List.of(second -> List.of(at("a", 10L * second), at("b", 1_000L * second))));

        assertThat(held(job)).isNull();
    }

    @Test
    void shouldNotCountASplitThatStoodStillBeforeTheMiddleOnly() {
        MadeUpJob job =
                reading(List.of(second -> List.of(at("a", second <= 5 ? 100L : 200L), at("b", 1_000L * second))));

        assertThat(held(job)).isNull();
    }

    @Test
    void shouldCountASplitThatStoodStillSinceTheMiddle() {
        MadeUpJob job =
                reading(List.of(second -> List.of(at("a", second < 5 ? 100L : 200L), at("b", 1_000L * second))));

        assertThat(held(job).last()).isEqualTo(at("a", 200L));
    }

    @Test
    void shouldNotCountTheSameSplitOfAnotherTask() {
        MadeUpJob job = reading(List.of(
                second -> second == 5 ? List.of(at("a", 1L)) : List.of(at("b", 1_000L * second)),
                second -> second == 9 ? List.of(at("a", 1L)) : List.of(at("b", 1_000L * second))));

        assertThat(held(job)).isNull();
    }

    @Test
    void shouldFindNoneIfTheEngineDoesNotTellOfSplits() {
        assertThat(held(reading(List.of(second -> null, second -> null)))).isNull();
    }

    @Test
    void shouldCompareOnlyWithSplitsOfTheSameEventTime() {
        MadeUpJob job = reading(List.of(second -> List.of(
                at("a", 100L), at("b", 100L * second), new SplitTime("other-times", "c", 1_000_000L * second))));

        assertThat(held(job).movedMs()).isEqualTo(400);
    }

    @Test
    void shouldLookAtTheTasksOfThisSourceOnly() {
        MadeUpJob job = reading(List.of(second -> List.of(at("a", 10L * second), at("b", 20L * second))))
                .operator("in-2", "source", "", false)
                .chain(1, "in-2")
                .task(1_000, 0.1, 0.9, 0)
                .splits(second -> List.of(at("still", 1L), at("fast", 1_000_000L * second)));

        assertThat(held(job)).isNull();
    }
}
