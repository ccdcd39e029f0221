// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.doctor.Doctor;
import io.thalweg.doctor.ObservationFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs the corpus, each job for six seconds in a JVM of its own. {@code -Dthalweg.record=FOLDER} keeps the observations
 * there, {@code -Dthalweg.corpus=NAME,NAME} runs some of them. It measures, so it needs a quiet machine: {@code -Pcorpus}, which no other
 * step includes.
 */
@Tag("corpus")
final class RealCorpusTest {
    static List<PlantedJob> jobs() {
        List<String> only = List.of(System.getProperty("thalweg.corpus", "").split(","));
        return PlantedJob.all().stream()
                .filter(job -> only.equals(List.of("")) || only.contains(job.name()))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("jobs")
    void shouldNameThePlantedFaultFirst(PlantedJob job, @TempDir Path folder) throws Exception {
        Path file = folder.resolve("observed.json");
        String classes = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        int exit = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx1g",
                        "-cp",
                        classes,
                        PlantedRun.class.getName(),
                        job.name(),
                        file.toString(),
                        Files.createDirectory(folder.resolve("checkpoints")).toString())
                .inheritIO()
                .start()
                .waitFor();
        assertThat(exit).isZero();
        String to = System.getProperty("thalweg.record");
        if (to != null) {
            Files.copy(file, Path.of(to, job.name() + ".json"), StandardCopyOption.REPLACE_EXISTING);
        }

        Judged.check(job.faults(), Doctor.diagnose(ObservationFile.read(Files.readAllBytes(file))));
    }
}
