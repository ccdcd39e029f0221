// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.doctor.Diagnosis;
import io.thalweg.doctor.Doctor;
import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.finding.Gain;
import io.thalweg.doctor.finding.WhatIf;
import io.thalweg.doctor.whatif.Changes;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A source that waits for what is there. */
final class SlowSourceRuleTest {
    private static MadeUpJob job() {
        MadeUpJob job = new MadeUpJob();
        job.usedCores = 0.5;
        job.operator("orders", "source", "source topic orders", false).chain(1, "orders");
        return job;
    }

    private static List<String> rules(MadeUpJob job) {
        return Doctor.diagnose(job.observation()).findings().stream()
                .map(Finding::rule)
                .toList();
    }

    @Test
    void shouldAskForMoreSplitsWhereRecordsAreThereAndComeSlowly() {
        MadeUpJob job = job().task(100_000, 0.05, 0.95, 0).unread(second -> 1_000_000L);

        Diagnosis diagnosis = Doctor.diagnose(job.observation(), Changes.parse("orders=2"));

        assertThat(diagnosis.bound().text()).startsWith("what 'orders' reads from");
        assertThat(diagnosis.findings()).singleElement().satisfies(finding -> {
            assertThat(finding.rule()).isEqualTo("slow-source");
            assertThat(finding.operator()).isEqualTo("orders");
            assertThat(finding.remedy()).contains("2 splits");
            assertThat(finding.predictedGain()).isEqualTo(Gain.throughput(2));
        });
        WhatIf whatIf = diagnosis.whatIf();
        assertThat(whatIf).isNotNull();
        assertThat(whatIf.throughput()).isEqualTo(100_000);
        assertThat(whatIf.predictedThroughput().middle()).isEqualTo(200_000);
    }

    /** The thread that asks is no task, and needs a core. */
    @Test
    void shouldCountWhatItTakesToAsk() {
        MadeUpJob job = job().task(100_000, 0.05, 0.95, 0).unread(second -> 1_000_000L);
        job.usedCores = 1.25;

        WhatIf whatIf =
                Doctor.diagnose(job.observation(), Changes.parse("orders=2")).whatIf();

        assertThat(whatIf).isNotNull();
        assertThat(whatIf.predictedThroughput().middle()).isEqualTo(100_000 * 2 / 1.25);
        assertThat(whatIf.limitedBy()).isEqualTo("2 cores");
    }

    @Test
    void shouldPromiseNoMoreThanThereAreCores() {
        MadeUpJob job = job().task(100_000, 0.05, 0.95, 0).unread(second -> 1_000_000L);
        job.machineLoad = 0.8;

        assertThat(Doctor.diagnose(job.observation()).findings())
                .singleElement()
                .extracting(Finding::predictedGain)
                .isEqualTo(Gain.throughput(1 / 0.8));
    }

    @Test
    void shouldAdviseNothingWhereNoMoreIsThere() {
        assertThat(rules(job().task(100_000, 0.05, 0.95, 0).unread(second -> 50_000L)))
                .as("less than it reads in a second")
                .isEmpty();
        assertThat(rules(job().task(100_000, 0.05, 0.95, 0))).as("nobody knows").isEmpty();
    }

    /** Input that ends is read to its end in the last seconds. */
    @Test
    void shouldFindItWhereTheInputEnds() {
        assertThat(rules(job().task(100_000, 0.05, 0.95, 0).unread(second -> second < 7 ? 1_000_000L : 0L)))
                .containsExactly("slow-source");
        assertThat(rules(job().task(100_000, 0.05, 0.95, 0).unread(second -> second < 4 ? 1_000_000L : 0L)))
                .isEmpty();
    }

    @Test
    void shouldBlameASlowOperatorAndNotItsSource() {
        MadeUpJob job = job().task(100_000, 0.05, 0.95, 0).unread(second -> 1_000_000L);
        job.operator("slow", "map", "map", false).chain(1, "slow").task(100_000, 1, 0, 0);

        assertThat(rules(job)).doesNotContain("slow-source");
    }
}
