// SPDX-License-Identifier: Apache-2.0
package io.thalweg.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.broker.BrokerSetup;
import io.thalweg.broker.TrialBroker;
import io.thalweg.broker.TrialTopics;
import io.thalweg.examples.Thalweg.Ended;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples with Kafka through the command line, in a JVM of its own. */
@Timeout(600)
@Tag("integration")
final class KafkaExamplesTest {
    private static final Path EARTHQUAKES = Thalweg.job("kafka-earthquakes/KafkaEarthquakes.java");
    private static final Path FILE_VERSION = Thalweg.job("earthquakes/Earthquakes.java");
    private static final Path RELAY = Thalweg.job("kafka-relay/KafkaRelay.java");
    private static final Path WORDS = Thalweg.job("kafka-wordcount/KafkaWordCount.java");

    @TempDir
    private Path folder;

    private List<String> groupsOfTheFileVersion() throws Exception {
        Ended ended =
                new Thalweg(folder).command("run", FILE_VERSION.toString(), "--quiet", "--set", "out=of-file.csv");
        assertThat(ended.code()).as(ended.error()).isZero();
        List<String> lines = Files.readAllLines(folder.resolve("of-file.csv"));
        assertThat(lines).hasSize(127);
        return lines;
    }

    @Test
    void shouldGroupEarthquakesAsTheFileVersionDoes_withABrokerOfItsOwn() throws Exception {
        Ended ended = new Thalweg(folder).command("run", EARTHQUAKES.toString(), "--quiet", "--set", "out=groups.csv");

        assertThat(ended.code()).as(ended.error()).isZero();
        assertThat(Files.readAllLines(folder.resolve("groups.csv")))
                .containsExactlyInAnyOrderElementsOf(groupsOfTheFileVersion());
        assertThat(ended.out()).startsWith("Earthquakes by day, network and magnitude type");
        // On a busy machine a broker may be silent for seconds, which is told.
        assertThat(ended.error().lines().filter(line -> !line.matches(".* is (not available|available again).*")))
                .singleElement()
                .asString()
                .startsWith("A Kafka broker for this job is at 127.0.0.1:");
    }

    @Test
    void shouldGroupEarthquakesOfAnotherBroker_andWriteResultsToATopic() throws Exception {
        try (TrialBroker broker = TrialBroker.temporary(BrokerSetup.single());
                TrialTopics topics = TrialTopics.at(broker.address())) {
            topics.create("quakes", 3);
            topics.create("groups", 1);
            String[] lines = Files.readAllLines(FILE_VERSION.resolveSibling("earthquakes.jsonl"))
                    .toArray(String[]::new);
            topics.send("quakes", 1, lines);
            Ended ended = new Thalweg(folder)
                    .command(
                            "run",
                            EARTHQUAKES.toString(),
                            "--quiet",
                            "--set",
                            "brokers=" + broker.address(),
                            "--set",
                            "topic=quakes",
                            "--set",
                            "results=groups");

            assertThat(ended.code()).as(ended.error()).isZero();
            List<String> expected = groupsOfTheFileVersion();
            assertThat(topics.values("groups")).containsExactlyInAnyOrderElementsOf(expected.subList(1, 127));
        }
    }

    /** Days are reported while others still come, and those that are over as in the file version. */
    @Test
    void shouldReportDaysWhileTheyPass() throws Exception {
        List<String> expected = groupsOfTheFileVersion();
        Process process = new Thalweg(folder)
                .start("run", EARTHQUAKES.toString(), "--quiet", "--parallelism", "1", "--set", "speed=1000000");
        List<String> seen = new ArrayList<>();
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            while (seen.size() < 60) {
                String line = reader.readLine();
                assertThat(line).isNotNull();
                seen.add(line);
            }
            assertThat(rounded(expected)).containsAll(rounded(seen));
            process.destroy();
            assertThat(Thalweg.end(process)).isEqualTo(143);
        } finally {
            process.destroyForcibly();
        }
    }

    /** Means of doubles that were added in another order. */
    private static List<String> rounded(List<String> rows) {
        return rows.stream()
                .map(row -> {
                    String[] parts = row.split(",", -1);
                    parts[5] = parts[5].matches("[-0-9].*") ? String.format("%.6f", Double.parseDouble(parts[5])) : "";
                    return String.join(",", parts);
                })
                .toList();
    }

    @Test
    void shouldCountWordsFromTopicToTopic() throws Exception {
        String text =
                Files.readString(WORDS.resolve("../../wordcount/river.txt").normalize());
        Map<String, Integer> expected = new HashMap<>();
        Pattern.compile("\\p{L}+")
                .matcher(text.toLowerCase(Locale.ROOT))
                .results()
                .forEach(word -> expected.merge(word.group(), 1, Integer::sum));
        try (TrialBroker broker = TrialBroker.temporary(BrokerSetup.single());
                TrialTopics topics = TrialTopics.at(broker.address())) {
            topics.create("lines", 2);
            topics.create("words", 2);
            topics.send("lines", 1, text.split("\n"));
            Ended ended = new Thalweg(folder)
                    .command("run", WORDS.toString(), "--quiet", "--set", "brokers=" + broker.address());
            assertThat(ended.code()).as(ended.error()).isZero();
            Map<String, Integer> counted = new HashMap<>();
            for (ConsumerRecord<byte[], byte[]> message : topics.read("words")) {
                String word = new String(message.key(), StandardCharsets.UTF_8);
                int count = Integer.parseInt(new String(message.value(), StandardCharsets.UTF_8));
                assertThat(counted.put(word, count)).as(word).isNull();
            }
            assertThat(counted).isEqualTo(expected);
        }
        Ended own = new Thalweg(folder).command("run", WORDS.toString(), "--quiet");
        assertThat(own.code()).as(own.error()).isZero();
        assertThat(own.out()).contains("the");
    }

    @Test
    void shouldPassSettingsToKafkasClients() throws Exception {
        for (Path job : List.of(EARTHQUAKES, WORDS)) {
            String[] run = {
                "run",
                job.toString(),
                "--quiet",
                "--set",
                "brokers=127.0.0.1:1",
                "--set",
                "kafka.security.protocol=NONE"
            };
            Ended ended = new Thalweg(folder).command(run);
            assertThat(ended.code()).as(ended.error()).isEqualTo(1);
            assertThat(ended.error())
                    .contains("the client's settings are not valid: ")
                    .contains("security.protocol")
                    .hasLineCount(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"apart", "fused"})
    void shouldMoveAllMessages(String stages) throws Exception {
        try (TrialBroker broker = TrialBroker.temporary(BrokerSetup.single());
                TrialTopics topics = TrialTopics.at(broker.address())) {
            topics.create("messages", 2);
            for (int partition = 0; partition < 2; partition++) {
                topics.send("messages", partition, new String[] {"a", "b", "c"});
            }
            Ended ended = new Thalweg(folder)
                    .command(
                            "run",
                            RELAY.toString(),
                            "--set",
                            "brokers=" + broker.address(),
                            "--set",
                            "stages=" + stages);

            assertThat(ended.code()).as(ended.error()).isZero();
            assertThat(ended.error()).contains(": 6 records in, 6 out,");
        }
    }
}
