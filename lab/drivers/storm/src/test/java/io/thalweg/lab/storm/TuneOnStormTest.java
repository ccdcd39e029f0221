// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.storm;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.doctor.observation.RecordJson;
import io.thalweg.doctor.tune.Choice;
import io.thalweg.doctor.tune.Output;
import io.thalweg.doctor.tune.Setting;
import io.thalweg.doctor.tune.TuneReport;
import io.thalweg.testkit.CommandLineJvms;
import io.thalweg.testkit.CommandLineJvms.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code thalweg tune --on storm} as a user types it: the command, a JVM with a LocalCluster for each run, and what applies its file. */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
final class TuneOnStormTest {
    @TempDir
    private Path folder;

    private CommandLineJvms thalweg;

    @BeforeEach
    void open() throws Exception {
        List<String> java = new ArrayList<>();
        for (String opened : List.of("java.lang", "java.util", "java.nio", "sun.nio.ch", "java.net")) {
            java.add("--add-opens=java.base/" + opened + "=ALL-UNNAMED");
        }
        java.add("-Dlog4j2.configurationFile=classpath:thalweg-storm-log4j2.xml");
        thalweg = new CommandLineJvms(folder, java);
        // lasts for half a second on any machine
        thalweg.job("Paced", """
                topology.from(Sources.generate(500, i -> i).rate(1_000))
                        .map(i -> i % 7).name("part").isolate()
                        .to(Sinks.print());
                """);
    }

    @AfterEach
    void leaveNothingRunning() {
        thalweg.close();
    }

    /** The budget is over before any change is tried. */
    @Test
    void shouldCompareOutputsOfRunsOnStormAndWriteAFileThatRunApplies() throws Exception {
        Files.writeString(folder.resolve("first.yaml"), "parallelism: 1\nproducer-batch: 10\n");

        Outcome tuned = thalweg.run(
                "tune", "Paced.java", "--on", "storm", "--tuned", "first.yaml", "--budget", "1s", "--json", "r.json");

        assertThat(tuned.code()).as(tuned.error()).isZero();
        assertThat(tuned.out())
                .contains("Paced.tuned.yaml: thalweg run Paced.java --on storm --tuned Paced.tuned.yaml");
        TuneReport report = RecordJson.read(Files.readAllBytes(folder.resolve("r.json")), TuneReport.class);
        assertThat(report.runs()).isEqualTo(2);
        assertThat(report.before()).isPositive();
        assertThat(report.outputs()).first().extracting(Output::records).isEqualTo(500L);
        assertThat(report.kept())
                .containsExactly(Choice.of(Setting.PARALLELISM, 1), Choice.of(Setting.PRODUCER_BATCH, 10));
        assertThat(thalweg.left()).isEmpty();

        Outcome run = thalweg.run("run", "Paced.java", "--quiet", "--on", "storm", "--tuned", "Paced.tuned.yaml");

        assertThat(run.code()).as(run.error()).isZero();
        assertThat(run.out().lines()).hasSize(500);
        assertThat(thalweg.run("run", "Paced.java", "--explain", "--on", "storm", "--tuned", "Paced.tuned.yaml")
                        .out())
                .contains("1 task")
                .doesNotContain("2 tasks");
    }

    @Test
    void shouldRefuseInOneLineWhatDoesNotApplyToStorm() throws Exception {
        Files.writeString(folder.resolve("threads.yaml"), "parallelism: 1\nthreads: 2\n");
        Files.writeString(folder.resolve("heap.yaml"), "heap: 1g\n");

        assertThat(refused("run", "Paced.java", "--on", "storm", "--tuned", "threads.yaml"))
                .isEqualTo("thalweg: --tuned: threads.yaml:2: 'threads' means nothing with --on storm\n");
        assertThat(refused("tune", "Paced.java", "--on", "storm", "--tuned", "threads.yaml"))
                .isEqualTo("thalweg: --tuned: threads.yaml:2: 'threads' means nothing with --on storm\n");
        assertThat(refused("run", "Paced.java", "--on", "storm=localhost:1", "--tuned", "heap.yaml"))
                .startsWith("thalweg: --tuned: heap.yaml:1: 'heap' is of the process that runs the job");
        assertThat(refused("tune", "Paced.java", "--on", "storm=localhost:1")).contains("tune it --on storm;");
        assertThat(refused("tune", "Paced.java", "--on", "storm", "--storm-conf", "fast"))
                .isEqualTo("thalweg: --on storm: --storm-conf takes KEY=VALUE, not fast\n");
        assertThat(folder.resolve("Paced.tuned.yaml")).doesNotExist();
    }

    private String refused(String... arguments) throws Exception {
        Outcome run = thalweg.run(arguments);
        assertThat(run.error().lines()).as(run.error()).hasSize(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.code()).isNotZero();
        return run.error();
    }
}
