// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code thalweg storm run} in a JVM of its own, as a user has it. */
@Timeout(600)
@Execution(ExecutionMode.CONCURRENT)
@Tag("integration")
final class StormRunCommandTest {
    @TempDir
    private static Path folder;

    private static Path jar;

    /** The topology is in the jar alone. */
    @BeforeAll
    static void pack() throws IOException {
        jar = folder.resolve("words.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, Words.class.getName());
        Path classes = Path.of(System.getProperty("java.class.path").split(File.pathSeparator)[0]);
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest);
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(StormRunCommandTest::isOfTheTopology).toList()) {
                out.putNextEntry(
                        new JarEntry(classes.relativize(file).toString().replace('\\', '/')));
                Files.copy(file, out);
                out.closeEntry();
            }
        }
    }

    private static boolean isOfTheTopology(Path file) {
        return file.getFileName().toString().startsWith("Words");
    }

    private static CommandLine.Outcome run(String... arguments) throws Exception {
        return new CommandLine(folder).run(arguments);
    }

    /** How much it has done by then, the machine says. */
    @Test
    void shouldRunWhatMainSubmitsForAsLongAsItIsTold() throws Exception {
        CommandLine.Outcome outcome = run(jar.toString(), "--for", "1s", "--", "submit");
        assertThat(outcome.error()).contains("thalweg: topology 'words' runs\n");
        assertThat(outcome.code()).as(outcome.error()).isZero();
        assertThat(outcome.out())
                .containsPattern("topology words\n +component +executors +tasks +emitted +transferred +executed +acked")
                .containsPattern("exclaim +2 +2 +[0-9]")
                .containsPattern("words +1 +1 +[0-9]");
    }

    /** As it may on a cluster, where what it has submitted runs elsewhere. */
    @Test
    void shouldFail_ifMainEndsTheProcessWhileItsTopologyRuns() throws Exception {
        CommandLine.Outcome outcome = run(jar.toString(), "--", "exits");
        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.error())
                .contains("ended this process with System.exit at io.thalweg.cli.storm.Words.main(Words.java:")
                .endsWith("; let main return: its topologies run on without it, as on a cluster\n");
        CommandLine.Outcome later = run(jar.toString(), "--", "exits later");
        assertThat(later.code()).as(later.error()).isZero();
        assertThat(later.error()).doesNotContain("System.exit");
    }

    @Test
    void shouldRunWhatMainGivesToALocalCluster() throws Exception {
        CommandLine.Outcome outcome = run(jar.toString(), "--class", Words.class.getName(), "--", "local");
        assertThat(outcome.code()).as(outcome.error()).isZero();
        assertThat(outcome.out()).containsPattern("topology local\n.*\n +exclaim +2 +2 +[1-9]");
    }

    /** Its submitTopology returned nothing. */
    @Test
    void shouldRunAMainThatWasCompiledForTheLocalClusterOfStorm1() throws Exception {
        Path sources = Files.createDirectories(folder.resolve("storm1"));
        Path cluster = Files.writeString(sources.resolve("LocalCluster.java"), """
                package org.apache.storm;

                public class LocalCluster {
                    public void submitTopology(String name, java.util.Map conf, org.apache.storm.generated.StormTopology topology) {}

                    public void shutdown() {}
                }
                """);
        Path main = Files.writeString(sources.resolve("Old.java"), """
                import org.apache.storm.*;
                import org.apache.storm.testing.TestWordSpout;
                import org.apache.storm.topology.TopologyBuilder;
                import org.apache.storm.utils.*;

                public class Old {
                    static final long LARGE = 1L << 40; // takes two places among the constants

                    public static void main(String[] arguments) throws Exception {
                        TopologyBuilder builder = new TopologyBuilder();
                        builder.setSpout("words", new TestWordSpout());
                        LocalCluster cluster = new LocalCluster();
                        cluster.submitTopology("old", new Config(), builder.createTopology());
                        StormSubmitter.submitTopology("new", new Config(), builder.createTopology());
                        System.out.println(LARGE + arguments.length);
                        cluster.shutdown();
                        NimbusClient.Builder.withConf(Utils.readStormConfig()).build().getClient().killTopology("new");
                    }
                }
                """);
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, "-d", sources.toString(), cluster.toString(), main.toString()))
                .isZero();
        Path old = folder.resolve("old.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(old))) {
            out.putNextEntry(new JarEntry("Old.class"));
            out.write(Files.readAllBytes(sources.resolve("Old.class")));
            out.closeEntry();
        }

        CommandLine.Outcome outcome = run(old.toString(), "--class", "Old", "--for", "4m");

        assertThat(outcome.code()).as(outcome.error()).isZero();
        assertThat(outcome.out()).contains("1099511627776\n", "topology old\n", "topology new\n");
    }

    /** Its class is in the jar alone. */
    @Test
    void shouldNotifyWhoIsToKnowOfASubmission() throws Exception {
        CommandLine.Outcome outcome = run(jar.toString(), "-c", WordsNotified.OPTION, "--for", "4m", "--", "submit");
        assertThat(outcome.code()).as(outcome.error()).isZero();
        assertThat(outcome.out()).containsOnlyOnce("submitted: words, ACTIVE, its spouts [words]\n");
        assertThat(outcome.error()).doesNotContain("no effect");
    }

    /** What a killed topology had done is told, and its name is free. */
    @Test
    void shouldRunATopologyAgainThatWasKilled() throws Exception {
        CommandLine.Outcome outcome = run(jar.toString(), "--", "again");
        assertThat(outcome.code()).as(outcome.error()).isZero();
        assertThat(outcome.out().split("topology again\n", -1))
                .as(outcome.out())
                .hasSize(4);
        assertThat(outcome.out()).contains("ended: true, true, true").doesNotContain("topology null");
    }

    @Test
    void shouldSayHowManyTuplesWereDropped() throws Exception {
        CommandLine.Outcome outcome = run(jar.toString(), "--", "round");
        assertThat(outcome.code()).as(outcome.error()).isZero();
        assertThat(outcome.error()).containsPattern("of topology 'round', [1-9][0-9]* tuples came too late");
    }

    @Test
    void shouldSayHowManyTuplesAreGivenUp() throws Exception {
        CommandLine.Outcome outcome = run(jar.toString(), "--", "kept");
        assertThat(outcome.code()).as(outcome.error()).isZero();
        assertThat(outcome.error())
                .containsPattern(
                        "of topology 'kept', [1-9][0-9]* tuples were given up that 'keep' had neither acked nor failed\n")
                .doesNotContain("'end'");
    }

    @Test
    void shouldLetTopologiesRunWithinACall() throws Exception {
        CommandLine.Outcome outcome = run(jar.toString(), "--", "call");
        assertThat(outcome.code()).as(outcome.error()).isZero();
        assertThat(outcome.out()).contains("the call returned 7\n").contains("topology called\n");
    }

    /** By a LocalDRPC, and by a client of the server that a topology was built for. */
    @Test
    void shouldAnswerCallsOfMain() throws Exception {
        CommandLine.Outcome outcome = run(jar.toString(), "--", "drpc");
        assertThat(outcome.code()).as(outcome.error()).isZero();
        assertThat(outcome.out()).contains("local: hello!\n", "remote: hallo!\n");
        assertThat(outcome.error())
                .containsOnlyOnce("thalweg: topology 'remote' answers the DRPC function 'shout' for calls from this"
                        + " process only: there is no DRPC server\n")
                .doesNotContain("'local' answers");
    }

    /** Main is told that its topology has ended, which is no failure of it. */
    @Test
    void shouldEndAsItIsTold_whileMainWaitsForAnAnswer() throws Exception {
        CommandLine.Outcome outcome = run(jar.toString(), "--for", "1s", "--wait", "1s", "--", "held");
        assertThat(outcome.code()).as(outcome.error()).isZero();
        assertThat(outcome.out()).contains("topology held\n");
    }

    @Test
    void shouldSayThatNobodyAnswers() throws Exception {
        CommandLine.Outcome outcome = run(jar.toString(), "-c", "drpc.request.timeout.secs=1", "--", "unanswered");
        assertThat(outcome.code()).as(outcome.error()).isEqualTo(1);
        assertThat(outcome.error())
                .startsWith("thalweg: main of io.thalweg.cli.storm.Words threw ")
                .contains(
                        "no answer to 'shout' within 1 s (drpc.request.timeout.secs); no topology that runs answers it")
                .hasLineCount(1);
    }

    /** What it prints to standard output where Ctrl-C comes when it has written this line. */
    private static String interrupted(String line, String... arguments) throws Exception {
        Process process = new CommandLine(folder).start(arguments);
        try {
            CommandLine.awaitLines(process, new StringBuilder(), line);
            new ProcessBuilder("kill", "-INT", Long.toString(process.pid()))
                    .start()
                    .waitFor();
            String out = CommandLine.text(process.getInputStream());
            assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
            assertThat(process.exitValue()).isEqualTo(130);
            return out;
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void shouldRunSeveralTopologies() throws Exception {
        assertThat(interrupted("'two' runs\n", jar.toString(), "--", "twice"))
                .contains("topology one\n")
                .contains("topology two\n");
    }

    @Test
    void shouldStopAtCtrlC() throws Exception {
        assertThat(interrupted("executed\n", jar.toString(), "--", "told"))
                .contains("topology words\n")
                .containsPattern("exclaim +2 +2 +[1-9]")
                .containsPattern("words +1 +1 +[1-9]");
    }

    /** What it leaves when it is killed, the next one removes; not that of one that runs. */
    @Test
    void shouldBeSeenAndStoppedByTheOtherCommands(@TempDir Path own) throws Exception {
        CommandLine commands = new CommandLine(own);
        Process running = commands.start(jar.toString(), "--", "twice");
        Process other = commands.start(jar.toString(), "--", "submit");
        try {
            StringBuilder error = new StringBuilder();
            CommandLine.awaitLines(running, error, "'two' runs\n");
            List<Path> first = commands.left();
            CommandLine.awaitLines(other, new StringBuilder(), "'words' runs\n");
            assertThat(commands.left()).as("of one that runs").containsAll(first);
            assertThat(commands.call("jobs").out())
                    .containsPattern("one-" + running.pid() + " +RUNNING +embedded ")
                    .containsPattern("two-" + running.pid() + " +RUNNING")
                    .containsPattern("words-" + other.pid() + " +RUNNING");
            CommandLine.Outcome stopped = commands.call("stop", "one");
            assertThat(stopped.code()).as(stopped.error()).isZero();
            assertThat(stopped.out()).contains("one-" + running.pid() + " stopped: ");
            assertThat(commands.call("savepoint", "two").error()).contains("a topology of Storm has no savepoints");
            assertThat(commands.call("stop", "--drain", "two").code()).isZero();
            assertThat(CommandLine.text(running.getInputStream())).contains("topology one\n", "topology two\n");
            assertThat(running.waitFor(5, TimeUnit.MINUTES)).isTrue();
            assertThat(running.exitValue()).isZero();

            List<Path> left = commands.left();
            assertThat(left).as("what the one that runs needs").isNotEmpty();
            other.destroyForcibly();
            assertThat(other.waitFor(5, TimeUnit.MINUTES)).isTrue();
            assertThat(commands.left()).isEqualTo(left);
            assertThat(commands.run(jar.toString(), "--", "local").code()).isZero();
            assertThat(commands.left()).isEmpty();
        } finally {
            running.destroyForcibly();
            other.destroyForcibly();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "throws  | 1 | Words threw java.lang.IllegalStateException: no settings",
                "nothing | 2 | Words has submitted no topology",
                "invalid | 2 | Storm refuses it",
                "fails   | 1 | topology 'fails', operator 'exclaim'",
                "same    | 1 | Topology name one is either not allowed or it already exists",
                "pending | 2 | Words cannot submit its topology: topology.max.spout.pending must be an Integer within type range",
                "blobs   | 2 | Words cannot submit its topology: topology.blobstore.map names [dictionary], and there is no blob store",
                "pending locally | 2 | topology.max.spout.pending must be an Integer within type range; it is \"ten\"",
            })
    void shouldSayInOneLineWhatFailed(String what, int code, String line) throws Exception {
        CommandLine.Outcome outcome = run(jar.toString(), "--for", "4m", "--", what);
        assertThat(outcome.code()).as(outcome.error()).isEqualTo(code);
        List<String> lines = outcome.error().lines().toList();
        assertThat(lines.get(lines.size() - 1)).startsWith("thalweg: ").contains(line);
        assertThat(outcome.error()).doesNotContain("\tat ");
    }

    @Test
    void shouldSayOfEachTopologyWhyItFailed() throws Exception {
        CommandLine.Outcome failed = run(jar.toString(), "--", "both fail");
        assertThat(failed.code()).as(failed.error()).isEqualTo(1);
        assertThat(failed.error().lines().filter(line -> line.contains("no such table")))
                .hasSize(2)
                .allMatch(line -> line.startsWith("thalweg: topology '"))
                .anyMatch(line -> line.contains("topology 'one', operator 'end'"))
                .anyMatch(line -> line.contains("topology 'two', operator 'end'"));
        CommandLine.Outcome refused = run(jar.toString(), "--", "both are refused");
        assertThat(refused.code()).as(refused.error()).isEqualTo(2);
        assertThat(refused.error().lines().filter(line -> line.startsWith("thalweg: topology '")))
                .hasSize(2)
                .anyMatch(line -> line.contains("topology 'one'") && line.contains("nobody of one"))
                .anyMatch(line -> line.contains("topology 'two'") && line.contains("nobody of two"));
    }

    @Test
    void shouldSayWhatIsWrongWithTheCommandLine() throws Exception {
        Path text = Files.writeString(folder.resolve("text.jar"), "no jar");
        Path bare = folder.resolve("bare.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(bare))) {
            out.putNextEntry(new JarEntry("a"));
            out.closeEntry();
        }
        refused("there is no file nowhere.jar", "nowhere.jar");
        refused("is no jar: it is a folder", folder.toString());
        refused("text.jar is no jar", text.toString());
        refused("the jar names no main class; add --class MAIN", bare.toString());
        refused("there is no class Words in the jar; name it with its package", jar.toString(), "--class", "Words");
        refused("has no public main(String[])", jar.toString(), "--class", Words.class.getName() + "$Exclaim");
        refused("--config takes KEY=VALUE, not x", jar.toString(), "-c", "x");
        refused(
                "--config: topology.message.timeout.secs must be a Positive Number; it is -5",
                jar.toString(),
                "-c",
                "topology.message.timeout.secs=-5");
        refused("--for takes a number", jar.toString(), "--for", "soon");
        refused("--on is one of embedded, flink, flink=HOST:PORT, not flnk", jar.toString(), "--on", "flnk");
        refused("thalweg-flink on the class path", jar.toString(), "--on=flink=localhost:8081");
        refused("--on storm is not for topologies of Storm", jar.toString(), "--on", "storm");
        refused("--state means nothing", jar.toString(), "--on", "flink=localhost:8081", "--state", "s");
        refused("--wait means nothing", jar.toString(), "--on", "flink=localhost:8081", "--wait", "1s");
        refused("--threads means nothing", jar.toString(), "--on", "flink=localhost:8081", "--threads", "2");
        refused("--threads must be from 1 to 1024, not 0", jar.toString(), "--threads", "0");
        refused("Missing required parameter: 'JAR'");
    }

    private static void refused(String line, String... arguments) throws Exception {
        CommandLine.Outcome outcome = run(arguments);
        assertThat(outcome.code()).as(outcome.error()).isEqualTo(2);
        assertThat(outcome.error()).startsWith("thalweg: ").contains(line).hasLineCount(1);
    }

    /** How long it is watched: on a busy machine the first seconds go by before a topology does what it does. */
    private static final List<String> LONGER_AND_LONGER = List.of("8s", "30s", "2m");

    /**
     * Its start and the doctor's samples make objects for some collections, which take a while where others keep the cores busy, and
     * are not what is planted: there is room for all of them without one.
     */
    private static final String[] ROOMY = {"-Xms512m", "-Xmn384m", "-XX:MetaspaceSize=256m"};

    /** The last outcome, of which this is found unless it cannot be found in minutes. */
    private static CommandLine.Outcome diagnosed(String planted, String found, String... options) throws Exception {
        List<String> arguments = new ArrayList<>(
                List.of(jar.toString(), "--class", WordsPlanted.class.getName(), "--wait", "1s", "--doctor"));
        arguments.addAll(List.of(options));
        arguments.addAll(List.of("--for", "", "--", planted));
        int time = arguments.size() - 3;
        CommandLine.Outcome outcome = new CommandLine.Outcome(-1, "", "");
        for (int i = 0; i < LONGER_AND_LONGER.size() && !outcome.error().contains(found); i++) {
            arguments.set(time, LONGER_AND_LONGER.get(i));
            outcome = new CommandLine(folder).withJava(ROOMY).run(arguments.toArray(String[]::new));
        }
        return outcome;
    }

    @Test
    void shouldFindABoltThatHasTooFewExecutors() throws Exception {
        CommandLine.Outcome outcome =
                diagnosed("slow bolt", "  1. parallelism in 'slow'", "--json", "slow.json", "--html", "slow.html");

        assertThat(outcome.code()).as(outcome.error()).isZero();
        assertThat(outcome.out()).containsPattern("topology planted\n").doesNotContain("Doctor");
        assertThat(outcome.error())
                .contains("Doctor: planted\n", "  1. parallelism in 'slow'")
                .containsPattern("remedy +give 'slow' [0-9]+ executors: the number behind its name")
                .contains("of the time 'words' held back");
        assertThat(Files.readString(folder.resolve("slow.html"))).startsWith("<!DOCTYPE html>");
        CommandLine.Outcome again = new CommandLine(folder).call("doctor", "slow.json");
        assertThat(again.code()).as(again.error()).isZero();
        assertThat(outcome.error()).contains(again.out());
    }

    /** By samples of its thread. */
    @Test
    void shouldSayInWhichCodeABoltComputes() throws Exception {
        CommandLine.Outcome outcome =
                diagnosed("computing bolt", "% in WordsPlanted.Compute.mixed", "--html", "computes.html");

        assertThat(outcome.code()).as(outcome.error()).isZero();
        assertThat(outcome.error())
                .containsPattern("in your 'computes', of that [0-9]+ % in WordsPlanted.Compute.mixed"
                        + " \\(WordsPlanted.java:[0-9]+\\)");
        assertThat(Files.readString(folder.resolve("computes.html"))).contains("WordsPlanted.Compute.mixed");
    }

    @Test
    void shouldFindTooFewPendingTuples() throws Exception {
        CommandLine.Outcome outcome = diagnosed("small pending", "  1. max-pending: ", "--json", "-");

        assertThat(outcome.code()).as(outcome.error()).isZero();
        assertThat(outcome.error())
                .contains(
                        "  bound by acks: ", "  1. max-pending: ", "topology.max.spout.pending: ", "topology planted\n")
                .doesNotContain("  2. ");
        assertThat(outcome.out()).startsWith("{").endsWith("}\n");
    }

    @Test
    void shouldAdviseNothing_whereNothingIsWrong() throws Exception {
        CommandLine.Outcome outcome = diagnosed("healthy", "  nothing to change\n");

        assertThat(outcome.code()).as(outcome.error()).isZero();
        assertThat(outcome.error())
                .contains("Doctor: planted\n", "  bound by its spouts, or what they read: ", "  nothing to change\n");
    }

    @Test
    void shouldSayWhyATopologyFailed() throws Exception {
        CommandLine.Outcome outcome = run(jar.toString(), "--doctor", "--", "fails");

        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.error().lines().toList())
                .last()
                .asString()
                .startsWith("thalweg: ")
                .contains("no such table");
    }

    @Test
    void shouldSayOfWhichTopologyAFileIs_ifThereAreSeveral() throws Exception {
        CommandLine.Outcome outcome =
                run(jar.toString(), "--doctor", "--json", "two.json", "--for", "10s", "--", "twice");

        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.error())
                .contains(
                        "Doctor: one\n",
                        "Doctor: two\n",
                        "thalweg: --json is of one topology, 'one', and not of 'two'\n");
        assertThat(Files.readString(folder.resolve("two.json"))).contains("\"one\"");
    }

    @Test
    void shouldRefuseWhatTheDoctorCannotDo() throws Exception {
        refuses("--json is for --doctor", jar.toString(), "--json", "a.json", "--", "submit");
        refuses("--html is for --doctor", jar.toString(), "--html", "a.html", "--", "submit");
        refuses(
                "--doctor watches topologies that run in this process, and not with --on flink",
                jar.toString(),
                "--doctor",
                "--on",
                "flink");
        refuses(
                "--json: words.jar is used by this command already",
                "words.jar",
                "--doctor",
                "--json",
                "words.jar",
                "--",
                "submit");
        Files.writeString(folder.resolve("read.yaml"), "name: read");
        refuses(
                "--html: read.yaml is used by this command already",
                "--flux",
                "read.yaml",
                "--doctor",
                "--html",
                "read.yaml");
    }

    private static void refuses(String line, String... arguments) throws Exception {
        CommandLine.Outcome outcome = run(arguments);
        assertThat(outcome.error().lines().toList())
                .as(outcome.error())
                .singleElement()
                .asString()
                .startsWith("thalweg: " + line);
        assertThat(outcome.code()).isEqualTo(2);
    }
}
