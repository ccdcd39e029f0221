// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code thalweg storm run --flux} in a JVM of its own, as a user has it, with the Flux that others wrote. */
@Timeout(900)
@Tag("integration")
final class FluxRunTest {
    private static final String PACKAGE = "io.thalweg.cli.storm.FluxWords$";

    private static final List<String> SENTENCES =
            List.of("the cow jumped over the moon", "an apple a day", "so it is and so it was");

    private static final int REPEAT = 200;

    private static final int EMITTED = REPEAT * SENTENCES.size();

    private static final int WORDS =
            REPEAT * SENTENCES.stream().mapToInt(each -> each.split(" ").length).sum();

    private static final String SPOUT =
            """
            name: words
            config:
              topology.max.spout.pending: 50
              topology.message.timeout.secs: 600
              note: ${note}
            components:
              - id: sentences
                className: %1$sSentences
                constructorArgs: [%2$d]
                configMethods:
                  - {name: say, args: ["%3$s"]}
                  - {name: say, args: ["%4$s"]}
                  - {name: say, args: ["%5$s"]}
            spouts:
              - id: sentences
                className: %1$sSpout
                constructorArgs:
                  - ref: sentences
            """.formatted(PACKAGE, REPEAT, SENTENCES.get(0), SENTENCES.get(1), SENTENCES.get(2));

    private static final String BOLTS = """
            bolts:
              - id: split
                className: %1$sSplit
                parallelism: 3
              - id: count
                className: %1$sCount
                parallelism: 2
                numTasks: 4
              - id: store
                className: %1$sStore
                properties:
                  - name: file
                    value: ${out}
            """.formatted(PACKAGE);

    private static final String STREAMS = """
            streams:
              - {from: sentences, to: split, grouping: {type: SHUFFLE}}
              - {from: split, to: count, grouping: {type: FIELDS, args: [word]}}
              - {from: count, to: store, grouping: {type: GLOBAL}}
            """;

    private static final String SHELL = """
            bolts:
              - id: split
                className: org.apache.storm.flux.wrappers.bolts.FluxShellBolt
                constructorArgs:
                  - [python3, words.py]
                  - [word]
                parallelism: 2
            """;

    private static final String SCRIPT = """
            import storm

            class Split(storm.BasicBolt):
                def process(self, tup):
                    for word in tup.values[0].split():
                        storm.emit([word])

            Split().run()
            """;

    @TempDir
    private static Path folder;

    private static Path jar;
    private static Path full;

    @BeforeAll
    static void pack() throws IOException {
        jar = FluxJar.words(folder.resolve("words.jar"), Map.of("bolts.yaml", BOLTS, "resources/words.py", SCRIPT));
        full = FluxJar.withFlux(folder.resolve("full.jar"), jar);
    }

