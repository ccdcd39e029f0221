// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.blind;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.doctor.Diagnosis;
import io.thalweg.doctor.DiagnosisText;
import io.thalweg.doctor.Doctor;
import io.thalweg.doctor.ObservationFile;
import io.thalweg.doctor.finding.Finding;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Judges what was observed of the blind half in its first run, with the rules of today; of {@code Trades} in its second,
 * because the plan did not tell the sizes of queues before, and of {@code Meters}, {@code Turnstiles} and {@code Clicks} in a later
 * one, because event times of splits and samples of acks were not told before.
 */
final class BlindHalfTest {
    /** Hangs without memory, so nothing was recorded. */
    private static final String UNSEEN = "Recent";

    /** Of two faults only the worse one is named: fusing does not make a job faster that waits for its sink. */
    private static final Set<String> SECOND_MISSED = Set.of("Archive");

    static List<BlindJob> jobs() throws IOException {
        return BlindJob.all().stream().filter(job -> !job.name().equals(UNSEEN)).toList();
    }

    @ParameterizedTest
    @MethodSource("jobs")
    void shouldJudgeAsDocumented(BlindJob job) throws Exception {
        Diagnosis diagnosis = diagnosed(job);
        List<String> found = diagnosis.findings().stream().map(Finding::rule).toList();
        String text = DiagnosisText.of(diagnosis);

        if (job.rules().isEmpty()) {
            assertThat(found).as(text).isEmpty();
        } else {
            boolean first = !found.isEmpty() && job.rules().contains(found.get(0));
            assertThat(first).as(text).isEqualTo(!job.missed());
            if (first) {
                assertThat(job.operators())
                        .as(text)
                        .contains(Objects.requireNonNullElse(
                                diagnosis.findings().get(0).operator(), "-"));
            }
        }
        if (!job.second().isEmpty() && !job.missed()) {
            assertThat(found.contains(job.second())).as(text).isEqualTo(!SECOND_MISSED.contains(job.name()));
        }
    }

    private static Diagnosis diagnosed(BlindJob job) throws IOException {
        try (InputStream recorded =
                BlindHalfTest.class.getResourceAsStream("/blind/recorded/" + job.name() + ".json")) {
            return Doctor.diagnose(ObservationFile.read(
                    Objects.requireNonNull(recorded, job.name()).readAllBytes()));
        }
    }
}
