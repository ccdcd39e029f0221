// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.doctor.observation.RecordJson;
import io.thalweg.doctor.tune.Choice;
import io.thalweg.doctor.tune.Output;
import io.thalweg.doctor.tune.Setting;
import io.thalweg.doctor.tune.TuneReport;
import io.thalweg.flink.FlinkCluster;
import io.thalweg.testkit.CommandLineJvms;
import io.thalweg.testkit.CommandLineJvms.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code thalweg tune --on flink} as a user types it: the command, a JVM with Flink for each run, and what applies its file. */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
final class TuneOnFlinkTest {
    @TempDir
    private Path folder;

    private CommandLineJvms thalweg;

    @BeforeEach
    void open() throws Exception {
        List<String> java = new ArrayList<>(FlinkCluster.OPENS);
        java.add("-Dlog4j2.configurationFile=classpath:thalweg-flink-log4j2.properties");
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
    void shouldCompareOutputsOfRunsOnFlinkAndWriteAFileThatRunApplies() throws Exception {
        Files.writeString(folder.resolve("first.yaml"), "parallelism: 1\nbuffer-timeout: 50ms\nbuffer-size: 64k\n");

        Outcome tuned = thalweg.run(
                "tune", "Paced.java", "--on", "flink", "--tuned", "first.yaml", "--budget", "1s", "--json", "r.json");

        assertThat(tuned.code()).as(tuned.error()).isZero();
        assertThat(tuned.out())
                .contains("Paced.tuned.yaml: thalweg run Paced.java --on flink --tuned Paced.tuned.yaml");
        TuneReport report = RecordJson.read(Files.readAllBytes(folder.resolve("r.json")), TuneReport.class);
        assertThat(report.runs()).isEqualTo(2);
        assertThat(report.before()).isPositive();
        assertThat(report.outputs()).first().extracting(Output::records).isEqualTo(500L);
        assertThat(report.kept())
                .containsExactly(
                        Choice.of(Setting.PARALLELISM, 1),
                        Choice.of(Setting.BUFFER_TIMEOUT, "50ms"),
                        Choice.of(Setting.BUFFER_SIZE, "64k"));
        assertThat(thalweg.left()).isEmpty();

        Outcome run = thalweg.run("run", "Paced.java", "--quiet", "--on", "flink", "--tuned", "Paced.tuned.yaml");

        assertThat(run.code()).as(run.error()).isZero();
        assertThat(run.out().lines()).hasSize(500);
        assertThat(thalweg.run("run", "Paced.java", "--explain", "--on", "flink", "--tuned", "Paced.tuned.yaml")
                        .out())
                .contains("1 task")
                .doesNotContain("2 tasks");
    }

    @Test
    void shouldRefuseInOneLineWhatDoesNotApplyToFlink() throws Exception {
        Files.writeString(folder.resolve("threads.yaml"), "parallelism: 1\nthreads: 2\n");
        Files.writeString(folder.resolve("heap.yaml"), "heap: 1g\n");

        assertThat(refused("run", "Paced.java", "--on", "flink", "--tuned", "threads.yaml"))
                .isEqualTo("thalweg: --tuned: threads.yaml:2: 'threads' means nothing with --on flink\n");
        assertThat(refused("tune", "Paced.java", "--on", "flink", "--tuned", "threads.yaml"))
                .isEqualTo("thalweg: --tuned: threads.yaml:2: 'threads' means nothing with --on flink\n");
        assertThat(refused("run", "Paced.java", "--on", "flink=localhost:1", "--tuned", "heap.yaml"))
                .startsWith("thalweg: --tuned: heap.yaml:1: 'heap' is of the process that runs the job");
        assertThat(refused("tune", "Paced.java", "--on", "flink=localhost:1")).contains("tune it --on flink;");
        assertThat(refused("tune", "Paced.java", "--on", "flink", "--flink-conf", "fast"))
                .isEqualTo("thalweg: --on flink: --flink-conf takes KEY=VALUE, not fast\n");
        assertThat(refused("run", "Paced.java", "--on", "flink", "--flink-conf", "parallelism.default=many"))
                .contains("parallelism.default");
        assertThat(folder.resolve("Paced.tuned.yaml")).doesNotExist();
    }

    private String refused(String... arguments) throws Exception {
        Outcome run = thalweg.run(arguments);
        assertThat(run.error().lines()).as(run.error()).hasSize(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.code()).isNotZero();
        return run.error();
    }

    @Test
    void shouldLeaveNeitherProcessNorFolderWhenItIsStopped() throws Exception {
        thalweg.job("Long", "topology.from(Sources.generate(1_000_000, i -> i).rate(1_000)).to(Sinks.print());");
        Process process = thalweg.start("tune", "Long.java", "--on", "flink");
        CountDownLatch never = new CountDownLatch(1);
        for (int look = 0; !isUp() && process.isAlive() && look < 10_000; look++) {
            assertThat(never.await(20, TimeUnit.MILLISECONDS)).isFalse();
        }
        List<ProcessHandle> children = process.descendants().toList();
        assertThat(children).isNotEmpty();
        Process kill = new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start();
        assertThat(kill.waitFor()).isZero();

        Outcome stopped = thalweg.end(process);

        assertThat(stopped.code()).as(stopped.error()).isEqualTo(128 + 2);
        assertThat(stopped.error()).contains("stopping; what pays so far is kept");
        assertThat(children).noneMatch(ProcessHandle::isAlive);
        assertThat(thalweg.left()).isEmpty();
    }

    /** Flink has a folder in that of the runs. */
    private boolean isUp() throws IOException {
        try (Stream<Path> all = Files.walk(thalweg.temporary(), 3)) {
            return all.anyMatch(each -> each.getFileName().toString().startsWith("thalweg-flink-"));
        } catch (UncheckedIOException e) {
            return false; // something went while it was looked at
        }
    }
}
