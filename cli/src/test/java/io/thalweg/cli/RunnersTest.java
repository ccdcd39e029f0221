// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.cli.Cli.Outcome;
import io.thalweg.doctor.ObservationFile;
import io.thalweg.doctor.observation.Observation;
import io.thalweg.run.RunnerProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the command line makes of what roads and modules say of themselves. */
@Tag("integration")
final class RunnersTest {
    @TempDir
    private Path folder;

    private Cli cli;

    @BeforeEach
    void addTheDummy() throws Exception {
        Path services = Files.createDirectories(folder.resolve("services/META-INF/services"));
        Files.writeString(services.resolve(RunnerProvider.class.getName()), DummyProvider.class.getName() + "\n");
        part("far", """
                road=far
                address=HOST
                help=far away
                command=far
                doctor=far
                refuses=--idle
                jars=acme-far acme-net
                option.--far-key=KEY opens the door
                """);
        part("tools", "command=tools\nhelp=Mends things.\n");
        part("journeys", "command=far travel\nhelp=Travels there.\n");
        part("quiet", "packages=quiet\n");
        Files.createDirectories(folder.resolve("parts/no part"));
        cli = new Cli(folder)
                .withClassPath(folder.resolve("services"))
                .withJava("-Dthalweg.parts=" + folder.resolve("parts"));
        cli.job("Doubles", "topology.from(Sources.of(1, 2)).map(i -> 2 * i).to(Sinks.print());");
    }

    private void part(String name, String said) throws Exception {
        Path module = Files.createDirectories(folder.resolve("parts").resolve(name));
        Files.writeString(module.resolve("part.properties"), said);
    }

    @Test
    void shouldHelpWithEveryRoad() throws Exception {
        Outcome help = cli.run("run", "--help");

        assertThat(help.code()).as(help.error()).isZero();
        assertThat(help.out().replaceAll("\\s+", " "))
                .contains("--on=embedded|dummy[=PLACE]|far[=HOST] where the job runs;")
                .contains("embedded: in this process (default); dummy: nowhere else; far: far away")
                .contains("--dummy-speed=N with --on dummy: how fast")
                .contains("--far-key=KEY with --on far: opens the door");
    }

    @Test
    void shouldRunOnARoadThatOnlyAServiceFileKnows() throws Exception {
        Outcome run = cli.run(
                "run", "Doubles.java", "--quiet", "--on", "dummy=there", "--dummy-speed", "3", "--dummy-speed=4");

        assertThat(run.out().lines()).containsExactlyInAnyOrder("2", "4");
        assertThat(run.error()).isEqualTo("to there with {--dummy-speed=[3, 4]}\n");
        assertThat(run.code()).isZero();
        assertThat(cli.run("run", "Doubles.java", "--explain", "--on=dummy").out())
                .startsWith("topology Doubles: ");
    }

    @Test
    void shouldRefuseInTheWordsOfRoads() throws Exception {
        refused(
                "--on is one of embedded, dummy, dummy=PLACE, far, far=HOST, not dumy; did you mean dummy?",
                "--on",
                "dumy");
        refused("--on is one of embedded, dummy, dummy=PLACE, far, far=HOST, not embedded=1", "--on", "embedded=1");
        refused("--on dummy: there is no such place", "--on", "dummy=bad");
        refused("--threads means nothing with --on dummy", "--on", "dummy", "--threads", "2");
        refused("--far-key is for --on far", "--on", "dummy", "--far-key", "k");
        refused("--dummy-speed is for --on dummy", "--on", "embedded", "--dummy-speed", "1");
        refused(
                "--on far needs acme-far, acme-net on the class path, with all dependencies; ./thalweg adds them",
                "--on",
                "far");
        refused("--idle means nothing with --on far", "--on", "far", "--idle", "park");
    }

    /** The budget is over before any change is tried. */
    @Test
    void shouldTuneOnARoadThatSaysWhatCanBeSetThere() throws Exception {
        cli.withOwnCache();
        cli.job("Paced", "topology.from(Sources.generate(500, i -> i).rate(1_000)).to(Sinks.print());");

        Outcome tuned = cli.run(
                "tune",
                "Paced.java",
                "--quiet",
                "--on",
                "dummy",
                "--dummy-speed",
                "3",
                "--parallelism",
                "1",
                "--budget",
                "1s");

        assertThat(tuned.code()).as(tuned.error()).isZero();
        assertThat(tuned.error()).contains("to null with {--dummy-speed=[3]}");
        assertThat(tuned.out())
                .contains("given     parallelism: 1\n", "'sink' 500, ")
                .contains(
                        "Paced.tuned.yaml: thalweg run Paced.java --on dummy --dummy-speed 3 --tuned Paced.tuned.yaml");
        Outcome run = cli.run("run", "Paced.java", "--quiet", "--on", "dummy", "--tuned", "Paced.tuned.yaml");
        assertThat(run.out().lines()).hasSize(500);
        cli.write("threads.yaml", "threads: 2\n");
        refused(
                "--tuned: threads.yaml:1: 'threads' means nothing with --on dummy",
                "--on",
                "dummy",
                "--tuned",
                "threads.yaml");
        cannotBeTuned("thalweg tune runs jobs on embedded, dummy, not --on far", "--on", "far");
        cannotBeTuned(
                "thalweg tune runs jobs in JVMs of its own, not on a cluster: tune it --on dummy; what is found can be applied"
                        + " with --on dummy=there --tuned FILE",
                "--on",
                "dummy=there");
        cannotBeTuned(
                "--for 'p99<5ms' needs the latency of records, which nobody measures --on dummy; tune for throughput there",
                "--on",
                "dummy",
                "--for",
                "p99<5ms",
                "--rate",
                "100");
        cannotBeTuned("--dummy-speed is for --on dummy", "--on", "embedded", "--dummy-speed", "1");
    }

