// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jcstress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Runs all stress tests of this module, in a process of their own; minutes, so only in the profile {@code crash}. */
@EnabledIfSystemProperty(named = "thalweg.jcstress", matches = ".+")
final class JcstressTest {
    @TempDir
    Path folder;

    /** Jcstress exits with an error if it saw a forbidden outcome, or if a test did not end. */
    @Test
    void shouldSeeNothingThatIsForbidden() throws Exception {
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "org.openjdk.jcstress.Main",
                        "-m",
                        System.getProperty("thalweg.jcstress"),
                        "-sc", // not each pair of compilers for each pair of threads
                        "false",
                        "-r",
                        folder.resolve("report").toString() + File.separator))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said)
                .as(said)
                .contains("Failed tests: No matches.", "Error tests: No matches.")
                .containsPattern("All remaining tests: [1-9]")
                .doesNotContain("FORBIDDEN");
    }
}
