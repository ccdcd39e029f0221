// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.doctor.Doctor;
import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.whatif.Changes;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A fifth of the samples is in handing records over, on a machine that others keep busy. */
final class SmallQueuesRuleTest {
    private static MadeUpJob job(double waiting) {
        MadeUpJob job = new MadeUpJob()
                .operator("in", "source", "", false)
                .chain(1, "in")
                .task(1_000, 0.3, waiting, 0)
                .operator("map", "map", "", false)
                .chain(1, "map")
                .task(1_000, 0.3, 0.7, 0)
                .copies("in", 80, 20, 0)
                .copies("map", 80, 20, 0);
        job.machineLoad = 0.95;
        return job;
    }

    private static List<Finding> found(MadeUpJob job) {
        return new SmallQueuesRule().findings(job.facts());
    }

    @Test
    void shouldFindBatchesThatAreSmallerThanTheDefault() {
        assertThat(found(job(0.1).option("batch", "16 records")))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.rule()).isEqualTo("small-queues");
                    assertThat(finding.evidence().get(0).value()).isEqualTo(16);
                });
        assertThat(found(job(0.1).option("batch", "512 records"))).isEmpty();
        assertThat(found(job(0.1))).as("the plan says what is not the default").isEmpty();
    }

    /** What it does not say is the default. */
    @Test
    void shouldBelieveWhatThePlanSaysOfQueues() {
        assertThat(notes(job(0.1), "queue=64")).contains("is taken to have run with the default");
        assertThat(notes(job(0.1).option("queue", "4 batches"), "queue=64")).doesNotContain("default");
        assertThat(notes(job(0.1).option("queue", "4 batches"), "batch=64")).contains("default");
    }

    private static String notes(MadeUpJob job, String changes) {
        return String.valueOf(
                Doctor.diagnose(job.observation(), Changes.parse(changes)).whatIf());
    }

    @Test
    void shouldPromiseNothingToAJobThatKeepsUp() {
        assertThat(found(job(0.7).option("batch", "16 records"))).isEmpty();
    }
}
