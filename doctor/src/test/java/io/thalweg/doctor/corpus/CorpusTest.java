// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.doctor.Diagnosis;
import io.thalweg.doctor.DiagnosisText;
import io.thalweg.doctor.Doctor;
import io.thalweg.doctor.ObservationFile;
import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.observation.Observation;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Judges what {@link RealCorpusTest} has observed, and {@code RealPythonDoctorTest} in the module python, as it was recorded. */
final class CorpusTest {
    private static final List<PlantedJob> IN_PYTHON = List.of(
            inPython("python-serialization", List.of("python @ score")),
            inPython("python-waits", List.of("python @ score")),
            inPython("python-computes", List.of("python @ score")),
            inPython("healthy-python", List.of()));

    private static PlantedJob inPython(String name, List<String> faults) {
        return PlantedJob.of(name, faults, () -> {
            throw new UnsupportedOperationException("it is not run here");
        });
    }

    static List<PlantedJob> jobs() {
        return Stream.concat(PlantedJob.all().stream(), IN_PYTHON.stream()).toList();
    }

    /** As the page of a running job has them: no samples within tasks. */
    private static Observation withoutProfile(Observation all) {
        return new Observation(
                all.version(),
                all.state(),
                all.plan(),
                all.spans(),
                List.of(),
                all.edges(),
                all.checkpoints(),
                all.acks(),
                all.latency(),
                all.restarts(),
                all.failure(),
                all.failedCheckpoints(),
                all.group(),
                all.storm(),
                all.flink(),
                all.lateness());
    }

    private static Observation recorded(PlantedJob job) throws IOException {
        try (InputStream recorded = CorpusTest.class.getResourceAsStream(job.name() + ".json")) {
            return ObservationFile.read(
                    Objects.requireNonNull(recorded, job.name()).readAllBytes());
        }
    }

    @ParameterizedTest
    @MethodSource("jobs")
    void shouldNameThePlantedFaultFirst(PlantedJob job) throws Exception {
        Judged.check(job.faults(), Doctor.diagnose(recorded(job)));
    }

    /** Of the same rule, the two have opposite remedies. */
    @Test
    void shouldTellOneHotKeyFromKeysThatFellTogether() throws Exception {
        Finding hot = first("hot-key");
        Finding together = first("keys-together");

        assertThat(hot.why()).startsWith("one key of 'score'");
        assertThat(hot.remedy()).contains(".partialKeyBy(key)");
        assertThat(together.why()).startsWith("keys of 'score' that have most of the records fell to one task");
        assertThat(together.remedy()).contains("give 'score' .parallelism(");
    }

    private static Finding first(String job) throws IOException {
        return Doctor.diagnose(recorded(PlantedJob.named(job))).findings().get(0);
    }

    @ParameterizedTest
    @MethodSource("jobs")
    void shouldInventNothingWithoutAProfile(PlantedJob job) throws Exception {
        Observation observation = recorded(job);
        List<String> known = Doctor.diagnose(observation).findings().stream()
                .map(Finding::rule)
                .toList();

        Diagnosis diagnosis = Doctor.diagnose(withoutProfile(observation));

        assertThat(diagnosis.findings().stream().map(Finding::rule).toList())
                .as(DiagnosisText.of(diagnosis))
                .isSubsetOf(known);
        assertThat(diagnosis.bound().text()).doesNotContain(" 0 % in your");
    }
}
