// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.doctor.observation.Observation;
import io.thalweg.doctor.whatif.Changes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever stands in one place of a file: there is a diagnosis, or a line that says what is wrong. */
final class DamagedObservationTest {
    private static final Pattern VALUE =
            Pattern.compile("(?<=[:\\[,])(-?[0-9][-+.0-9E]*|\"[^\"]*\"|null|true|false)(?=[,\\]}])");
    private static final List<String> OTHERS =
            List.of("0", "-1", "9223372036854775807", "1e308", "null", "\"\"", "\"NaN\"", "\"<hostile\"", "[]");

    /** Of all changes, one of so many is tried. */
    private static final int EVERY = 101;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "corpus/isolated",
                "corpus/skewed-keys",
                "corpus/idle-split",
                "corpus/checkpoints",
                "corpus/max-pending",
                "storm/timeouts"
            })
    void shouldJudgeOrRefuse_whateverAnybodyHasWritten(String name) throws Exception {
        String text = recorded(name);
        int tried = 0;
        int refused = 0;
        Matcher value = VALUE.matcher(text);
        while (value.find()) {
            for (String other : OTHERS) {
                if (tried++ % EVERY == 0) {
                    String changed = text.substring(0, value.start()) + other + text.substring(value.end());
                    refused += isRefused(changed, "at " + value.start() + " " + value.group() + " -> " + other) ? 1 : 0;
                }
            }
        }
        assertThat(refused).isPositive();
    }

    private static boolean isRefused(String text, String what) {
        try {
            Observation observation = ObservationFile.read(text.getBytes(StandardCharsets.UTF_8));
            Diagnosis diagnosis = Doctor.diagnose(observation);
            assertThat(DiagnosisText.of(diagnosis)).isNotEmpty();
            assertThat(DiagnosisPage.of(diagnosis)).doesNotContain("<hostile");
            Doctor.diagnose(observation, Changes.parse("cores=3"));
            return false;
        } catch (IOException | IllegalArgumentException e) {
            assertThat(e.getMessage()).as(what).isNotBlank().doesNotContain("\n");
            return true;
        } catch (RuntimeException e) {
            throw new AssertionError(what, e);
        }
    }

    private static String recorded(String name) throws IOException {
        String file = "/io/thalweg/doctor/" + name + ".json";
        try (InputStream in = DamagedObservationTest.class.getResourceAsStream(file)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
