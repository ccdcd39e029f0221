// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.testkit.CommandLineJvms;
import io.thalweg.testkit.CommandLineJvms.Outcome;
import io.thalweg.testkit.ListeningSocket;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * {@code thalweg tune --on ROAD} as a user types it: the command, a JVM with the engine for each run, and what applies its file. The
 * command line must be on the class path.
 */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
public abstract class TuneContract {
    private static final int KILLED = 128 + 9;

    private final String road;
    private final List<String> java;
    private final List<String> settings;

    @TempDir
    private Path folder;

    private CommandLineJvms thalweg;

    /**
     * @param road its name
     * @param java options that its JVMs need
     * @param settings lines of a file of settings, the first of them {@code parallelism: 1}, the others of the engine
     */
    protected TuneContract(String road, List<String> java, List<String> settings) {
        this.road = road;
        this.java = List.copyOf(java);
        this.settings = List.copyOf(settings);
    }

    @BeforeEach
    final void open() throws Exception {
        thalweg = new CommandLineJvms(folder, java);
        // lasts for half a second on any machine
        thalweg.job("Paced", """
                topology.from(Sources.generate(500, i -> i).rate(1_000))
                        .map(i -> i % 7).name("part").isolate()
                        .to(Sinks.print());
                """);
    }

    @AfterEach
    final void leaveNothingRunning() {
        thalweg.close();
    }

    /** The budget is over before any change is tried. */
    @Test
    void shouldCompareOutputsOfRunsAndWriteAFileThatRunApplies() throws Exception {
        Files.write(folder.resolve("first.yaml"), settings);

        Outcome tuned = thalweg.run(
                "tune", "Paced.java", "--on", road, "--tuned", "first.yaml", "--budget", "1s", "--json", "r.json");

        assertThat(tuned.code()).as(tuned.error()).isZero();
        assertThat(tuned.out())
                .contains("Paced.tuned.yaml: thalweg run Paced.java --on " + road + " --tuned Paced.tuned.yaml");
        assertThat(Files.readString(folder.resolve("r.json")))
                .containsPattern("\"runs\" : 2,")
                .containsPattern("\"before\" : [1-9]")
                .containsPattern("\"outputs\" : \\[ \\{\\s+\"name\" : \"[^\"]+\",\\s+\"records\" : 500,");
        assertThat(Files.readAllLines(folder.resolve("Paced.tuned.yaml")).stream()
                        .map(line -> line.replaceFirst("\\s*#.*", ""))
                        .filter(line -> !line.isEmpty()))
                .containsExactlyElementsOf(settings);
        assertThat(thalweg.left()).isEmpty();

        Outcome run = thalweg.run("run", "Paced.java", "--quiet", "--on", road, "--tuned", "Paced.tuned.yaml");

        assertThat(run.code()).as(run.error()).isZero();
        assertThat(run.out().lines()).hasSize(500);
        assertThat(thalweg.run("run", "Paced.java", "--explain", "--on", road, "--tuned", "Paced.tuned.yaml")
                        .out())
                .contains("1 task")
                .doesNotContain("2 tasks");
    }

    @Test
    void shouldRefuseInOneLineWhatDoesNotApply() throws Exception {
        Files.writeString(folder.resolve("threads.yaml"), "parallelism: 1\nthreads: 2\n");
        Files.writeString(folder.resolve("heap.yaml"), "heap: 1g\n");
        String conf = "--" + road + "-conf";

        assertThat(refused("run", "Paced.java", "--on", road, "--tuned", "threads.yaml"))
                .isEqualTo("thalweg: --tuned: threads.yaml:2: 'threads' means nothing with --on " + road + "\n");
        assertThat(refused("tune", "Paced.java", "--on", road, "--tuned", "threads.yaml"))
                .isEqualTo("thalweg: --tuned: threads.yaml:2: 'threads' means nothing with --on " + road + "\n");
        assertThat(refused("run", "Paced.java", "--on", road + "=localhost:1", "--tuned", "heap.yaml"))
                .startsWith("thalweg: --tuned: heap.yaml:1: 'heap' is of the process that runs the job");
        assertThat(refused("tune", "Paced.java", "--on", road + "=localhost:1")).contains("tune it --on " + road + ";");
        assertThat(refused("tune", "Paced.java", "--on", road, conf, "fast"))
                .isEqualTo("thalweg: --on " + road + ": " + conf + " takes KEY=VALUE, not fast\n");
        assertThat(folder.resolve("Paced.tuned.yaml")).doesNotExist();
    }

    /** Runs a command that is wrong; returns the line that it says. */
    protected final String refused(String... arguments) throws Exception {
        Outcome run = thalweg.run(arguments);
        assertThat(run.error().lines()).as(run.error()).hasSize(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.code()).isNotZero();
        return run.error();
    }

    /** Whoever is killed leaves a folder, which the next call removes. */
    @ParameterizedTest
    @CsvSource({"INT, 130", "KILL, 137"})
    void shouldLeaveNoProcessWhenItEndsBeforeItsRuns(String signal, int code) throws Exception {
        thalweg.job("Long", "topology.from(Sources.generate(1_000_000, i -> i).rate(1_000)).to(Sinks.print());");
        Process process = thalweg.start("tune", "Long.java", "--on", road);
        CountDownLatch never = new CountDownLatch(1);
        for (int look = 0; !isUp() && process.isAlive() && look < 10_000; look++) {
            assertThat(never.await(20, TimeUnit.MILLISECONDS)).isFalse();
        }
        List<ProcessHandle> children = process.descendants().toList();
        assertThat(children).isNotEmpty();
        assertThat(ListeningSocket.beyondLoopback()).isEmpty();
        Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start();
        assertThat(kill.waitFor()).isZero();

        Outcome ended = thalweg.end(process);

        assertThat(ended.code()).as(ended.error()).isEqualTo(code);
        for (ProcessHandle child : children) {
            assertThat(child.onExit().get(5, TimeUnit.MINUTES).isAlive()).isFalse();
        }
        assertThat(folder.resolve("Long.tuned.yaml")).doesNotExist();
        if (code != KILLED) {
            assertThat(ended.error()).contains("stopping; what pays so far is kept");
            assertThat(thalweg.left()).isEmpty();
        }
    }

    /** The engine has a folder in that of the runs. */
    private boolean isUp() throws IOException {
        try (Stream<Path> all = Files.walk(thalweg.temporary(), 3)) {
            return all.anyMatch(each -> each.getFileName().toString().startsWith("thalweg-" + road + "-"));
        } catch (UncheckedIOException e) {
            return false; // something went while it was looked at
        }
    }
}
