// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.storm;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.doctor.Diagnosis;
import io.thalweg.doctor.DiagnosisText;
import io.thalweg.doctor.Doctor;
import io.thalweg.doctor.ObservationFile;
import io.thalweg.doctor.corpus.Judged;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Judges what was observed of topologies of Storm's own API, as it was recorded from a real cluster. */
final class StormCorpusTest {
    @ParameterizedTest
    @CsvSource({
        "slow-bolt, parallelism @ score",
        "skewed-keys, skewed-keys @ count",
        "slow-executor, slow-task @ enrich",
        "timeouts, timeouts & parallelism @ score",
        "unbounded-pending, unbounded-pending & parallelism @ score",
        "small-pending, max-pending",
        "failing, failed-tuples @ store",
        "unacked, unacked-tuples @ store",
        "reporting, errors @ store",
        "dying, restarts",
        "no-room, not-running",
        "many-ackers, needless-ackers",
        "two-workers, several-workers & java-serialization",
        "shuffled-away, several-workers & remote-shuffle",
        "one-by-one, small-batches",
        "large-batches, large-batches",
        "logging, debug",
        "serializing, always-serialized",
        "healthy-paced,",
        "healthy-acked,",
        "healthy-two-workers,",
        "healthy-windows,"
    })
    void shouldNameThePlantedFaultsFirst(String topology, String faults) throws Exception {
        Diagnosis diagnosis = diagnosis(topology);

        Judged.check(faults == null ? List.of() : List.of(faults.split(" & ")), diagnosis);
        assertThat(DiagnosisText.of(diagnosis))
                .doesNotContain("--parallelism", "--max-pending", "--tries", ".parallelism(", "cores used");
    }

    /** Of topologies that ran in Thalweg: a bolt that waits 4 ms for each tuple; three bolts one after the other, with one tuple pending. */
    @ParameterizedTest
    @CsvSource({"here-slow-bolt, parallelism @ slow", "here-small-pending, max-pending", "here-healthy,"})
    void shouldSayWhatCanBeChanged_whereATopologyRunsInThalweg(String topology, String fault) throws Exception {
        Diagnosis diagnosis = diagnosis(topology);

        Judged.check(fault == null ? List.of() : List.of(fault), diagnosis);
        assertThat(DiagnosisText.of(diagnosis))
                .contains("cores used")
                .doesNotContain("--parallelism", "--max-pending", ".parallelism(", "rebalance", "worker");
    }

    private static Diagnosis diagnosis(String topology) throws IOException {
        try (InputStream recorded = StormCorpusTest.class.getResourceAsStream(topology + ".json")) {
            return Doctor.diagnose(ObservationFile.read(
                    Objects.requireNonNull(recorded, topology).readAllBytes()));
        }
    }
}
