// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.doctor.Diagnosis;
import io.thalweg.doctor.DiagnosisText;
import io.thalweg.doctor.Doctor;
import io.thalweg.doctor.ObservationFile;
import io.thalweg.doctor.corpus.Judged;
import io.thalweg.doctor.finding.Finding;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Judges what was observed of jobs that read and write a real broker, as it was recorded. */
final class KafkaCorpusTest {
    @ParameterizedTest
    @CsvSource({
        "little-of-a-partition, small-fetches @ source",
        "one-at-a-time, small-fetches @ source",
        "never-enough, small-fetches @ source",
        "small-batches, producer-batches @ sink",
        "gzip, compression @ sink",
        "quota-uncompressed, compression @ sink",
        "quota, quota @ sink",
        "slow-broker, slow-broker @ sink",
        "healthy-through,",
        "healthy-full,"
    })
    void shouldNameThePlantedFaultFirst(String job, String fault) throws Exception {
        Diagnosis diagnosis;
        try (InputStream recorded = KafkaCorpusTest.class.getResourceAsStream(job + ".json")) {
            diagnosis = Doctor.diagnose(
                    ObservationFile.read(Objects.requireNonNull(recorded, job).readAllBytes()));
        }

        Judged.check(fault == null ? List.of() : List.of(fault), diagnosis);
        assertThat(diagnosis.findings())
                .as(DiagnosisText.of(diagnosis))
                .extracting(Finding::rule)
                .doesNotContain("slow-source", "slow-sink");
    }
}
