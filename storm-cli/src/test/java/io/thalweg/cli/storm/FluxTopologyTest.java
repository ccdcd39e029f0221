// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.thalweg.cli.UsageException;
import io.thalweg.run.JobFailedException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is refused of a topology in Flux YAML, and where it is said to be. */
final class FluxTopologyTest {
    private static final List<String> LINES = List.of(
            "name: words", // 1
            "spouts:",
            "  - id: words",
            "    className: org.apache.storm.testing.TestWordSpout",
            "bolts:", // 5
            "  - id: count",
            "    className: io.thalweg.cli.storm.FluxWords$Count",
            "    parallelism: 2",
            "  - {id: log, className: org.apache.storm.flux.wrappers.bolts.LogInfoBolt}",
            "streams:", // 10
            "  - {from: words, to: count, grouping: {type: FIELDS, args: [word]}}",
            "  - from: count",
            "    to: log",
            "    grouping: {type: SHUFFLE}");

    @TempDir
    private static Path folder;

    private static Path jar;
    private static TopologyLoader loader;

    @BeforeAll
    static void pack() throws IOException {
        jar = FluxJar.words(folder.resolve("words.jar"), Map.of("part.yaml", "name: part\nspoutz: []\n"));
        loader = new TopologyLoader(List.of(jar, FluxJar.core()));
    }

    @AfterAll
    static void close() throws IOException {
        loader.close();
    }

    private static FluxText text(String name, String text) {
        return new FluxText(name, text.getBytes(StandardCharsets.UTF_8));
    }

    private static Throwable refused(String yaml, FluxText.Values values) {
        FluxTopology topology = new FluxTopology(new FluxClasses(loader, jar), text("words.yaml", yaml), values);
        Throwable thrown = catchThrowable(topology::submit);
        assertThat(thrown).isInstanceOf(UsageException.class);
        return thrown;
    }

    private static Throwable refused(byte[] yaml) {
        FluxText text = new FluxText("words.yaml", yaml);
        FluxText.Values none = new FluxText.Values(new Properties(), null, false);
        return catchThrowable(new FluxTopology(new FluxClasses(loader, jar), text, none)::submit);
    }

    private static Throwable refused(String yaml) {
        return refused(yaml, new FluxText.Values(new Properties(), null, false));
    }

