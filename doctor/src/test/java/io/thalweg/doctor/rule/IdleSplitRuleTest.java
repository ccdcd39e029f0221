// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.SplitTime;
import io.thalweg.doctor.finding.Finding;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A source with one split that stands still and one that moves on, before windows of a second. */
final class IdleSplitRuleTest {
    private static SplitTime at(String split, Long ms) {
        return new SplitTime("times", split, ms);
    }

    private static MadeUpJob job(String window, long perSecondMs) {
        return new MadeUpJob()
                .operator("in", "source", "", false)
                .operator("times", "event-time", "", false)
                .chain(1, "in", "times")
                .task(1_000, 0.1, 0.9, 0)
                .splits(second -> List.of(at("still", 5L), at("moves", perSecondMs * second)))
                .operator("windows", "window", window, true)
                .chain(1, "windows")
                .task(1_000, 0.1, 0.9, 0)
                .state(second -> 50_000_000L * (second + 1));
    }

    /** The engine does not tell of splits; the first task of the source has no record, and the second has them all. */
    private static MadeUpJob untold(String window) {
        return new MadeUpJob()
                .operator("in", "source", "", false)
                .operator("times", "event-time", "", false)
                .chain(2, "in", "times")
                .task(0, 0, 1, 0)
                .task(1_000, 0.1, 0.9, 0)
                .operator("windows", "window", window, true)
                .chain(1, "windows")
                .task(1_000, 0.1, 0.9, 0)
                .emits(0);
    }

    private static List<Finding> found(MadeUpJob job) {
        return new IdleSplitRule().findings(job.facts());
    }

    private static List<Finding> growing(MadeUpJob job) {
        return new GrowingStateRule().findings(job.facts());
    }

    @Test
    void shouldFindASplitThatStandsStillForFourWindowsOfTheOthers() {
        assertThat(found(job("window tumbling 1000 ms", 1_000))).singleElement().satisfies(finding -> {
            assertThat(finding.rule()).isEqualTo("idle-split");
            assertThat(finding.operator()).isEqualTo("times");
            assertThat(finding.task()).isEqualTo("in+times[0]");
            assertThat(finding.why()).contains("'still'", "none later than 1970-01-01T00:00:00.005Z");
            assertThat(finding.evidence()).extracting(figure -> figure.value()).containsExactly(4.0, 4.0, 1.0, 0.0);
        });
    }

    /** Its remedy has a price, for what comes to the split later. */
    @Test
    void shouldSayOnceWhatHoldsSeveralWindowsBack_andWhatMayBeLateThen() {
        MadeUpJob job = job("window tumbling 1000 ms", 1_000)
                .operator("more", "window", "window tumbling 500 ms", true)
                .chain(1, "more")
                .task(1_000, 0.1, 0.9, 0);

        assertThat(found(job)).singleElement().satisfies(finding -> {
            assertThat(finding.task()).isEqualTo("in+times[0]");
            assertThat(finding.remedy()).contains("idleAfter", "may be late");
        });
        MadeUpJob untold = untold("window tumbling 1000 ms");
        untold.behind = "times";
        untold.operator("more", "window", "window tumbling 500 ms", true)
                .chain(1, "more")
                .task(1_000, 0.1, 0.9, 0)
                .emits(0);
        assertThat(found(untold)).hasSize(1);
    }

    @Test
    void shouldNotFindItBeforeThat() {
        assertThat(found(job("window tumbling 1000 ms", 999))).isEmpty();
        assertThat(found(job("window tumbling 1001 ms", 1_000))).isEmpty();
    }

    @Test
    void shouldSayIfTheSplitHasHadNoRecord() {
        MadeUpJob job = new MadeUpJob()
                .operator("in", "source", "", false)
                .chain(1, "in")
                .task(1_000, 0.1, 0.9, 0)
                .splits(second -> List.of(at("silent", null), at("moves", 1_000L * second)))
                .operator("windows", "window", "window sliding 1000 ms every 500 ms", true)
                .chain(1, "windows")
                .task(1_000, 0.1, 0.9, 0);

        assertThat(found(job).get(0).why()).contains("'silent' of 'in' has had no record");
    }

    @Test
    void shouldNotFindItInAJobThatHasEnded() {
        MadeUpJob job = job("window tumbling 1000 ms", 1_000);
        job.state = JobState.FINISHED;

        assertThat(found(job)).isEmpty();
    }

    @Test
    void shouldNotFindItWithoutWindows() {
        assertThat(found(job("aggregate", 1_000))).isEmpty();
    }

