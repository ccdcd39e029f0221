// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.storm.doctor;

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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs topologies of Storm with planted faults on a cluster of this machine, and watches each for half a minute.
 * {@code -Dthalweg.record=FOLDER} keeps the observations there, {@code -Dthalweg.only=NAME} runs one.
 */
@Tag("corpus")
@Timeout(900)
final class RealStormDoctorTest {
    @TempDir
    private static Path folder;

    private static NativeStorm storm;

    @BeforeAll
    static void start() throws Exception {
        storm = NativeStorm.start(folder);
    }

    @AfterAll
    static void stop() throws Exception {
        storm.close();
    }

    static List<NativeTopology> topologies() {
        String only = System.getProperty("thalweg.only", "");
        return Stream.concat(NativeTopology.all().stream(), BlindTopologies.all().stream())
                .filter(each -> only.isEmpty() || List.of(only.split(",")).contains(each.name()))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("topologies")
    void shouldNameThePlantedFaultFirst(NativeTopology topology) throws Exception {
        storm.submit(topology);
        Observation observed;
        try {
            observed = storm.watch(topology);
        } finally {
            storm.kill(topology.name());
        }
        String to = System.getProperty("thalweg.record");
        if (to != null) {
            Files.writeString(Path.of(to, topology.name() + ".json"), RecordJson.line(observed) + "\n");
        }

        Diagnosis diagnosis = Doctor.diagnose(observed);

        String text = DiagnosisText.of(diagnosis);
        System.out.println(text);
        List<String> found = diagnosis.findings().stream().map(Finding::rule).toList();
        if (topology.faults().isEmpty()) {
            assertThat(found).as(text).isEmpty();
        } else {
            assertThat(found).as(text).isNotEmpty().containsAll(topology.faults());
            assertThat(topology.faults()).as(text).contains(found.get(0));
        }
    }
}