    private void cannotBeTuned(String message, String... arguments) throws Exception {
        List<String> all = new ArrayList<>(List.of("tune", "Doubles.java"));
        all.addAll(List.of(arguments));
        Outcome run = cli.run(all.toArray(String[]::new));

        assertThat(run.error()).isEqualTo("thalweg: " + message + "\n");
        assertThat(run.code()).isEqualTo(ExitCodes.USAGE);
    }

    @Test
    void shouldJudgeAJobOfARoadByWhatItsTasksTell() throws Exception {
        cli.job("Paced", "topology.from(Sources.generate(1_000, i -> i).rate(500)).to(Sinks.print());");

        Outcome run = cli.run("run", "Paced.java", "--doctor", "--on", "dummy", "--json", "found.json");
        assertThat(run.code()).as(run.error()).isZero();
        assertThat(run.outLines()).hasSize(1_000);
        // on a slow machine, where Java compiles for longer than the job runs, by its cores
        assertThat(run.error()).containsPattern("Doctor: Paced\\n  bound by (the source|\\d cores|one core)");
        Observation seen = observed();
        assertThat(seen.operators()).isEmpty();
        assertThat(seen.plan().chains())
                .isNotEmpty()
                .allSatisfy(chain -> assertThat(chain.runsAs()).isEqualTo("each on a thread of its own"));
        assertThat(seen.spans())
                .isNotEmpty()
                .allSatisfy(span -> assertThat(span.processes()).hasSize(1));

        Outcome page =
                cli.run("doctor", "Paced.java", "--on", "dummy=there", "--html", "found.html", "--json", "found.json");
        assertThat(page.code()).as(page.error()).isZero();
        assertThat(page.out()).contains("Doctor: Paced\n");
        assertThat(Files.readString(folder.resolve("found.html"))).contains("Paced");
        assertThat(observed().spans())
                .as("this process is not the one that runs them")
                .isNotEmpty()
                .allSatisfy(span -> assertThat(span.processes()).isEmpty());
    }

    @Test
    void shouldSayWhyAJobOfARoadFailed_alsoAtOnce() throws Exception {
        cli.job(
                "Fails",
                "topology.from(Sources.generate(500, i -> i).rate(500)).map(i -> 100 / (100 - i)).name(\"divide\")"
                        + ".to(Sinks.discard());");

        Outcome run = cli.run("run", "Fails.java", "--doctor", "--on", "dummy=there", "--json", "found.json");

        assertThat(run.code()).isEqualTo(ExitCodes.FAILED);
        assertThat(run.error()).contains("  1. failure in 'divide': the job failed: ");
        assertThat(observed().state()).hasToString("FAILED");
    }

    @Test
    void shouldRefuseARoadThatIsNotThere_alsoWithTheDoctor() throws Exception {
        refused(
                "--on far needs acme-far, acme-net on the class path, with all dependencies; ./thalweg adds them",
                "--doctor",
                "--on",
                "far");
    }

    private Observation observed() throws Exception {
        return ObservationFile.read(Files.readAllBytes(folder.resolve("found.json")));
    }

    private void refused(String message, String... options) throws Exception {
        String[] arguments = new String[options.length + 2];
        arguments[0] = "run";
        arguments[1] = "Doubles.java";
        System.arraycopy(options, 0, arguments, 2, options.length);
        Outcome run = cli.run(arguments);
        assertThat(run.error()).isEqualTo("thalweg: " + message + "\n");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void shouldKnowCommandsOfModulesThatAreNotThere() throws Exception {
        assertThat(cli.run("--help").out())
                .containsPattern("\n  run +Runs a job")
                .containsPattern(
                        "\n  far +Starts or stops a trial cluster on this machine; travel: travels\\s+there\\.")
                .containsPattern("\n  tools +Mends things\\.");
        Outcome tools = cli.run("tools", "mend", "-X", "password=abc");
        assertThat(tools.error())
                .isEqualTo("thalweg: thalweg tools mend needs thalweg-tools and its dependencies on the class path;"
                        + " ./thalweg adds them\n");
        assertThat(tools.code()).isEqualTo(2);
        assertThat(cli.run("far", "start").error())
                .startsWith("thalweg: thalweg far needs thalweg-far and its dependencies on the class path");
        assertThat(cli.run("far", "of").error())
                .isEqualTo("thalweg: thalweg far takes start, stop or travel, not of\n");
        assertThat(cli.run("tols").error())
                .isEqualTo("thalweg: unknown command 'tols'; did you mean tools? (see thalweg --help)\n");
    }
}
