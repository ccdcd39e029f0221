// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.cli.Cli.Outcome;
import io.thalweg.doctor.Doctor;
import io.thalweg.doctor.ObservationFile;
import io.thalweg.doctor.finding.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs the blind half of the doctor's corpus as a user does, each job for ten seconds. It measures, so it needs a quiet
 * machine: {@code -Pcorpus}. {@code -Dthalweg.corpus=NAME,NAME} runs some of them.
 */
@Tag("corpus")
final class BlindHalfTest {
    private static final Path JOBS =
            Path.of("../doctor/src/test/resources/blind").toAbsolutePath().normalize();

    @TempDir
    Path folder;

    /** The lines of {@code blind.tsv} whose faults are not among those that the rules are known to miss. */
    static List<String> jobs() throws IOException {
        List<String> only = List.of(System.getProperty("thalweg.corpus", "").split(","));
        List<String> missed = lines("missed.tsv");
        return lines("blind.tsv").stream()
                .filter(line -> !missed.contains(name(line)))
                .filter(line -> only.equals(List.of("")) || only.contains(name(line)))
                .toList();
    }

    private static List<String> lines(String file) throws IOException {
        return Files.readAllLines(JOBS.resolve(file)).stream()
                .filter(line -> !line.startsWith("#"))
                .toList();
    }

    private static String name(String line) {
        return line.split("\t")[0];
    }

    @ParameterizedTest
    @MethodSource("jobs")
    void shouldNameThePlantedFaultFirst(String line) throws Exception {
        String[] fields = line.split("\t");
        Map<String, String> rules = new HashMap<>();
        lines("rules.tsv").forEach(rule -> rules.put(rule.split("\t")[0], rule.split("\t")[1]));
        Cli cli = new Cli(folder);
        if (!fields[4].equals("-")) {
            cli.withJava(fields[4]);
        }
        List<String> command = new ArrayList<>(
                List.of("doctor", JOBS.resolve(fields[0] + ".java").toString(), "--for", "10s"));
        command.addAll(List.of("--json", "found.json"));
        if (!fields[5].equals("-")) {
            String options = fields[5].replace("$DIR", folder.toString()).replace("Trades.yaml", JOBS + "/Trades.yaml");
            command.addAll(List.of(options.split(" ")));
        }

        Outcome run = cli.run(command.toArray(String[]::new));

        List<String> found =
                Doctor.diagnose(ObservationFile.read(Files.readAllBytes(folder.resolve("found.json"))))
                        .findings()
                        .stream()
                        .map(Finding::rule)
                        .toList();
        if (fields[1].equals("-")) {
            assertThat(found).as(run.out()).isEmpty();
        } else {
            assertThat(found).as(run.out()).isNotEmpty();
            assertThat(Arrays.stream(fields[1].split(" \\| "))
                            .map(kind -> Objects.requireNonNull(rules.get(kind), kind)))
                    .as(run.out())
                    .contains(found.get(0));
        }
    }
}
