// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.doctor.Diagnosis;
import io.thalweg.doctor.DiagnosisText;
import io.thalweg.doctor.Doctor;
import io.thalweg.doctor.ObservationFile;
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
        "little-of-a-partition, small-fetches",
        "one-at-a-time, small-fetches",
        "never-enough, small-fetches",
        "small-batches, producer-batches",
        "gzip, compression",
        "quota-uncompressed, compression",
        "quota, quota",
        "slow-broker, slow-broker",
        "healthy-through,",
        "healthy-full,"
    })
    void shouldNameThePlantedFaultFirst(String job, String fault) throws Exception {
        Diagnosis diagnosis;
        try (InputStream recorded = KafkaCorpusTest.class.getResourceAsStream(job + ".json")) {
            diagnosis = Doctor.diagnose(
                    ObservationFile.read(Objects.requireNonNull(recorded, job).readAllBytes()));
        }

        List<String> found = diagnosis.findings().stream().map(Finding::rule).toList();
        String text = DiagnosisText.of(diagnosis);
        if (fault == null) {
            assertThat(found).as(text).isEmpty();
        } else {
            assertThat(found).as(text).isNotEmpty().first().isEqualTo(fault);
            assertThat(found).as(text).doesNotContain("slow-source", "slow-sink");
        }
    }
}
