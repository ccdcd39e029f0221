// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class VerifyCommandTest {
    @TempDir
    Path folder;

    private Cli cli;

    @BeforeEach
    void openFolder() {
        cli = new Cli(folder);
    }

    @AfterEach
    void leaveNoProcess() {
        cli.destroy();
    }

    @Test
    void shouldHoldCheckpointsAgainstTheirOutputs() throws Exception {
        new WordCount(cli, folder, 4_000, 10_000);
        Cli.Outcome ran = cli.run(
                "run",
                "Words.java",
                "--guarantee",
                "exactly-once",
                "--checkpoint-dir",
                "checkpoints",
                "--checkpoint-interval",
                "50ms",
                "--quiet");
        assertThat(ran.code()).as(ran.error()).isZero();
        try (Stream<Path> parts = Files.list(folder.resolve("out/parts"))) {
            Path taken = parts.filter(part -> part.getFileName().toString().startsWith("part-"))
                    .sorted()
                    .toList()
                    .get(0);
            Files.delete(taken); // a reader may
        }

        Cli.Outcome good = cli.run("checkpoints", "verify", "checkpoints");
        assertThat(good.out()).matches("(checkpoint-[0-9]+  intact\\R)+");
        assertThat(good.code()).isZero();

        Path counts = folder.resolve("out/counts.csv");
        List<String> lines = Files.readAllLines(counts);
        lines.set(0, lines.get(0).replace(',', ';'));
        Files.write(counts, lines);
        Cli.Outcome bad = cli.run("checkpoints", "verify", "checkpoints");
        assertThat(bad.out()).contains("operator 'file': ").contains("counts.csv is not what was saved");
        assertThat(bad.code()).isEqualTo(1);
    }

    @Test
    void shouldRefuseWhatIsNoDirectory() throws Exception {
        assertThat(cli.run("checkpoints", "verify", "nowhere").code()).isEqualTo(2);
        assertThat(cli.run("checkpoints").error()).contains("which directory?");
    }
}
