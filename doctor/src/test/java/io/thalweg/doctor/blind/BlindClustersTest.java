// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.blind;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.doctor.Diagnosis;
import io.thalweg.doctor.DiagnosisText;
import io.thalweg.doctor.Doctor;
import io.thalweg.doctor.ObservationFile;
import io.thalweg.doctor.finding.Finding;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Judges what was observed of the blind half of jobs of Flink, topologies of Storm and consumer groups, with the rules of today: in
 * their first run, or in the one that {@code docs/doctor.md} tells of.
 */
final class BlindClustersTest {
    private static final String ANY_OF = " \\| ";

    /**
     * A line of {@code clusters.tsv}.
     *
     * @param rules one of which must be that of the first finding; none if it is healthy
     * @param operators one of which must be a part of the name of what the first finding names; {@code -} stands for none
     */
    record Cluster(String engine, String name, List<String> rules, List<String> operators) {
        @Override
        public String toString() {
            return engine + " " + name;
        }
    }

    static List<Cluster> observed() throws IOException {
        List<String> unseen = BlindJob.lines("clusters-unseen.tsv");
        List<Cluster> all = new ArrayList<>();
        for (String line : BlindJob.lines("clusters.tsv")) {
            String[] fields = line.split("\t");
            if (!unseen.contains(fields[1])) {
                List<String> rules = fields[3].equals("-") ? List.of() : List.of(fields[3].split(ANY_OF));
                all.add(new Cluster(fields[0], fields[1], rules, List.of(fields[4].split(ANY_OF))));
            }
        }
        return all;
    }

    @ParameterizedTest
    @MethodSource("observed")
    void shouldJudgeAsDocumented(Cluster cluster) throws Exception {
        Diagnosis diagnosis = diagnosed(cluster.name());
        List<Finding> found = diagnosis.findings();
        String text = DiagnosisText.of(diagnosis);

        if (cluster.rules().isEmpty()) {
            assertThat(found).as(text).isEmpty();
        } else {
            boolean first =
                    !found.isEmpty() && cluster.rules().contains(found.get(0).rule());
            assertThat(first)
                    .as(text)
                    .isEqualTo(!BlindJob.lines("clusters-missed.tsv").contains(cluster.name()));
            if (first) {
                String operator = Objects.requireNonNullElse(found.get(0).operator(), "-");
                assertThat(cluster.operators()).as(text).anyMatch(operator::contains);
            }
        }
    }

    private static Diagnosis diagnosed(String name) throws IOException {
        try (InputStream recorded = BlindClustersTest.class.getResourceAsStream("/blind/recorded/" + name + ".json")) {
            return Doctor.diagnose(
                    ObservationFile.read(Objects.requireNonNull(recorded, name).readAllBytes()));
        }
    }
}
