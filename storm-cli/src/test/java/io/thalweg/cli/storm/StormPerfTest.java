// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.testkit.MavenJar;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Topologies of storm-perf, from its jar: by their own main where it fits Storm 2, and their spouts and bolts by Flux where it does not. */
@Tag("long")
@Timeout(600)
final class StormPerfTest {
    private static final Pattern EMITTED = Pattern.compile("Outgoing: Emitting: (\\S+) default \\[(.*)]");

    @TempDir
    private static Path folder;

    private static Path jar;

    @BeforeAll
    static void fetch() throws Exception {
        jar = MavenJar.copy("org.apache.storm:storm-perf:1.2.2", folder);
    }

    private static CommandLine.Outcome run(String... more) throws Exception {
        List<String> all = new ArrayList<>(List.of(jar.toString(), "--for", "5s"));
        all.addAll(List.of(more));
        return new CommandLine(folder).run(all.toArray(String[]::new));
    }

    private static CommandLine.Outcome flux(String yaml, String... more) throws Exception {
        Path file = Files.writeString(folder.resolve("topology.yaml"), yaml);
        List<String> all = new ArrayList<>(List.of("--flux", file.toString()));
        all.addAll(List.of(more));
        CommandLine.Outcome outcome = run(all.toArray(String[]::new));
        assertThat(outcome.code()).as(outcome.error()).isZero();
        return outcome;
    }

    private static List<String> emitted(CommandLine.Outcome outcome, String component) {
        List<String> values = new ArrayList<>();
        for (String line : outcome.error().lines().toList()) {
            Matcher matcher = EMITTED.matcher(line);
            if (matcher.find() && matcher.group(1).equals(component)) {
                values.add(matcher.group(2));
            }
        }
        return values;
    }

    /** Of the table of components: executed and acked. */
    private static List<Long> done(CommandLine.Outcome outcome, String component) {
        Matcher line = Pattern.compile("(?m)^ +" + component + " +\\d+ +\\d+ +\\d+ +\\d+ +(\\d+) +(\\d+) ")
                .matcher(outcome.out());
        assertThat(line.find()).as(outcome.out()).isTrue();
        return List.of(Long.parseLong(line.group(1)), Long.parseLong(line.group(2)));
    }

    @Test
    void shouldRunASpoutAlone() throws Exception {
        CommandLine.Outcome outcome = run("--class", "org.apache.storm.perf.ConstSpoutOnlyTopo");
        assertThat(outcome.code()).as(outcome.error()).isZero();
        assertThat(outcome.out()).containsPattern("topology ConstSpoutOnlyTopo\n.*\n +constSpout +1 +1 +[1-9]");
    }

    /** They ask Storm 1 for a number of their settings. */
    @ParameterizedTest
    @ValueSource(strings = {"ConstSpoutNullBoltTopo", "ConstSpoutIdBoltNullBoltTopo", "FileReadWordCountTopo"})
    void shouldSayThatAMainDoesNotFit(String topology) throws Exception {
        CommandLine.Outcome outcome = run("--class", "org.apache.storm.perf." + topology);
        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.error()).contains("does not fit Storm 2.8").contains("Utils.getInt");
    }

    @Test
    void shouldPassConstantsThroughTwoBolts() throws Exception {
        CommandLine.Outcome outcome = flux("""
                name: constants
                config:
                  topology.max.spout.pending: 100
                spouts:
                  - id: constants
                    className: org.apache.storm.perf.spout.ConstSpout
                    constructorArgs: [some data]
                    configMethods:
                      - name: withOutputFields
                        args: [str]
                bolts:
                  - id: same
                    className: org.apache.storm.perf.bolt.IdBolt
                  - id: nothing
                    className: org.apache.storm.perf.bolt.DevNullBolt
                streams:
                  - from: constants
                    to: same
                    grouping: {type: LOCAL_OR_SHUFFLE}
                  - from: same
                    to: nothing
                    grouping: {type: LOCAL_OR_SHUFFLE}
                """);
        List<Long> same = done(outcome, "same");
        assertThat(same.get(0)).isPositive().isEqualTo(same.get(1));
        assertThat(done(outcome, "nothing")).isEqualTo(same);
        assertThat(outcome.error()).doesNotContain("neither acked nor failed");
    }

    @Test
    void shouldCountTheWordsOfAFile() throws Exception {
        Path words =
                Files.writeString(folder.resolve("words.txt"), "the river finds the valley\nno line is straight\n");
        CommandLine.Outcome outcome = flux("""
                name: words
                config:
                  topology.max.spout.pending: 1
                  topology.debug: true
                spouts:
                  - id: lines
                    className: org.apache.storm.perf.spout.FileReadSpout
                    constructorArgs: ["%s"]
                bolts:
                  - id: split
                    className: org.apache.storm.perf.bolt.SplitSentenceBolt
                  - id: count
                    className: org.apache.storm.perf.bolt.CountBolt
                    parallelism: 2
                streams:
                  - from: lines
                    to: split
                    grouping: {type: LOCAL_OR_SHUFFLE}
                  - from: split
                    to: count
                    grouping: {type: FIELDS, args: [word]}
                """.formatted(words));
        Map<String, Integer> expected = new HashMap<>();
        for (String line : emitted(outcome, "lines")) {
            for (String word : line.split(" ")) {
                expected.merge(word, 1, Integer::sum);
            }
        }
        Map<String, Integer> counts = new HashMap<>();
        for (String each : emitted(outcome, "count")) {
            String[] parts = each.split(", ");
            counts.merge(parts[0], Integer.parseInt(parts[1]), Math::max);
        }
        assertThat(expected).containsKeys("river", "straight");
        assertThat(counts).isEqualTo(expected);
    }
}
