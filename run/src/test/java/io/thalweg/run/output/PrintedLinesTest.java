// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class PrintedLinesTest {
    private final PrintedLines printed = new PrintedLines();

    private void print(String text) throws IOException {
        printed.write(text.getBytes(StandardCharsets.UTF_8));
    }

    /** A thread of the job's may print when it has been compared. */
    @Test
    void shouldNotChangeWhatItHasTold() throws IOException {
        print("one\n");
        OutputDigests.Digest before = printed.digest();
        print("two\n");

        try (OutputDigests digests = new OutputDigests()) {
            digests.add("before", before);
            digests.add("all", printed.digest());
            assertThat(digests.totals())
                    .extracting(OutputDigests.Total::records)
                    .containsExactly(1L, 2L);
        }
    }
}