    private static String write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text);
        return name;
    }

    /** What the store must have written: the words are counted here once more, from the sentences. */
    private static String counted(String note) {
        Map<String, Integer> counts = new TreeMap<>();
        for (String sentence : SENTENCES) {
            for (String word : sentence.split(" ")) {
                counts.merge(word, REPEAT, Integer::sum);
            }
        }
        List<String> lines = new ArrayList<>(List.of("note " + note));
        counts.forEach((word, count) -> lines.add(word + " " + count));
        return String.join("\n", lines) + "\n";
    }

    private static String stored(CommandLine.Outcome outcome, String out) throws IOException {
        assertThat(outcome.code()).as(outcome.error()).isZero();
        return Files.readString(folder.resolve(out));
    }

    private static String filter(String name, String out) throws IOException {
        return write(name, "note=of " + name + "\nout=" + out + "\n");
    }

    /** A clone whose Maven answers with the jar that the build has fetched, and writes what it was asked for. */
    private static Path clone(String name, String script) throws IOException {
        Path home = Files.createDirectory(folder.resolve(name));
        Path maven = Files.writeString(
                home.resolve("mvnw"),
                "#!/bin/sh\nfor word in \"$@\"; do case $word in"
                        + " *.pom | */pom.xml) pom=$word ;; -Dmdep.outputFile=*) jars=${word#*=} ;; esac; done\n"
                        + script + "\n");
        assertThat(maven.toFile().setExecutable(true)).isTrue();
        return home;
    }

    @Test
    void shouldCountWords_withFluxFromMaven_alsoTwiceAtOnce() throws Exception {
        Path home =
                clone("clone", "cat \"$pom\" >>'" + folder + "/asked'; printf %s '" + FluxJar.core() + "' >\"$jars\"");
        CommandLine line = new CommandLine(folder).withJava("-Dthalweg.home=" + home);
        String yaml = write("words.yaml", SPOUT + BOLTS + STREAMS);
        String one = filter("one.properties", "one.txt");
        String two = filter("two.properties", "two.txt");

        CommandLine.Outcome first = line.run(jar.toString(), "--flux", yaml, "--filter", one);

        assertThat(stored(first, "one.txt")).isEqualTo(counted("of one.properties"));
        assertThat(first.error())
                .contains("thalweg: resolving org.apache.storm:flux-core:2.4.0 with Maven ...\n")
                .contains("thalweg: topology 'words' runs\n");
        assertThat(Files.readString(folder.resolve("asked"))).containsOnlyOnce("<artifactId>flux-core</artifactId>");
        assertThat(first.out())
                .containsPattern("topology words\n +component +executors +tasks")
                .containsPattern("count +2 +4 +" + WORDS + " +" + WORDS + " +" + WORDS + " ")
                .containsPattern("sentences +1 +1 +" + EMITTED + " ")
                .containsPattern("split +3 +3 +" + WORDS + " +" + WORDS + " +" + EMITTED + " ")
                .containsPattern("store +1 +1 +0 +0 +" + WORDS + " ");

        Files.delete(folder.resolve("one.txt"));
        CompletableFuture<CommandLine.Outcome> beside = CompletableFuture.supplyAsync(() -> {
            try {
                return line.run(jar.toString(), "--flux", yaml, "--filter", one);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        CommandLine.Outcome second =
                line.run(jar.toString(), "--flux=" + yaml, "--filter=" + two, "-c", "note=another", "--debug");

        assertThat(stored(second, "two.txt")).isEqualTo(counted("another"));
        assertThat(stored(beside.get(), "one.txt")).isEqualTo(counted("of one.properties"));
        assertThat(second.error()).as("it is kept").doesNotContain("resolving");
    }

    /** Its class is in the jar alone. */
    @Test
    void shouldNotifyWhoIsToKnowOfASubmission() throws Exception {
        String yaml = write("endless.yaml", """
                name: endless
                config:
                  storm.topology.submission.notifier.plugin.class: %sNotified
                spouts:
                  - {id: words, className: org.apache.storm.testing.TestWordSpout}
                bolts:
                  - {id: count, className: org.apache.storm.testing.TestGlobalCount}
                streams:
                  - {from: words, to: count, grouping: {type: GLOBAL}}
                """.formatted(PACKAGE));

        CommandLine.Outcome outcome = new CommandLine(folder).run(full.toString(), "--flux", yaml, "--for", "4m");

        assertThat(outcome.code()).as(outcome.error()).isZero();
        assertThat(outcome.out()).containsOnlyOnce("submitted: endless, ACTIVE\n");
    }

    private static void needPython() throws InterruptedException {
        try {
            new ProcessBuilder("python3", "--version").start().waitFor();
        } catch (IOException e) {
            abort("python3 is not installed: the test of a component in Python is left out");
        }
    }

    /** With the storm.py that Flux brings along, and the Flux of the jar: nobody is asked for another one. */
    @Test
    void shouldSplitWordsInPython_withTheFluxOfTheJar_fromStandardInput() throws Exception {
        needPython();
        String text = SPOUT + SHELL + BOLTS.substring(BOLTS.indexOf("  - id: count")) + STREAMS;
        Path yaml = folder.resolve(write("shell.yaml", text));
        Path home = clone("unused", "exit 1");

        CommandLine.Outcome outcome = new CommandLine(folder)
                .withJava("-Dthalweg.home=" + home)
                .withInput(yaml)
                .run(
                        full.toString(),
                        "--flux",
                        "-",
                        "--filter",
                        filter("shell.properties", "shell.txt"),
                        "-c",
                        "topology.message.timeout.secs=600", // however busy the machine
                        "-c",
                        "topology.subprocess.timeout.secs=600");

        assertThat(stored(outcome, "shell.txt")).isEqualTo(counted("of shell.properties"));
        assertThat(outcome.out()).containsPattern("split +2 +2 +" + WORDS + " +" + WORDS + " +" + EMITTED + " ");
    }

    /** What is there counts before what is included, and what is included from the jar. */
    @Test
    void shouldInclude_andReplaceVariablesOfTheEnvironment() throws Exception {
        write("spout.yaml", SPOUT.replace("name: words", "name: ignored").replace("${note}", "${ENV-XDG_RUNTIME_DIR}"));
        String yaml = write("parts.yaml", """
                name: words
                includes:
                  - {resource: false, file: spout.yaml, override: false}
                  - resource: true
                    file: /bolts.yaml
                """ + STREAMS);

        CommandLine.Outcome outcome = new CommandLine(folder)
                .run(
                        full.toString(),
                        "--flux",
                        yaml,
                        "--env-filter",
                        "--filter",
                        filter("parts.properties", "parts.txt"));

        assertThat(stored(outcome, "parts.txt"))
                .isEqualTo(counted(folder.resolve("tmp").toString()));
        assertThat(outcome.out()).contains("topology words\n");
    }

    @Test
    void shouldGroupAsFluxSays() throws Exception {
        StringBuilder yaml = new StringBuilder("""
                name: groupings
                config: {topology.message.timeout.secs: 600}
                spouts:
                  - id: numbers
                    className: %1$sNumbers
                    properties: [{name: count, value: 100}]
                bolts:
                """.formatted(PACKAGE));
        for (String bolt : List.of("all", "custom", "direct", "global", "local", "none", "shuffle")) {
            yaml.append("  - {id: ")
                    .append(bolt)
                    .append(", className: ")
                    .append(PACKAGE)
                    .append("Drain, parallelism: 3}\n");
        }
        yaml.append("""
                  - {id: log, className: org.apache.storm.flux.wrappers.bolts.LogInfoBolt}
                streams:
                  - {from: numbers, to: log, grouping: {type: SHUFFLE}}
                  - {from: numbers, to: all, grouping: {type: ALL}}
                  - {from: numbers, to: direct, grouping: {type: DIRECT, streamId: chosen}}
                  - {from: numbers, to: global, grouping: {type: GLOBAL}}
                  - {from: numbers, to: local, grouping: {type: LOCAL_OR_SHUFFLE}}
                  - {from: numbers, to: none, grouping: {type: NONE}}
                  - {from: numbers, to: shuffle, grouping: {type: SHUFFLE}}
                  - {from: numbers, to: custom, grouping: {type: CUSTOM, customClass: {className: %1$sFirst}}}
                """.formatted(PACKAGE));

        CommandLine.Outcome outcome =
                new CommandLine(folder).run(full.toString(), "--flux", write("groupings.yaml", yaml.toString()));

        assertThat(outcome.code()).as(outcome.error()).isZero();
        assertThat(outcome.error().lines().filter(line -> line.contains("LogInfoBolt: ")))
                .hasSize(100);
        Map<String, Integer> executed = new TreeMap<>();
        Matcher row = Pattern.compile("(?m)^  (\\w+) +3 +3 +0 +0 +([0-9]+) ").matcher(outcome.out());
        while (row.find()) {
            executed.put(row.group(1), Integer.parseInt(row.group(2)));
        }
        assertThat(executed)
                .isEqualTo(Map.of(
                        "all", 300, "custom", 100, "direct", 100, "global", 100, "local", 100, "none", 100, "shuffle",
                        100));
    }

    @Test
    void shouldRunATopologySource() throws Exception {
        String yaml = write("source.yaml", """
                name: source
                config: {out: source.txt, note: plain, topology.message.timeout.secs: 600}
                topologySource:
                  className: %1$sSource
                """.formatted(PACKAGE));

        CommandLine.Outcome outcome = new CommandLine(folder).run(full.toString(), "--flux", yaml);

        assertThat(stored(outcome, "source.txt")).isEqualTo("note plain\nis 3\nit 3\nso 3\n");
    }

    /** The rest of what is refused is in {@link FluxTopologyTest}. */
    @Test
    void shouldSayInOneLineWhatIsWrong() throws Exception {
        String nobody = write("nobody.yaml", SPOUT.replace("${note}", "none").replace("Spout", "Nobody"));
        String broken = write("broken.yaml", """
                name: broken
                spouts: [{id: words, className: org.apache.storm.testing.TestWordSpout}]
                bolts:
                  - id: broken
                    className: %1$sBroken
                streams:
                  - {from: words, to: broken, grouping: {type: SHUFFLE}}
                """.formatted(PACKAGE));
        Path home =
                clone("none", "echo '[ERROR] Could not transfer artifact a:b:jar:1 from central: no route'; exit 1");
        CommandLine line = new CommandLine(folder).withJava("-Dthalweg.home=" + home);

        refused(
                line,
                2,
                "nobody.yaml, line 16: there is no class " + PACKAGE + "Nobody in ",
                full.toString(),
                "--flux",
                nobody);
        refused(
                line,
                1,
                "broken.yaml, line 5: " + PACKAGE + "Broken threw java.lang.IllegalStateException: no table words",
                full.toString(),
                "--flux",
                broken);
        for (String thin : List.of("Narrow", "Thin")) {
            String yaml = Files.readString(folder.resolve(broken)).replace("$Broken", "$" + thin);
            refused(
                    line,
                    1,
                    "thin.yaml, line 5: " + PACKAGE + thin
                            + " threw java.lang.NoClassDefFoundError: io/thalweg/cli/storm/FluxWords$Library;"
                            + " put the library that has it into the jar\n",
                    full.toString(),
                    "--flux",
                    write("thin.yaml", yaml));
        }
        refused(line, 2, "--flux: there is no file gone.yaml in ", "--flux", "gone.yaml");
        Path fresh = Files.createDirectory(folder.resolve("fresh"));
        CommandLine.Outcome offline = new CommandLine(fresh)
                .withJava("-Dthalweg.home=" + home)
                .run("--flux", folder.resolve(nobody).toString());
        assertThat(offline.error())
                .endsWith(
                        "thalweg: the libraries of Flux cannot be resolved: Could not transfer artifact a:b:jar:1 from"
                                + " central: no route\n");
        assertThat(offline.code()).isEqualTo(2);
    }

    private static void refused(CommandLine line, int code, String what, String... arguments) throws Exception {
        CommandLine.Outcome outcome = line.run(arguments);
        assertThat(outcome.error()).startsWith("thalweg: " + what).hasLineCount(1);
        assertThat(outcome.code()).isEqualTo(code);
        assertThat(outcome.out()).isEmpty();
    }

    /** As on a fresh machine: the repository has it, with all that Maven wants of it. */
    @Test
    @Tag("long")
    void shouldGetFluxFromMavensRepository() throws Exception {
        String yaml = write("real.yaml", SPOUT + BOLTS + STREAMS);

        CommandLine.Outcome outcome = new CommandLine(folder)
                .withJava("-Dthalweg.home=" + Path.of("..").toAbsolutePath().normalize())
                .run(jar.toString(), "--flux", yaml, "--filter", filter("real.properties", "real.txt"));

        assertThat(stored(outcome, "real.txt")).isEqualTo(counted("of real.properties"));
    }
}
