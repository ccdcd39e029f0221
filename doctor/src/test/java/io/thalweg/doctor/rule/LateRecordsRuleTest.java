// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.doctor.ObservationFile;
import io.thalweg.doctor.finding.Figure;
import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.observation.Lateness;
import io.thalweg.doctor.observation.Observation;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class LateRecordsRuleTest {
    private static Finding found(@Nullable List<Lateness> lateness) throws Exception {
        try (InputStream in =
                LateRecordsRuleTest.class.getResourceAsStream("/io/thalweg/doctor/corpus/late-records.json")) {
            Observation seen = ObservationFile.read(Objects.requireNonNull(in).readAllBytes());
            Observation with = new Observation(
                    seen.version(),
                    seen.state(),
                    seen.plan(),
                    seen.spans(),
                    seen.operators(),
                    seen.edges(),
                    seen.checkpoints(),
                    seen.acks(),
                    seen.latency(),
                    seen.restarts(),
                    seen.failure(),
                    seen.failedCheckpoints(),
                    seen.group(),
                    seen.storm(),
                    seen.flink(),
                    lateness);
            List<Finding> all = new LateRecordsRule().findings(new Facts(with));
            assertThat(all).hasSize(1);
            return all.get(0);
        }
    }

    @Test
    void shouldAdviseTheBoundThatWouldHaveAdmittedNearlyAll() throws Exception {
        Finding finding = found(List.of(new Lateness("window", 2_000, 640, 5_120, 32_768)));

        assertThat(finding.operator()).isEqualTo("window");
        assertThat(finding.evidence())
                .contains(
                        new Figure("half of them late by at most", 640, "ms"),
                        new Figure("99 % of them by at most", 5_120, "ms"),
                        new Figure("all of them by at most", 32_768, "ms"));
        assertThat(finding.remedy())
                .startsWith("allow 5120 ms more disorder in eventTime(…), which admits 99 % of them");
        assertThat(finding.refutedBy()).isEqualTo("with 5120 ms more, more than 2 % of as many records are still late");
    }

    @Test
    void shouldRoundLongTimesUp() throws Exception {
        assertThat(found(List.of(new Lateness("window", 2_000, 640, 32_001, 32_768)))
                        .remedy())
                .startsWith("allow 33 s more disorder");
    }

    @Test
    void shouldSayNoTimeWhereNobodyTellsIt() throws Exception {
        for (List<Lateness> unknown :
                Arrays.<@Nullable List<Lateness>>asList(null, List.of(new Lateness("window", 9, 0, 0, 0)))) {
            Finding finding = found(unknown);
            assertThat(finding.remedy()).startsWith("allow more disorder in eventTime(…)");
            assertThat(finding.refutedBy()).isEqualTo("as many are late with a bound of twice the size");
        }
    }
}
