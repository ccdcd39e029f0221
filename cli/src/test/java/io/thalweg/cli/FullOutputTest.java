// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.cli.Cli.Outcome;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What is printed is all that some commands are for: where it cannot be, they have failed. */
@EnabledOnOs(OS.LINUX)
@Tag("integration")
final class FullOutputTest {
    private static final String FULL = "thalweg: standard output could not be written: No space left on device\n";
    private static final String STATS = "thalweg: --stats: /dev/full cannot be written: No space left on device";

    @TempDir
    Path folder;

    @Test
    void shouldFail_ifStandardOutputIsFull() throws Exception {
        Cli cli = new Cli(folder);
        cli.job("Few", "topology.from(Sources.of(1)).to(Sinks.discard());");
        for (String command :
                new String[] {"--help", "--version", "run --help", "lab list", "run Few.java --explain"}) {
            assertThat(full(cli, command)).as(command).isEqualTo(FULL);
        }
    }

    /** What it prints is all that says why. */
    @Test
    void shouldTellThatStandardOutputIsFull_ofACommandThatFailsAnyway() throws Exception {
        Cli cli = new Cli(folder);
        Files.createDirectory(folder.resolve("damaged"));
        cli.write("damaged/checkpoint-1", "none");

        assertThat(cli.run("checkpoints", "damaged").out()).startsWith("checkpoint-1  damaged: ");
        assertThat(full(cli, "checkpoints damaged")).isEqualTo(FULL);
        assertThat(full(cli, "checkpoints verify damaged")).isEqualTo(FULL);
    }

    @Test
    void shouldTellOnStandardErrorThatThereAreNoCheckpoints() throws Exception {
        Cli cli = new Cli(folder);
        Files.createDirectory(folder.resolve("empty"));
        for (String command : new String[] {"checkpoints empty", "checkpoints verify empty"}) {
            assertThat(full(cli, command))
                    .as(command)
                    .isEqualTo("thalweg: no checkpoints in empty; DIR is what --checkpoint-dir was when the job ran\n");
        }
    }

    @Test
    void shouldStillTellHowAJobEnded_ifItsMetricsCannotBeWritten() throws Exception {
        Cli cli = new Cli(folder);
        cli.job("Few", "topology.from(Sources.of(17L)).to(Sinks.print());");

        Outcome run = cli.run("run", "Few.java", "--stats", "/dev/full");

        assertThat(run.out()).isEqualTo("17\n");
        assertThat(run.errorLines()).hasSize(2);
        assertThat(run.errorLines().get(0)).startsWith("Few finished in ").contains("1 records in, 1 out");
        assertThat(run.errorLines().get(1)).isEqualTo(STATS);
        assertThat(run.code()).isEqualTo(ExitCodes.FAILED);
    }

    @Test
    void shouldTellOfEachFileThatCannotBeWritten() throws Exception {
        Cli cli = new Cli(folder);
        cli.job("Paced", "topology.from(Sources.generate(500, i -> i).rate(500)).to(Sinks.discard());");

        Outcome run = cli.run("run", "Paced.java", "--stats", "/dev/full", "--doctor", "--json", "/dev/full");

        assertThat(run.error()).startsWith("Paced finished in ").contains("\nDoctor: Paced\n");
        assertThat(run.errorLines()).endsWith(STATS, STATS.replace("--stats", "--json"));
        assertThat(run.code()).isEqualTo(ExitCodes.FAILED);
    }

    @Test
    void shouldTellWhyAJobFailed_andThatItsMetricsAreLost() throws Exception {
        Cli cli = new Cli(folder);
        cli.job("Fails", "topology.from(Sources.of(1, 0)).map(i -> 10 / i).name(\"divide\").to(Sinks.discard());");

        Outcome run = cli.run("run", "Fails.java", "--stats", "/dev/full");

        assertThat(run.errorLines()).hasSize(2).first().isEqualTo(STATS);
        assertThat(run.errorLines().get(1)).startsWith("thalweg: topology 'Fails', operator 'divide'");
        assertThat(run.code()).isEqualTo(ExitCodes.FAILED);
    }

    private String full(Cli cli, String command) throws Exception {
        Path full = cli.write("full.sh", "#!/bin/sh\nexec \"$@\" >/dev/full\n");
        assertThat(full.toFile().setExecutable(true)).isTrue();
        Process run = cli.startUnder(full.toString(), command.split(" "));
        try (BufferedReader error = Cli.lines(run.getErrorStream())) {
            StringBuilder said = new StringBuilder();
            error.lines().forEach(line -> said.append(line).append('\n'));
            assertThat(Cli.end(run)).as(said.toString()).isEqualTo(ExitCodes.FAILED);
            return said.toString();
        }
    }
}
