// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.doctor.Doctor;
import io.thalweg.doctor.finding.Finding;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tasks of Flink that have no slot, or whose event time stands still. */
final class FlinkTasksRuleTest {
    private static final String SUMS = "sums -> out: Writer";

    private static List<Finding> found(MadeUpFlink job) {
        return Rules.findings(job.facts());
    }

    private static MadeUpFlink waiting(long tasks) {
        MadeUpFlink job = new MadeUpFlink().vertex("Source: in", 12, 0, 0, 0);
        job.waitingForSlots = tasks;
        job.slots = 8;
        return job;
    }

    @Test
    void shouldSayThatTheJobWaitsForSlots() {
        MadeUpFlink job = waiting(12);

        assertThat(found(job)).singleElement().satisfies(finding -> {
            assertThat(finding.rule()).isEqualTo("not-running");
            assertThat(finding.evidence())
                    .extracting(figure -> figure.name() + " " + figure.value())
                    .containsExactly(
                            "tasks without a slot 12.0",
                            "slots that the job needs, at least 12.0",
                            "slots of the cluster 8.0");
        });
        assertThat(Doctor.diagnose(job.observation()).bound().text()).startsWith("the slots of its cluster");
    }

    @Test
    void shouldLeaveAJobToItsFailuresThatIsRestarted() {
        MadeUpFlink job = waiting(12);
        job.restarts = 1;

        assertThat(found(job)).extracting(Finding::rule).doesNotContain("not-running");
    }

    /** Two sources, of which one has no record. */
    private static MadeUpFlink twoSources(long records) {
        return new MadeUpFlink()
                .vertex("Source: in", 1, 1_000, 0.1, 0)
                .vertex("Source: by hand", 1, records, 0, 0)
                .vertex(SUMS, 2, 500, 0.1, 0)
                .edge("Source: in", SUMS, "by key")
                .edge("Source: by hand", SUMS, "by key");
    }

    @Test
    void shouldFindTheSourceThatHoldsEventTimeBack() {
        assertThat(found(twoSources(0).watermark(SUMS, 7_000L, 0.9)))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.rule()).isEqualTo("idle-split");
                    assertThat(finding.operator()).isEqualTo("Source: by hand");
                    assertThat(finding.task()).isEqualTo("Source: by hand[0]");
                    assertThat(finding.why()).contains("1970-01-01T00:00:07Z");
                    assertThat(finding.remedy()).contains(".withIdleness(");
                });
    }

    @Test
    void shouldNotFindWhatMoves_orIsIdleAndDoesNotCount_orHasNoEventTime() {
        assertThat(found(twoSources(0).watermark(SUMS, 7_000L, 0.4))).isEmpty();
        assertThat(found(twoSources(0).watermark(SUMS, 7_000L, 0.2))).isEmpty();
        assertThat(found(twoSources(0).watermark(SUMS, null, null))).isEmpty();
        assertThat(found(twoSources(10).watermark(SUMS, 7_000L, 0.9)))
                .as("both have records: it stands still for something else")
                .isEmpty();
        assertThat(found(twoSources(0).watermark(SUMS, Long.MAX_VALUE, 0.9)))
                .as("its input has ended")
                .isEmpty();
    }

    @Test
    void shouldNotFindAJobThatHasNothingToRead() {
        MadeUpFlink silent = new MadeUpFlink()
                .vertex("Source: in", 1, 0, 0, 0)
                .vertex(SUMS, 1, 0, 0, 0)
                .edge("Source: in", SUMS, "by key")
                .watermark(SUMS, 7_000L, 1.0);

        assertThat(found(silent)).isEmpty();
    }
}
