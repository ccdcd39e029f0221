// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.corpus;

import io.thalweg.doctor.Doctor;
import io.thalweg.doctor.ObservationFile;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Judges what {@link RealCorpusTest} has observed, as it was recorded. */
final class CorpusTest {
    static List<PlantedJob> jobs() {
        return PlantedJob.all();
    }

    @ParameterizedTest
    @MethodSource("jobs")
    void shouldNameThePlantedFaultFirst(PlantedJob job) throws Exception {
        try (InputStream recorded = CorpusTest.class.getResourceAsStream(job.name() + ".json")) {
            byte[] text = Objects.requireNonNull(recorded, job.name()).readAllBytes();

            Judged.check(job.faults(), Doctor.diagnose(ObservationFile.read(text)));
        }
    }
}
