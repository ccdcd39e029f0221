// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Numbers of a server that tells nonsense. */
final class AnswerTest {
    /** Sums of the largest ones that JSON can have were infinite, which is no JSON. */
    @ParameterizedTest
    @CsvSource({
        "1.5, 1.5",
        "-2, -2",
        "1e308, 4503599627370496",
        "-1e308, -4503599627370496",
        "1e999, 0",
        "\"NaN\", 0",
        "true, 0"
    })
    void shouldReadNumbersThatCanBeAdded(String json, double expected) throws IOException {
        assertThat(Answer.of(json.getBytes(StandardCharsets.UTF_8)).real()).isEqualTo(expected);
    }
}
