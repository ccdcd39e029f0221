// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.finding.Gain;
import io.thalweg.doctor.observation.Observation;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DoctorTest {
    private static Observation recorded(String name) throws Exception {
        try (InputStream in = DoctorTest.class.getResourceAsStream("corpus/" + name + ".json")) {
            return ObservationFile.read(Objects.requireNonNull(in, name).readAllBytes());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "healthy-decimals | cores | 2 cores; 59 % in your 'price' (FirstHalf.java:178), of that 86 % in BigDecimal.<init>",
                "slow-operator | operator | one task of 'score'; 100 % in your 'score'",
                "skewed-keys | operator | one task of 'score'",
                "blocking-call | calls | 'lookup' waits in LockSupport.parkNanos (Work.java:26)",
                "max-pending | acks | sources have sent as many records as may be pending",
                "healthy-paced | source | tasks wait for records",
                "needless-shuffle | hand-over | sources are held back"
            })
    void shouldSayWhatLimitsAJob(String name, String kind, String text) throws Exception {
        Diagnosis diagnosis = Doctor.diagnose(recorded(name));

        assertThat(diagnosis.bound().kind()).isEqualTo(kind);
        assertThat(diagnosis.bound().text()).contains(text);
    }

    @Test
    void shouldPredictAGainFromTheRates() throws Exception {
        Finding finding = Doctor.diagnose(recorded("slow-operator")).findings().get(0);

        Gain gain = Objects.requireNonNull(finding.predictedGain());
        assertThat(gain.of()).isEqualTo("throughput");
        assertThat(gain.low()).isBetween(1.5, 2.0);
        assertThat(gain.high() / gain.low()).isLessThanOrEqualTo(1.5);
        assertThat(finding.remedy()).isEqualTo("give 'score' .parallelism(2)");
    }

    @Test
    void shouldNameTheOptionIfThereIsOne() throws Exception {
        assertThat(Doctor.diagnose(recorded("many-threads")).findings().get(0).option())
                .isEqualTo("--threads 2");
        assertThat(Doctor.diagnose(recorded("checkpoints")).findings().get(0).option())
                .startsWith("--checkpoint-interval ");
        assertThat(Doctor.diagnose(recorded("max-pending")).findings().get(0).option())
                .startsWith("--max-pending ");
    }

    @Test
    void shouldNameTheOperatorThatAJobWasRestartedFor() throws Exception {
        Finding restarts = Doctor.diagnose(recorded("restarts")).findings().get(0);

        assertThat(restarts.rule()).isEqualTo("restarts");
        assertThat(restarts.operator()).isEqualTo("divide");
    }

    @Test
    void shouldRefuseWhatDoesNotFitItsPlan() throws Exception {
        Observation whole = recorded("slow-operator");
        Observation other = recorded("restarts");

        assertThatThrownBy(() -> Doctor.diagnose(new Observation(
                        1,
                        whole.state(),
                        whole.plan(),
                        other.spans(),
                        List.of(),
                        List.of(),
                        List.of(),
                        null,
                        whole.latency(),
                        whole.restarts(),
                        null,
                        null,
                        null,
                        null,
                        null,
                        null)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no task of the plan was observed");
    }
}
