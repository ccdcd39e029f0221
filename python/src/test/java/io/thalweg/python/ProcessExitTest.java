// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ProcessExitTest {
    @ParameterizedTest
    @CsvSource({
        "0, exit code 0",
        "128, exit code 128",
        "137, killed by signal 9",
        "192, killed by signal 64",
        "193, exit code 193",
        "255, exit code 255", // exit(-1)
    })
    void shouldTellASignalFromACode(int code, String told) {
        assertThat(exit(code).cause()).isEqualTo(told);
    }

    /** Also where so many threads follow that the line is not among the last. */
    @Test
    void shouldTellAHangFromWhatTheFunctionPrints() {
        String threads = "  File \"a.py\", line 1 in run\n".repeat(50);
        assertThat(timedOut("Timeout (0:00:30)!\nThread 0x1 (most recent call first):\n" + threads))
                .isTrue();
        assertThat(timedOut("Timeout (1:00:00.250000)!\n")).isTrue();
        assertThat(timedOut("Timeout (read), trying again\n")).isFalse();
        assertThat(timedOut("Timeout (0:00:30)! trying again\n")).isFalse();
    }

    private static boolean timedOut(String written) {
        Transcript transcript = new Transcript("", new ByteArrayInputStream(written.getBytes(StandardCharsets.UTF_8)));
        transcript.run();
        return transcript.timedOut();
    }

    private static ProcessExit exit(int code) {
        return new ProcessExit(1, code, false, List.of());
    }
}
