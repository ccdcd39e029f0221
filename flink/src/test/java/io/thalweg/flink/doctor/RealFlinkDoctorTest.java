// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.doctor.Diagnosis;
import io.thalweg.doctor.DiagnosisText;
import io.thalweg.doctor.Doctor;
import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.observation.Observation;
import io.thalweg.doctor.observation.RecordJson;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs jobs of Flink with planted faults, and watches each for eight seconds. {@code -Dthalweg.record=FOLDER} keeps the
 * observations there, {@code -Dthalweg.only=NAME,NAME} runs some.
 */
@Tag("corpus")
final class RealFlinkDoctorTest {
    private static final int LOOKS = 8;

    private static NativeFlink flink;

    @BeforeAll
    static void start() throws Exception {
        flink = NativeFlink.start();
    }

    @AfterAll
    static void stop() {
        flink.close();
    }

    static List<NativeJob> jobs() {
        List<String> only = List.of(System.getProperty("thalweg.only", "").split(","));
        return Stream.concat(NativeJob.all().stream(), BlindJobs.all().stream())
                .filter(job -> only.equals(List.of("")) || only.contains(job.name()))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("jobs")
    void shouldNameThePlantedFaultFirst(NativeJob job) throws Exception {
        var id = flink.submit(job.graph());
        Observation observed;
        try {
            observed = Watched.of(flink, job.name(), LOOKS, !job.faults().contains("not-running"));
        } finally {
            flink.cancel(id);
        }
        String to = System.getProperty("thalweg.record");
        if (to != null) {
            Files.writeString(Path.of(to, job.name() + ".json"), RecordJson.line(observed) + "\n");
        }

        Diagnosis diagnosis = Doctor.diagnose(observed);

        String text = DiagnosisText.of(diagnosis);
        System.out.println(text);
        List<String> found = diagnosis.findings().stream().map(Finding::rule).toList();
        if (job.faults().isEmpty()) {
            assertThat(found).as(text).isEmpty();
        } else {
            assertThat(found).as(text).isNotEmpty();
            assertThat(job.faults()).as(text).contains(found.get(0));
        }
    }
}
