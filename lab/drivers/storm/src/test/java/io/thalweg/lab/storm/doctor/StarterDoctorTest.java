// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.storm.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.stats.PlanInfo;
import io.thalweg.doctor.Diagnosis;
import io.thalweg.doctor.DiagnosisText;
import io.thalweg.doctor.Doctor;
import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.observation.Observation;
import io.thalweg.doctor.observation.Span;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A topology of storm-starter, from its jar; {@code -Preal}. */
@Tag("long")
@Timeout(900)
final class StarterDoctorTest {
    private static final String VERSION = "1.2.2"; // the newest in Maven's repository

    /** Workers tell what they counted once a minute. */
    private static final int SECONDS = 130;

    @TempDir
    private Path folder;

    private Path jar() throws IOException, InterruptedException {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.exists(root.resolve("mvnw"))) {
            root = root.getParent();
        }
        Path said = folder.resolve("maven.txt");
        Process maven = new ProcessBuilder(
                        root.resolve("mvnw").toString(),
                        "-B",
                        "-q",
                        "org.apache.maven.plugins:maven-dependency-plugin:3.11.0:copy",
                        "-Dartifact=org.apache.storm:storm-starter:" + VERSION,
                        "-DoutputDirectory=" + folder)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            assertThat(maven.waitFor(300, TimeUnit.SECONDS)).isTrue();
        } finally {
            maven.destroyForcibly();
        }
        assertThat(maven.exitValue()).as(Files.readString(said)).isZero();
        return folder.resolve("storm-starter-" + VERSION + ".jar");
    }

    /** Five spouts that emit ten words a second each: its bolts have nothing to do but to wait. */
    @Test
    void shouldTellWhatLimitsTheTopWords() throws Exception {
        Path jar = jar();
        try (NativeStorm storm = NativeStorm.start(folder)) {
            storm.submit(jar, "org.apache.storm.starter.RollingTopWords", "top-words", "remote");
            Observation observed = storm.watch("top-words", true, SECONDS);

            assertThat(observed.plan().operators())
                    .extracting(PlanInfo.Operator::name)
                    .containsExactlyInAnyOrder("wordGenerator", "counter", "intermediateRanker", "finalRanker");
            assertThat(observed.spans().stream().mapToLong(Span::recordsIn).sum())
                    .isPositive();
            Diagnosis diagnosis = Doctor.diagnose(observed);
            assertThat(diagnosis.bound().kind()).isEqualTo("source");
            assertThat(DiagnosisText.of(diagnosis))
                    .startsWith("Doctor: top-words\n  bound by its spouts, or what they read: bolts wait for tuples");
            assertThat(diagnosis.findings())
                    .as("a busy machine may start executors late or lose workers, and nothing else")
                    .extracting(Finding::rule)
                    .isSubsetOf("not-running", "restarts");
        }
    }
}