    /** One line of a topology that is right otherwise. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "1  | nome: words           | line 1: Flux cannot read it: Unable to find property 'nome'",
                "1  | # name: words         | words.yaml: the topology has no name; add a line name: NAME",
                "1  | name: [words          | line 2: Flux cannot read it: expected ',' or ']'",
                "1  | `name: ${name}`       | line 1: the property name is not given; add --filter FILE with a line name=VALUE",
                "1  | `name: ${ENV-NAME}`   | line 1: ${ENV-NAME} is a variable of the environment; add --env-filter",
                "4  | `    className: Words`| line 4: there is no class Words in",
                "4  | `    className: org.apache.storm.topology.base.BaseRichSpout` | words.yaml: Flux cannot build it: a class that it names is abstract",
                "4  | `    className: io.thalweg.cli.storm.FluxWords$Spout` | line 4: class io.thalweg.cli.storm.FluxWords$Spout cannot be created: it needs constructorArgs",
                "4  | `    className: java.util.ArrayList` | words.yaml: Flux cannot build it: class java.util.ArrayList cannot be cast",
                "4  | `    parallelism: 1`  | line 3: spout 'words' has no className",
                "6  | `  - numTasks: 1`     | line 7: a bolt has no id",
                "8  | `    parallelism: few`| line 8: Flux cannot read it: For input string: \"few\"",
                "8  | `    constructorArgs: [1]` | words.yaml: Flux cannot build it: Couldn't find a suitable constructor for class",
                "8  | `    properties: [{name: size, value: 1}]` | line 8: there is no setter, and no public field, for property size",
                "11 | `  - {from: words, to: cuont, grouping: {type: SHUFFLE}}` | line 11: the stream from 'words' to 'cuont' leads to no bolt; there are count, log",
                "12 | `  - from: cuont`     | line 12: the stream from 'cuont' to 'log' comes from no spout or bolt; there are words and count, log",
                "11 | `  - {from: words, to: count}` | line 11: the stream from 'words' to 'count' has no grouping",
                "14 | `    grouping: {type: FIELDS}` | line 13: the stream from 'count' to 'log' has a grouping by FIELDS without args",
                "14 | `    grouping: {type: CUSTOM}` | line 13: the stream from 'count' to 'log' has a CUSTOM grouping without customClass",
                "14 | `    grouping: {type: SHUFLE}` | line 14: Flux cannot read it: Unable to find enum value 'SHUFLE'",
                "14 | `name: others`        | line 14: name is given twice, and Flux would take the last one alone; leave one out",
                "8  | `    className: A`    | line 8: className is given twice",
                "9  | `  - {id: count, className: io.thalweg.cli.storm.FluxWords$Store}` | line 9: two bolts have the id 'count', and Flux would run the last one alone; give one another id",
                "9  | `  -`                 | line 9: an element of bolts is empty; leave it out",
                "11 | `  - ~`               | line 11: an element of streams is empty; leave it out",
                "14 | `includes:`           | line 14: includes is empty; leave it out",
                "8  | `    constructorArgs: [{ref: gone}]` | line 8: there is no component 'gone' before this one; there is none",
                "8  | `    properties: [{name: x, ref: gone}]` | line 8: there is no component 'gone' before this one",
                "8  | `    configMethods: [{name: x, args: [{reflist: [gone]}]}]` | words.yaml: there is no component 'gone' before this one",
                "5  | `config:`             | line 6: Flux cannot read it: No suitable constructor",
                "14 | `config: {topology.workers: many}` | line 14: topology.workers must be an Integer within type range; it is \"many\"",
            })
    void shouldSayWhichLineIsWrong(int number, String line, String message) {
        List<String> lines = new ArrayList<>(LINES);
        lines.set(number - 1, line);

        Throwable thrown = refused(String.join("\n", lines));

        assertThat(thrown)
                .hasMessageStartingWith(message.startsWith("words.yaml") ? message : "words.yaml, " + message);
    }

    @Test
    void shouldBlameTheClassWhoseStaticInitializerThrows() {
        String yaml = String.join("\n", LINES).replace("FluxWords$Count", "FluxWords$Unset");
        FluxTopology topology = new FluxTopology(
                new FluxClasses(loader, jar),
                text("words.yaml", yaml),
                new FluxText.Values(new Properties(), null, false));

        assertThatThrownBy(topology::submit)
                .isInstanceOf(JobFailedException.class)
                .hasMessage("words.yaml, line 7: io.thalweg.cli.storm.FluxWords$Unset threw"
                        + " java.lang.IllegalStateException: no table words")
                .hasCauseInstanceOf(ExceptionInInitializerError.class);
    }

    @Test
    void shouldRefuseWhatIsNoTopology() {
        assertThat(refused("")).hasMessageStartingWith("words.yaml is empty; a topology has a name");
        assertThat(refused("# name: words\n\n")).hasMessageStartingWith("words.yaml is empty");
        assertThat(refused("---\n")).hasMessage("words.yaml has no topology in it");
        assertThat(refused("words")).hasMessageStartingWith("words.yaml, line 1: Flux cannot read it");
        assertThat(refused("name: words\n"))
                .hasMessage("words.yaml: the topology has neither spouts nor a topologySource");
        assertThat(refused("name: words\nconfig:\ntopologySource: {className: a.B}\n"))
                .hasMessage("words.yaml, line 2: config is empty; leave it out");
        assertThat(refused("name: w\u00f6rter\n".getBytes(StandardCharsets.ISO_8859_1)))
                .hasMessageStartingWith("words.yaml is not in UTF-8, as which Flux reads it here");
        assertThat(refused(String.join("\n", LINES) + "\nconfig:\n  ~: 1\n"))
                .hasMessage("words.yaml, line 15: config has a value without a name");
        assertThat(refused(String.join("\n", LINES) + "\n  - {from: words, to: count, grouping: {type: SHUFFLE}}\n"))
                .hasMessageStartingWith("words.yaml: stream 'default' leads from 'words' to 'count' twice, and Storm");
        assertThat(refused("name: words\n# " + "-".repeat(50_000)))
                .hasMessageStartingWith("words.yaml, line 2: it has over 50000 characters");
        assertThat(refused(String.join("\n", LINES) + "\nconfig:\n  a: &a [*a]\n"))
                .hasMessageStartingWith("words.yaml, line 15: config has over 1000000 values");
        assertThat(refused(String.join("\n", LINES) + "\ntopologySource: {className: a.B}\n"))
                .hasMessageStartingWith("words.yaml: Flux cannot build it: Invalid topology config.");
    }

    @Test
    void shouldSayWhichIncludeIsWrong() throws IOException {
        Path part = Files.writeString(folder.resolve("part.yaml"), "# a part\nname: ${part}\n");
        String yaml = "name: words\nincludes:\n  - {resource: %s, file: %s}\n";

        assertThat(refused(yaml.formatted(false, part)))
                .hasMessageStartingWith(part + ", line 2: the property part is not given");
        assertThat(refused(yaml.formatted(false, folder.resolve("gone.yaml"))))
                .hasMessage("words.yaml, line 3: there is no file " + folder.resolve("gone.yaml"));
        assertThat(refused(yaml.formatted(false, folder)))
                .hasMessage("words.yaml, line 3 takes a file, and " + folder + " is a folder");
        if (Files.exists(Path.of("/dev/null"))) {
            assertThat(refused(yaml.formatted(false, "/dev/null")))
                    .hasMessage(
                            "words.yaml, line 3: /dev/null is a pipe or a device, and Flux reads an include once more");
        }
        assertThat(refused(yaml.formatted(true, "/part.yaml")))
                .hasMessageStartingWith("/part.yaml, line 2: Flux cannot read it: Unable to find property 'spoutz'");
        assertThat(refused(yaml.formatted(true, "part.yaml")))
                .hasMessage(
                        "words.yaml, line 3: there is no resource part.yaml in " + jar + "; it begins with a slash");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "${given}        | ",
                "# ${other}      | ",
                "${list[1]}      | ",
                "${list[2]}      | the property list has 2 elements, and none of number 2; the first one is list[0]",
                "${given[0]}     | the property given is no list such as [\"a\", \"b\"]: 1",
                "${gone[0]}      | the property gone is not given; add it to my.properties",
                "${other}        | the property other is not given; add it to my.properties",
                "${ENV-PATH}     | ",
                "${ENV-NO_SUCH}  | the environment variable NO_SUCH is not set",
                "- {name: file, value: \"${given}\"}   | Flux takes all up to the last } of the line for the name of a property, given}\"; write the ${…} in a line of its own",
                "- {value: ${ENV-PATH}} | Flux takes all up to the last } of the line for the name of a property, ENV-PATH}; write the ${…} in a line of its own",
                "${given} # {a}  | Flux takes all up to the last } of the line for the name of a property, given} # {a; write the ${…} in a line of its own",
                "- {value: ${list[1]}} | ",
                "${given}${list[0]} | there are two ${…}, and Flux replaces one in a line; write the other one in a line of its own",
            })
    void shouldRefuseWhatFluxWouldLeave(String line, String message) {
        FluxText file = text("my.properties", "given=1\nlist=[\"a\", \"b\"]\n");
        FluxText.Values values = new FluxText.Values(file.properties(), file, true);
        FluxText yaml = text("words.yaml", "name: words\n" + line + "\n");

        if (message == null) {
            yaml.check(values);
        } else {
            assertThatThrownBy(() -> yaml.check(values)).hasMessage("words.yaml, line 2: " + message);
        }
    }

    @Test
    void shouldRefuseFilesThatCannotBeRead() {
        assertThatThrownBy(() -> FluxText.ofFile("--filter", folder.toString()))
                .isInstanceOf(UsageException.class)
                .hasMessage("--filter takes a file, and " + folder + " is a folder");
        assertThatThrownBy(() -> FluxText.ofFile("--filter", "")).hasMessage("--filter names no file: it is empty");
        assertThatThrownBy(() -> FluxText.ofFile("--filter", "gone.properties"))
                .hasMessage("--filter: there is no file gone.properties in "
                        + Path.of("").toAbsolutePath());
        assertThatThrownBy(() -> text("my.properties", "a=\\u12").properties())
                .hasMessageStartingWith("my.properties is no properties file: ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--filter a               |   |   | --filter is for topologies in Flux YAML; add --flux FILE",
                "--env-filter             |   |   | --env-filter is for topologies in Flux YAML; add --flux FILE",
                "--resource               |   |   | --resource is for topologies in Flux YAML; add --flux FILE",
                "--flux a                 | B |   | --flux takes the place of a main; leave out --class B",
                "--flux a                 |   | b | --flux takes the place of a main; leave out the arguments behind --",
                "--flux - --filter -      |   |   | standard input can be read once; name a file with --flux or with --filter",
                "--flux=                  |   |   | --flux names no file: it is empty",
                "--flux=x --resource      |   |   | --flux: there is no resource x in org.apache.storm:flux-core:2.4.0; it begins with a slash",
            })
    void shouldRefuseWhatDoesNotGoTogether(String line, String mainClass, String argument, String message) {
        FluxOptions options = new FluxOptions();
        new picocli.CommandLine(options).parseArgs(line.split(" "));

        assertThatThrownBy(() -> {
                    options.check(mainClass, argument == null ? List.of() : List.of(argument));
                    options.read();
                    options.program(loader, null);
                })
                .isInstanceOf(UsageException.class)
                .hasMessage(message);
    }

    @Test
    void shouldSayThatTheFluxOfAJarDoesNotFit() throws IOException {
        Path old = FluxJar.words(folder.resolve("old.jar"), Map.of());
        try (TopologyLoader bare = new TopologyLoader(List.of(old))) {
            assertThatThrownBy(() -> new FluxClasses(bare, old))
                    .isInstanceOf(UsageException.class)
                    .hasMessageStartingWith(
                            "the Flux of " + old + " cannot be called: java.lang.ClassNotFoundException")
                    .hasMessageEndingWith("it must be flux-core 2, with the libraries that it needs");
        }
    }
}
