// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.finding.Gain;
import io.thalweg.doctor.finding.WhatIf;
import io.thalweg.doctor.observation.Observation;
import io.thalweg.doctor.whatif.Changes;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Predictions for jobs that were observed. */
final class WhatIfTest {
    private static Observation recorded(String name) throws Exception {
        try (InputStream in = WhatIfTest.class.getResourceAsStream(name + ".json")) {
            return ObservationFile.read(Objects.requireNonNull(in, name).readAllBytes());
        }
    }

    private static WhatIf whatIf(String name, String changes) throws Exception {
        return Objects.requireNonNull(
                Doctor.diagnose(recorded(name), Changes.parse(changes)).whatIf());
    }

    private static double factor(WhatIf whatIf) {
        return whatIf.predictedThroughput().middle() / whatIf.throughput();
    }

    @ParameterizedTest
    @CsvSource({
        "corpus/slow-operator, parallelism, score=2",
        "corpus/many-threads, threads, threads=2",
        "corpus/isolated, unfused-edge, fuse=on",
        "flink/slow-operator, parallelism, score=8"
    })
    void shouldAgreeWithTheGainThatARulePredicts(String name, String rule, String changes) throws Exception {
        Finding finding = Doctor.diagnose(recorded(name)).findings().stream()
                .filter(each -> each.rule().equals(rule))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no finding " + rule));
        Gain gain = Objects.requireNonNull(finding.predictedGain());

        assertThat(factor(whatIf(name, changes)))
                .as(finding.remedy() + " " + gain)
                .isBetween(gain.low(), gain.high());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "corpus/healthy-decimals",
                "corpus/healthy-paced",
                "corpus/skewed-keys",
                "corpus/blocking-call",
                "corpus/max-pending",
                "corpus/needless-shuffle",
                "corpus/many-threads",
                "corpus/slow-sink",
                "flink/slow-operator"
            })
    void shouldPredictWhatWasObservedIfNothingChanges(String name) throws Exception {
        Observation observation = recorded(name);
        int cores = observation.spans().get(0).processes().stream()
                .mapToInt(process -> process.cores())
                .sum();

        WhatIf same = whatIf(name, "cores=" + cores);

        assertThat(factor(same)).isBetween(0.99, 1.01);
        assertThat(same.predictedThroughput().low()).isLessThanOrEqualTo(same.throughput());
        assertThat(same.predictedThroughput().high()).isGreaterThanOrEqualTo(same.throughput());
    }

    @Test
    void shouldSayThatMoreTasksDoNotHelpAgainstOneKey() throws Exception {
        WhatIf whatIf = whatIf("corpus/skewed-keys", "score=8");

        assertThat(factor(whatIf)).isLessThan(1.1);
        assertThat(whatIf.notes()).anySatisfy(note -> assertThat(note).contains("gets more than the others"));
    }

    /** Another process used the second core while these were recorded; then more records in flight help little. */
    @Test
    void shouldLeaveOtherProcessesTheirCores() throws Exception {
        WhatIf beside = whatIf("corpus/max-pending", "max-pending=100");

        assertThat(factor(beside)).isBetween(0.99, 1.1);
        assertThat(beside.limitedBy()).matches("1\\.0\\d of 2 cores, which other processes leave");
        assertThat(beside.notes())
                .anySatisfy(
                        note -> assertThat(note)
                                .matches(
                                        "other processes keep (0\\.9|1\\.0)\\d of 2 cores busy, and are taken to do so then, too"));
        assertThat(factor(whatIf("corpus/max-pending", "max-pending=100,cores=3")))
                .isGreaterThan(1.4);
        assertThat(whatIf("corpus/slow-operator", "score=2").notes()).noneMatch(note -> note.contains("processes"));
        assertThat(whatIf("flink/slow-operator", "score=8").notes())
                .contains("whether other processes use the cores was not observed; they are taken not to");
    }

    @Test
    void shouldNotPredictMoreThanComes() throws Exception {
        WhatIf whatIf = whatIf("corpus/healthy-paced", "cores=64,threads=64");

        assertThat(factor(whatIf)).isBetween(0.99, 1.01);
        assertThat(whatIf.limitedBy()).startsWith("the source");
        assertThat(whatIf("corpus/healthy-paced", "rate=1")
                        .predictedThroughput()
                        .middle())
                .isEqualTo(1);
    }

    @Test
    void shouldTellItInText() throws Exception {
        Diagnosis diagnosis = Doctor.diagnose(recorded("corpus/slow-operator"), Changes.parse("score=2,queue=256"));

        assertThat(DiagnosisText.of(diagnosis))
                .contains("  what if score: 1 task -> 2 tasks, queue: 16 batches -> 256 batches\n")
                .contains("     rate ", "     latency ", "     limit     2 cores\n", "     note ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "scoer=2 | there is no operator and no setting 'scoer'; did you mean score?",
                "xyz=2 | there is no operator and no setting 'xyz'; there are source, ",
                "score=four | 'score' takes a number from 1 to 256, not 'four'",
                "score=0 | 'score' takes a number from 1 to 256, not '0'",
                "score=257 | 'score' takes a number from 1 to 256",
                "queue=-1 | 'queue' takes a number from 1 to 1000000000",
                "fuse=of | fuse is on or off, not 'of'; did you mean o",
                "score | it takes NAME=VALUE",
                "score= | it takes NAME=VALUE",
                "score=2, | it takes NAME=VALUE",
                "score=2,score=3 | 'score' is given twice"
            })
    void shouldRefuseInOneLine(String changes, String message) {
        assertThatThrownBy(() -> whatIf("corpus/slow-operator", changes))
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .contains(message)
                .doesNotContain("\n");
    }

    @Test
    void shouldSayWhatWasNotObserved() throws Exception {
        Observation whole = recorded("corpus/slow-operator");
        Observation without = new Observation(
                1,
                whole.state(),
                whole.plan(),
                whole.spans(),
                List.of(),
                whole.edges(),
                whole.checkpoints(),
                null,
                whole.latency(),
                whole.restarts(),
                null,
                null,
                null,
                null,
                null,
                null);

        assertThatThrownBy(() -> Doctor.diagnose(without, Changes.parse("fuse=off")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("by itself was not observed");
    }
}
