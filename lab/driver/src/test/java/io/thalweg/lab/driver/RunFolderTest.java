// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RunFolderTest {
    @TempDir
    private Path path;

    /** One that has no ack is sent again, but not at once. */
    @Test
    void shouldWaitForWhatMayComeYet() throws Exception {
        RunFolder folder = new RunFolder(path);
        folder.stop();
        Sample missing = new Sample(1, 10, 45, 9, 40, 0, 0, 0, 0, 0, 0);
        Files.writeString(path.resolve("1-a" + RunFolder.SAMPLES), missing.line() + "\n");

        folder.awaitDrained(0, Duration.ZERO, Duration.ofMinutes(1));
        assertThatThrownBy(() -> folder.awaitDrained(0, Duration.ofHours(1), Duration.ofMillis(500)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("of 10 records sent only 9 came out");
    }
}
