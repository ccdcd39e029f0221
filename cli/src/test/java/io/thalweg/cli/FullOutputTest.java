// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What is printed is all that some commands are for: where it cannot be, they have failed. */
@EnabledOnOs(OS.LINUX)
final class FullOutputTest {
    @TempDir
    Path folder;

    @Test
    void shouldFail_ifStandardOutputIsFull() throws Exception {
        Cli cli = new Cli(folder);
        cli.job("Few", "topology.from(Sources.of(1)).to(Sinks.discard());");
        for (String command :
                new String[] {"--help", "--version", "run --help", "lab list", "run Few.java --explain"}) {
            assertThat(full(cli, command))
                    .as(command)
                    .isEqualTo("thalweg: standard output could not be written: No space left on device\n");
        }
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
