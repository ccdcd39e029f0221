// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.cli.Cli.Outcome;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is found out before any engine is built: the race itself is tested in the lab. */
@Tag("integration")
final class RaceCommandTest {
    @TempDir
    Path folder;

    private Cli cli;

    @BeforeEach
    void openFolder() throws Exception {
        cli = new Cli(folder)
                .withJava("-Dthalweg.home=" + Path.of("..").toAbsolutePath().normalize());
        cli.job("Bounded", "topology.from(Sources.generate(9, i -> i)).to(Sinks.print());");
    }

    @AfterEach
    void leaveNothingRunning() {
        cli.destroy();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "race Gone.java | Gone.java",
                "race Bounded.java --rounds 0 | --rounds is a number from 1 to 100, not 0",
                "race Bounded.java --for speed | --for is throughput, cpu, p50 or p99, not speed",
                "race Bounded.java --set no=1 | unknown setting 'no'",
                "race Bounded.java --engines thalweg,spark | --engines: topologies do not run on 'spark'; there are flink, storm, thalweg",
                "race Bounded.java --engines thalweg --sweep flink.a=1 | --sweep flink.a: flink is not in the race; --engines names them",
                "race Bounded.java --with thalweg.batsh=1 | there is no setting 'thalweg.batsh'; did you mean 'thalweg.batch'?",
                "race Bounded.java --sweep thalweg.idle=park,sleep | thalweg.idle cannot be sleep, but balanced, spin, park",
            })
    void shouldSayInOneLineWhatIsWrong(String arguments, String line) throws Exception {
        Outcome run = cli.run(arguments.split(" "));

        assertThat(run.code()).isIn(1, 2);
        assertThat(run.error().lines()).hasSize(1);
        assertThat(run.error()).startsWith("thalweg: ").contains(line);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void shouldMissAnInputBeforeAnythingRuns() throws Exception {
        cli.job("Lines", "topology.from(io.thalweg.files.TextLines.read(\"gone.txt\")).to(Sinks.print());");

        Outcome run = cli.run("race", "Lines.java");

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.error().lines()).hasSize(1);
        assertThat(run.error()).contains("cannot read gone.txt: no such file");
    }

    @Test
    void shouldRefuseInputThatDoesNotEndTheSameTwice() throws Exception {
        cli.job("Piped", "topology.from(io.thalweg.files.TextLines.read(\"-\")).to(Sinks.print());");

        Outcome run = cli.run("race", "Piped.java");

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.error().lines()).hasSize(1);
        assertThat(run.error())
                .contains("which nobody can read a second time; race it with a recorded stretch in a file");
    }
}