    @Test
    void shouldNotBlameASourceThatDoesNotLeadToTheWindow() {
        MadeUpJob job = new MadeUpJob()
                .operator("in", "source", "", false)
                .chain(1, "in")
                .task(1_000, 0.1, 0.9, 0)
                .splits(second -> List.of(at("a", 1_000L * second)))
                .operator("windows", "window", "window tumbling 1000 ms", true)
                .chain(1, "windows")
                .task(1_000, 0.1, 0.9, 0)
                .operator("elsewhere", "source", "", false)
                .chain(1, "elsewhere")
                .task(1_000, 0.1, 0.9, 0)
                .splits(second -> List.of(at("still", 5L), at("moves", 1_000L * second)));

        assertThat(found(job)).isEmpty();
    }

    @Test
    void shouldFindATaskWithoutARecordWhereTheEngineDoesNotTellOfSplits() {
        assertThat(found(untold("window tumbling 2500 ms"))).singleElement().satisfies(finding -> {
            assertThat(finding.operator()).isEqualTo("times");
            assertThat(finding.task()).isEqualTo("in+times[0]");
            assertThat(finding.evidence())
                    .extracting(figure -> figure.value())
                    .containsExactly(1.0, 10_000.0, 0.0, 0.0);
        });
    }

    @Test
    void shouldFindItWhereWindowsAreFusedWithTheirSinkToo() {
        assertThat(found(untoldWith("sink"))).hasSize(1);
    }

    /** Windows may fire all the time, and the filter drops what they put out. */
    @Test
    void shouldNotTakeTheOutputOfAnOperatorBehindWindowsForTheirs() {
        assertThat(found(untoldWith("filter"))).isEmpty();
    }

    private static MadeUpJob untoldWith(String kind) {
        return new MadeUpJob()
                .operator("in", "source", "", false)
                .chain(2, "in")
                .task(0, 0, 1, 0)
                .task(1_000, 0.1, 0.9, 0)
                .operator("windows", "window", "window tumbling 1000 ms", true)
                .operator("behind", kind, "", false)
                .chain(1, "windows", "behind")
                .task(1_000, 0.1, 0.9, 0)
                .emits(0);
    }

    @Test
    void shouldNotBlameASilentTaskWhereTheEngineTellsOfSplits() {
        MadeUpJob job = new MadeUpJob()
                .operator("in", "source", "", false)
                .chain(2, "in")
                .task(0, 0, 1, 0)
                .splits(second -> List.of())
                .task(1_000, 0.1, 0.9, 0)
                .splits(second -> List.of(at("moves", 1_000L * second)))
                .operator("windows", "window", "window tumbling 1000 ms", true)
                .chain(1, "windows")
                .task(1_000, 0.1, 0.9, 0)
                .emits(0);

        assertThat(found(job)).isEmpty();
    }

    @Test
    void shouldNotBlameASilentTaskOfASourceThatDoesNotLeadToTheWindow() {
        MadeUpJob job = new MadeUpJob()
                .operator("in", "source", "", false)
                .chain(1, "in")
                .task(1_000, 0.1, 0.9, 0)
                .operator("windows", "window", "window tumbling 1000 ms", true)
                .chain(1, "windows")
                .task(1_000, 0.1, 0.9, 0)
                .emits(0)
                .operator("elsewhere", "source", "", false)
                .chain(2, "elsewhere")
                .task(0, 0, 1, 0)
                .task(1_000, 0.1, 0.9, 0);

        assertThat(found(job)).isEmpty();
    }

    @Test
    void shouldGiveWindowsFourTimesTheirLengthToFire() {
        assertThat(found(untold("window tumbling 2501 ms"))).isEmpty();
    }

    @Test
    void shouldNotBlameASilentTaskIfWindowsFire() {
        assertThat(found(untold("window tumbling 2500 ms").emits(1))).isEmpty();
    }

    @Test
    void shouldNotBlameATaskIfAllHaveRecords() {
        MadeUpJob job = job("window tumbling 2500 ms", 0).emits(0).splits(second -> null);

        assertThat(found(job)).isEmpty();
    }

    @Test
    void shouldFindTheStateOfWindowsThatASplitKeepsFromFiring() {
        assertThat(growing(job("window tumbling 1000 ms", 1_000)))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.operator()).isEqualTo("windows");
                    assertThat(finding.why()).contains("windows that do not fire");
                    assertThat(finding.evidence().get(3).value())
                            .as("minutes until the heap is full")
                            .isEqualTo(0.1);
                });
    }

    @Test
    void shouldNotTakeTheStateOfWindowsThatFireForGrowing() {
        assertThat(growing(job("window tumbling 1000 ms", 999))).isEmpty();
    }
}
