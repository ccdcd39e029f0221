// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.cli.Cli.Outcome;
import io.thalweg.cli.stages.StagesReport;
import io.thalweg.doctor.observation.RecordJson;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("integration")
final class StagesCommandTest {
    @TempDir
    Path folder;

    private Cli cli;

    @BeforeEach
    void openFolder() {
        cli = new Cli(folder);
    }

    @Test
    void shouldTimeOperatorsAndWriteNothingElse() throws Exception {
        cli.write("in.txt", "1\n2\n3\n4\n");
        cli.job("Double", """
                topology.from(io.thalweg.files.TextLines.read("in.txt"))
                        .map(line -> { System.out.println("not shown"); return 2 * Long.parseLong(line); })
                        .name("double")
                        .to(Sinks.print());
                """);

        Outcome run = cli.run("stages", "Double.java", "--warm-up", "1ms", "--rate", "1000", "--json", "found.json");

        assertThat(run.code()).as(run.error()).isZero();
        assertThat(run.out())
                .startsWith("Stages of Double: all 4 records, each operator alone on one thread\n")
                .contains(
                        "tasks at 1.00 k/s",
                        "'double' only 4 records came to it",
                        "not timed: source",
                        "not timed: sink")
                .doesNotContain("not shown");
        assertThat(run.error()).contains("thalweg: times 'double'");
        StagesReport found = RecordJson.read(Files.readAllBytes(folder.resolve("found.json")), StagesReport.class);
        assertThat(found.stages()).hasSize(1);
        assertThat(found.wantedRate()).isEqualTo(1_000);

        Outcome tools = cli.run("stages", "Double.java", "--warm-up", "1ms", "--quiet", "--json", "-");
        assertThat(tools.out()).startsWith("{").endsWith("}\n");
        assertThat(tools.error()).startsWith("Stages of Double");
    }

    @Test
    void shouldStopReadingWhenTheTimeIsOver() throws Exception {
        cli.job("Paced", "topology.from(Sources.generate(1_000_000, i -> i).rate(200)).map(i -> i).to(Sinks.print());");

        Outcome run = cli.run("stages", "Paced.java", "--warm-up", "1ms", "--for", "1s");

        assertThat(run.code()).as(run.error()).isZero();
        assertThat(run.out()).startsWith("Stages of Paced: the first ");
    }

    @Test
    void shouldRefuseInOneLine() throws Exception {
        cli.write("empty.txt", "");
        cli.job(
                "Empty",
                "topology.from(io.thalweg.files.TextLines.read(\"empty.txt\")).map(i -> i).to(Sinks.print());");
        cli.job("Missing", "topology.from(io.thalweg.files.TextLines.read(\"no.txt\")).map(i -> i).to(Sinks.print());");
        cli.job("Fails", "topology.from(Sources.of(0L)).map(i -> 1 / i).name(\"divide\").to(Sinks.print());");

        refuses(ExitCodes.FAILED, "source 'source' has no records", "Empty.java");
        refuses(ExitCodes.FAILED, "no.txt", "Missing.java");
        refuses(ExitCodes.FAILED, "operator 'divide'", "Fails.java");
        refuses(ExitCodes.USAGE, "--rate is a number of records per second", "Fails.java", "--rate", "-1");
        refuses(ExitCodes.USAGE, "--records must be at least 1", "Fails.java", "--records", "0");
        refuses(ExitCodes.FAILED, "is a directory", "Fails.java", "--json", ".");
        refuses(ExitCodes.USAGE, "used by this command already", "Fails.java", "--json", "./Fails.java");
        refuses(ExitCodes.USAGE, "None.java", "None.java");
        refuses(ExitCodes.USAGE, "in", "Empty.java", "--set", "in=x");
    }

    private void refuses(int code, String message, String... arguments) throws Exception {
        String[] all = new String[arguments.length + 2];
        all[0] = "stages";
        all[1] = "--quiet";
        System.arraycopy(arguments, 0, all, 2, arguments.length);
        Outcome run = cli.run(all);

        assertThat(run.errorLines())
                .as(String.join(" ", arguments))
                .hasSize(1)
                .first()
                .asString()
                .contains(message);
        assertThat(run.out()).isEmpty();
        assertThat(run.code()).isEqualTo(code);
    }
}
