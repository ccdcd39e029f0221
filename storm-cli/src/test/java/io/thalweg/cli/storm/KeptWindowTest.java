// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** State of {@code thalweg storm run}, with classes that the jar alone has. */
@Timeout(600)
@Tag("integration")
final class KeptWindowTest {
    @Test
    void shouldGoOnWithTheWindowOfTheRunBefore(@TempDir Path folder) throws Exception {
        String jar = FluxJar.of(
                        folder.resolve("kept.jar"),
                        file -> file.getFileName().toString().matches("KeptWindow(\\$.*)?\\.class"),
                        Map.of())
                .toString();
        CommandLine command = new CommandLine(folder);
        String main = KeptWindow.class.getName();
        CommandLine.Outcome first = command.run(jar, "--class", main, "--state", "state", "--", "a", "b");
        assertThat(first.code()).as(first.error()).isZero();
        assertThat(first.out()).contains("acked: true\n").doesNotContain("window:");
        CommandLine.Outcome second = command.run(jar, "--class", main, "--state", "state", "--", "c", "d");
        assertThat(second.code()).as(second.error()).isZero();
        assertThat(second.out()).contains("window: a b c d\n");
    }
}
