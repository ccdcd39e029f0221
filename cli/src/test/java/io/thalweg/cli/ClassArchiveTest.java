// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the launcher runs once, without a word if it fails: later starts would only be slower. */
@Timeout(900)
final class ClassArchiveTest {
    @TempDir
    private Path folder;

    @Test
    void shouldRunItsJobAndLeaveNothing() throws Exception {
        Path temporary = Files.createDirectory(folder.resolve("temporary"));
        ProcessBuilder command = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djava.io.tmpdir=" + temporary,
                        "-XX:-UsePerfData",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ClassArchive.class.getName())
                .inheritIO();
        command.environment().put("XDG_RUNTIME_DIR", folder.toString());

        Process run = command.start();
        try {
            assertThat(run.waitFor(240, TimeUnit.SECONDS)).isTrue();
        } finally {
            run.destroyForcibly();
        }

        assertThat(run.exitValue()).isZero();
        assertThat(temporary).isEmptyDirectory();
    }
}
