// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.cli.storm.CommandLine.Outcome;
import io.thalweg.testkit.FreePort;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code thalweg doctor storm=…}, as a user has it. */
final class StormDoctorCommandTest {
    @TempDir
    private Path folder;

    private void says(int code, String line, String... words) throws Exception {
        Outcome run = new CommandLine(folder).call(words);

        assertThat(run.error().lines().toList())
                .as(run.error())
                .singleElement()
                .asString()
                .contains(line);
        assertThat(run.out()).isEmpty();
        assertThat(run.code()).isEqualTo(code);
    }

    @Test
    void shouldSayInOneLineWhatIsWrong() throws Exception {
        int free = FreePort.find();

        says(
                1,
                "no Nimbus answers at 127.0.0.1:" + free + " (Connection refused)",
                "doctor",
                "storm=127.0.0.1:" + free + "/words");
        says(
                2,
                "a topology is storm=HOST:PORT/TOPOLOGY, where HOST:PORT is its Nimbus, not storm=words",
                "doctor",
                "storm=words");
        says(
                2,
                "--set takes a setting of Storm's client, such as storm.thrift.transport",
                "doctor",
                "storm=127.0.0.1:1/words",
                "--set",
                "storm.thrift.transprot=x");
        says(2, "--what-if is for", "doctor", "storm=127.0.0.1:1/words", "--what-if", "count=2");
    }
}
