// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.doctor.Diagnosis;
import io.thalweg.doctor.DiagnosisText;
import io.thalweg.doctor.Doctor;
import io.thalweg.doctor.ObservationFile;
import io.thalweg.doctor.corpus.Judged;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Judges what was observed of jobs of Flink's own API, as it was recorded from a real cluster. */
final class FlinkCorpusTest {
    @ParameterizedTest
    @CsvSource({
        "slow-operator, parallelism @ score -> out: Writer",
        "skewed-keys, skewed-keys @ count -> out: Writer",
        "slow-sink, slow-sink @ store: Writer",
        "slow-task, slow-task @ enrich -> out: Writer",
        "restarts, restarts",
        "failing-checkpoints, failed-checkpoints",
        "copied-records, object-reuse",
        "generic-records, generic-serialization",
        "broken-chain, broken-chaining",
        "flushed-records, buffer-timeout",
        "healthy-paced,",
        "healthy-windows,",
        "healthy-full,"
    })
    void shouldNameThePlantedFaultFirst(String job, String fault) throws Exception {
        Diagnosis diagnosis;
        try (InputStream recorded = FlinkCorpusTest.class.getResourceAsStream(job + ".json")) {
            diagnosis = Doctor.diagnose(
                    ObservationFile.read(Objects.requireNonNull(recorded, job).readAllBytes()));
        }

        Judged.check(fault == null ? List.of() : List.of(fault), diagnosis);
        assertThat(DiagnosisText.of(diagnosis))
                .doesNotContain("--parallelism", "--checkpoint-interval", "--tries", ".parallelism(");
    }
}
