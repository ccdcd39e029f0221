// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.lab.driver.Cell;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CheckRunTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "workload=relay | 90 | 100",
                "workload=relay rate=10000 | 10000 | 10000",
                "workload=relay | 200e6 | 1000000",
                "workload=group-by window=100000 | 1e6 | 1000000",
                "workload=group-by window=1000000 | 2e6 | 2500000",
                "workload=group-by window=1000000 | 100e3 | 100000",
                "workload=group-by window=10000000 | 2e6 | 1000000",
                "workload=windows operation=tumbling | 20e6 | 1000000",
                "workload=windows operation=sliding | 20e6 | 200000",
                "workload=windows operation=running | 4e6 | 200000",
            })
    void shouldTakeAboutASecond_andAFewWindows(String words, double recordsPerS, long records) {
        assertThat(CheckRun.settings(cell(words), recordsPerS)).containsEntry("records", Long.toString(records));
    }

    @ParameterizedTest
    @CsvSource({"records=5000000 from=kafka", "records=20"})
    void shouldLeaveANumberOfRecordsThatIsGiven(String words) {
        assertThat(CheckRun.settings(cell(words), 1e6)).doesNotContainKey("records");
    }

    @Test
    void shouldHaveWindowsWhoseRowsItCanCompute() {
        assertThat(CheckRun.settings(cell("workload=group-by window=10000000 counted=sources"), 1e6))
                .containsEntry("window", "100000");
        assertThat(CheckRun.settings(cell("workload=group-by emission-s=300 counted=sources"), 1e6))
                .containsEntry("emission-s", "0")
                .containsEntry("counted", "sinks");
        assertThat(CheckRun.settings(cell("workload=group-by window=1000"), 1e6))
                .as("enough of them in a second")
                .doesNotContainKey("window");
    }

    /** What the timed run kept may be on the heap still; and nothing planted is of use here. */
    @ParameterizedTest
    @CsvSource("payload=1000 hoard=700000000 live-heap=true stall-ms=200")
    void shouldNeedLittleOfWhatSlowsATimedRun(String words) {
        Map<String, String> settings = CheckRun.settings(cell(words), 1e6);
        assertThat(settings)
                .containsEntry("check", "true")
                .containsEntry("hoard", "1_000_000")
                .containsEntry("live-heap", "false")
                .containsEntry("stall-ms", "0");
        cell(words).with(settings, Path.of("")).check();
    }

    private static Cell cell(String words) {
        Map<String, String> settings = new HashMap<>();
        for (String word : words.split(" ")) {
            settings.put(word.substring(0, word.indexOf('=')), word.substring(word.indexOf('=') + 1));
        }
        return Cell.of(settings, Path.of(""));
    }
}
