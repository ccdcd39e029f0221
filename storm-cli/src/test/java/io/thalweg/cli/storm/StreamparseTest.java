// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.python.Packages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code thalweg storm run --streamparse} in a JVM of its own, with streamparse itself. */
@Timeout(900)
@Tag("integration")
final class StreamparseTest {
    private static final List<String> SENTENCES =
            List.of("the river finds the valley", "ein Fluß fließt", "no line is straight");
    private static final int MANY = 200;

    @TempDir
    private static Path folder;

    private static Path project;
    private static String python;

    @BeforeAll
    static void write() throws IOException {
        python = Packages.interpreter(Packages.withStreamparse()).toString();
        project = folder.resolve("words");
        file("config.json", """
                {"serializer": "json", "topology_specs": "topologies/", "virtualenv_specs": "virtualenvs/",
                 "envs": {"small": {}, "large": {"options": {"topology.max.spout.pending": 7}}}}
                """);
        file("topologies/words.py", """
                from streamparse import Grouping, Topology

                from bolts.words import Count, Split
                from spouts.sentences import Sentences


                class Words(Topology):
                    config = {"note": "yes"}
                    sentences = Sentences.spec()
                    split = Split.spec(inputs=[sentences], par={"small": 1, "large": 3})
                    count = Count.spec(inputs={split: Grouping.fields("on"), split["long"]: Grouping.GLOBAL})
                """);
        file("src/spouts/__init__.py", "");
        file("src/spouts/sentences.py", """
                import time

                from streamparse import ReliableSpout


                class Sentences(ReliableSpout):
                    outputs = ["sentence"]

                    def initialize(self, conf, context):
                        self.left = conf["many"]

                    def next_tuple(self):
                        if self.left == 0:
                            time.sleep(0.01)
                            return
                        self.left -= 1
                        self.emit([SENTENCES[self.left %% len(SENTENCES)]], tup_id=self.left)


                SENTENCES = %s
                """.formatted(
                SENTENCES.stream().map(each -> "\"" + each + "\"").collect(Collectors.joining(", ", "[", "]"))));
        file("src/bolts/__init__.py", "");
        file("src/bolts/words.py", """
                import os
                from collections import Counter

                from streamparse import Bolt, Stream


                class Split(Bolt):
                    outputs = [Stream(fields=["on"]), Stream(fields=["word"], name="long")]

                    def process(self, tup):
                        for word in tup.values[0].split():
                            self.emit([word])
                            if len(word) > 4:
                                self.emit([word], stream="long")


                class Count(Bolt):
                    def initialize(self, conf, context):
                        self.out = conf["out"]
                        self.all = conf["all"]
                        self.first = "%s %s" % (conf["note"], conf["topology.max.spout.pending"])
                        self.counts = Counter()

                    def process(self, tup):
                        self.counts[tup.stream + " " + tup.values[0]] += 1
                        with open(self.out + ".new", "w", encoding="utf-8") as out:
                            print(self.first, file=out)
                            for each in sorted(self.counts):
                                print(each, self.counts[each], file=out)
                        os.replace(self.out + ".new", self.out)
                        if sum(self.counts.values()) == self.all:
                            self.logger.info("counted all")
                """);
    }

    private static void file(String name, String text) throws IOException {
        Path file = project.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static String counted() {
        Map<String, Integer> counts = new TreeMap<>();
        for (int i = 0; i < MANY; i++) {
            for (String word : SENTENCES.get(i % SENTENCES.size()).split(" ")) {
                counts.merge("default " + word, 1, Integer::sum);
                if (word.length() > 4) {
                    counts.merge("long " + word, 1, Integer::sum);
                }
            }
        }
        return counts.entrySet().stream()
                .map(each -> each.getKey() + " " + each.getValue() + "\n")
                .collect(Collectors.joining("", "yes 7\n", ""));
    }

    @Test
    void shouldCountWords() throws Exception {
        Path out = folder.resolve("out.txt");
        Process process = new CommandLine(folder)
                .start(
                        FluxJar.core().toString(),
                        "--streamparse",
                        "words",
                        "--python",
                        python,
                        "--environment=large",
                        "-c",
                        "many=" + MANY,
                        "-c",
                        "topology.message.timeout.secs=600", // however busy the machine
                        "-c",
                        "topology.subprocess.timeout.secs=600",
                        "-c",
                        "out=" + out,
                        "-c",
                        "all="
                                + counted()
                                        .lines()
                                        .skip(1)
                                        .mapToInt(each -> Integer.parseInt(each.substring(each.lastIndexOf(' ') + 1)))
                                        .sum());
        CommandLine.limit(process, 600);
        try {
            CommandLine.awaitLines(process, new StringBuilder(), "counted all\n");
            new ProcessBuilder("kill", "-INT", Long.toString(process.pid()))
                    .start()
                    .waitFor();
            String table = CommandLine.text(process.getInputStream());
            assertThat(process.waitFor()).isEqualTo(130);
            assertThat(out).hasContent(counted());
            assertThat(table)
                    .startsWith("topology words\n")
                    .containsPattern("sentences +1 +1 +" + MANY + " +" + MANY + " ")
                    .containsPattern("split +3 +3 ");
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void shouldSayWhatIsWrong() throws Exception {
        CommandLine line = new CommandLine(folder);
        refused(
                line,
                "streamparse cannot make the topology of words: error: Found more than one environment",
                "--streamparse=words",
                "--python=" + python);
        refused(
                line,
                "streamparse cannot make the topology of words: error: Topology definition file not found"
                        + " topologies/none.py",
                "--streamparse=words",
                "--name=none",
                "--python=" + python);
        file("topologies/broken.py", "from streamparse import Topology\n\nclass Broken(Topology):\n    a = b.spec()\n");
        try {
            String said = refused(
                    line,
                    "streamparse cannot make the topology of words: NameError: name 'b' is not defined",
                    "--streamparse=words",
                    "--name=broken",
                    "--environment=small",
                    "--python=" + python);
            assertThat(said).contains("broken.py\", line 4").doesNotContain("importlib");
        } finally {
            Files.delete(project.resolve("topologies/broken.py"));
        }
        file("topologies/odd.py", "from words import *\n\nWords.config = {\"odd\": object()}\n");
        try {
            refused(
                    line,
                    "streamparse cannot make the topology of words: ruamel.yaml.representer.RepresenterError: ",
                    "--streamparse=words",
                    "--name=odd",
                    "--environment=small",
                    "--python=" + python);
        } finally {
            Files.delete(project.resolve("topologies/odd.py"));
        }
        refused(line, "there is no nopython to run", "--streamparse=words", "--python=nopython");
        refused(line, "--streamparse takes the folder of a project, and none is not there", "--streamparse=none");
        refused(line, "--name is for a streamparse project; add --streamparse DIR", "--name=words");
        refused(line, "--streamparse takes the place of --flux", "--streamparse=words", "--flux=x");
        Files.createDirectories(folder.resolve("empty"));
        refused(line, "empty is no project of streamparse: there is no config.json in it", "--streamparse=empty");
    }

    private static String refused(CommandLine line, String message, String... arguments) throws Exception {
        CommandLine.Outcome outcome = line.run(arguments);
        assertThat(outcome.code()).as(outcome.error()).isEqualTo(2);
        assertThat(outcome.error()).contains("thalweg: " + message);
        return outcome.error();
    }
}
