// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.thalweg.testkit.MavenJar;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Topologies that others wrote: those of storm-starter, from its jar. What they emit is read from what topology.debug logs. */
@Tag("long")
@Timeout(600)
final class StormStarterTest {
    private static final Pattern EMITTED = Pattern.compile("Outgoing: Emitting: (\\S+) (\\S+) \\[(.*)]");

    private static final String SHORT = "8s";

    /** Of a main that ends by itself. */
    private static final String LONG = "4m";

    private static final int TRIES = 5;

    @TempDir
    private static Path folder;

    private static Path jar;

    @BeforeAll
    static void fetch() throws Exception {
        jar = MavenJar.copy("org.apache.storm:storm-starter:1.2.2", folder); // the newest in Maven's repository
    }

    private static boolean onPath(String program) {
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(each -> Files.isExecutable(Path.of(each, program)));
    }

    private static CommandLine.Outcome run(String time, String main, String... arguments) throws Exception {
        List<String> all = new ArrayList<>(List.of(
                jar.toString(), "--class", main, "--for", time, "--wait", "2s", "-c", "topology.debug=true", "--"));
        all.addAll(List.of(arguments));
        return new CommandLine(folder).run(all.toArray(String[]::new));
    }

    private static CommandLine.Outcome done(String main, String... arguments) throws Exception {
        return doneWithin(SHORT, main, arguments);
    }

    private static CommandLine.Outcome doneWithin(String time, String main, String... arguments) throws Exception {
        CommandLine.Outcome outcome = run(time, main, arguments);
        assertThat(outcome.code()).as(tail(outcome.error())).isZero();
        return outcome;
    }

    private static String tail(String text) {
        return text.substring(Math.max(0, text.length() - 3000));
    }

    /** What a component emitted to its default stream, in order, each as the text of its values. */
    private static List<String> emitted(CommandLine.Outcome outcome, String component) {
        List<String> values = allEmitted(outcome, component);
        assertThat(values).as("%s emits: %s", component, tail(outcome.error())).isNotEmpty();
        return values;
    }

    /** Perhaps nothing. */
    private static List<String> allEmitted(CommandLine.Outcome outcome, String component) {
        List<String> values = new ArrayList<>();
        for (String line : outcome.error().lines().toList()) {
            Matcher matcher = EMITTED.matcher(line);
            if (matcher.find()
                    && matcher.group(1).equals(component)
                    && matcher.group(2).equals("default")) {
                values.add(matcher.group(3));
            }
        }
        return values;
    }

    @ParameterizedTest
    @ValueSource(strings = {"WordCountTopology", "WordCountTopologyNode"})
    void shouldCountWordsThatAScriptHasSplit(String topology) throws Exception {
        assumeThat(onPath(topology.endsWith("Node") ? "node" : "python")).isTrue();
        CommandLine.Outcome outcome = done("org.apache.storm.starter." + topology, "words");
        Map<String, Integer> words = new HashMap<>();
        emitted(outcome, "split").forEach(word -> words.merge(word.replace("\"", ""), 1, Integer::sum));
        Map<String, Integer> counts = new HashMap<>();
        for (String each : emitted(outcome, "count")) {
            String[] parts = each.replace("\"", "").split(", ");
            counts.merge(parts[0], Integer.parseInt(parts[1]), Math::max);
        }
        assertThat(words.keySet()).contains("cow", "dwarfs");
        assertThat(counts).isEqualTo(words);
    }

    @Test
    void shouldCountWordsOfSentencesThatAreAnchored() throws Exception {
        CommandLine.Outcome outcome = done("org.apache.storm.starter.AnchoredWordCount");
        Map<String, Integer> words = new HashMap<>();
        for (String sentence : emitted(outcome, "spout")) {
            for (String word : sentence.split("\\s+")) {
                words.merge(word, 1, Integer::sum);
            }
        }
        Map<String, Integer> counts = new HashMap<>();
        for (String each : emitted(outcome, "count")) {
            String[] parts = each.split(", ");
            counts.merge(parts[0], Integer.parseInt(parts[1]), Math::max);
        }
        assertThat(words.keySet()).contains("cow", "dwarfs");
        assertThat(counts).isEqualTo(words);
        assertThat(outcome.error()).doesNotContain("neither acked nor failed");
    }

    /** Its main feeds ten persons to either spout, waits for two seconds, and ends: on a busy machine that may be too early. */
    @Test
    void shouldJoinTwoStreams() throws Exception {
        CommandLine.Outcome outcome = doneWithin(LONG, "org.apache.storm.starter.SingleJoinExample");
        for (int again = 1; again < TRIES && allEmitted(outcome, "join").size() < 10; again++) {
            outcome = doneWithin(LONG, "org.apache.storm.starter.SingleJoinExample");
        }
        assertThat(emitted(outcome, "join"))
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 10)
                        .mapToObj(id -> gender(id) + ", " + (id + 20))
                        .toList());
    }

    /** The same, in a window of ten seconds. */
    @Test
    void shouldJoinTwoStreamsInAWindow() throws Exception {
        CommandLine.Outcome outcome = doneWithin(LONG, "org.apache.storm.starter.JoinBoltExample");
        assertThat(emitted(outcome, "joiner"))
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 10)
                        .mapToObj(id -> id + ", " + id + ", " + gender(id) + ", " + (id + 20))
                        .toList());
    }

    private static String gender(int id) {
        return id % 2 == 0 ? "male" : "female";
    }

    @Test
    void shouldExclaim() throws Exception {
        CommandLine.Outcome outcome = done("org.apache.storm.starter.ExclamationTopology", "exclaim");
        List<String> words = emitted(outcome, "word");
        assertThat(emitted(outcome, "exclaim2"))
                .containsExactlyInAnyOrderElementsOf(
                        words.stream().map(word -> word + "!!!!!!").toList());
    }

    @Test
    void shouldLogWithSeveralLoggers() throws Exception {
        CommandLine.Outcome outcome = done("org.apache.storm.starter.MultipleLoggerTopology", "loggers");
        assertThat(outcome.error()).contains("This is an ERROR message");
        assertThat(emitted(outcome, "exclaim2")).hasSameSizeAs(emitted(outcome, "word"));
    }

    private static final Pattern PROCESSING = Pattern.compile(
            "Processing received TUPLE: source: (\\S+):-?\\d+, stream: (\\S+), .*\\[([^\\[\\]]*)].* for TASK: (\\d+)");

    /** What a task of a rolling count was given between two ticks, in the last three such slots: its window of 9 s, every 3 s. */
    private static final class Rolling {
        private static final int SLOTS = 3;
        private final Deque<Map<String, Integer>> slots = new ArrayDeque<>(List.of(new HashMap<>()));
        private Map<String, Integer> told = Map.of();

        void add(String word) {
            slots.getLast().merge(word, 1, Integer::sum);
        }

        void tick() {
            Map<String, Integer> sums = new HashMap<>();
            slots.forEach(slot -> slot.forEach((word, many) -> sums.merge(word, many, Integer::sum)));
            told = sums;
            slots.add(new HashMap<>());
            if (slots.size() > SLOTS) {
                slots.remove();
            }
        }
    }

    /** Whether each count is the one that its task, or one of the two that share the word, should have. */
    private static void assertRollingCounts(CommandLine.Outcome outcome) {
        Map<String, Rolling> tasks = new HashMap<>();
        int checked = 0;
        for (String line : outcome.error().lines().toList()) {
            Matcher given = PROCESSING.matcher(line);
            Matcher emitted = EMITTED.matcher(line);
            if (given.find()) {
                if (given.group(1).equals("wordGenerator")) {
                    tasks.computeIfAbsent(given.group(4), none -> new Rolling()).add(given.group(3));
                } else if (given.group(2).equals("__tick") && tasks.containsKey(given.group(4))) {
                    tasks.get(given.group(4)).tick();
                }
            } else if (emitted.find() && emitted.group(1).equals("counter")) {
                String[] values = emitted.group(3).split(", ");
                assertThat(tasks.values())
                        .as(line)
                        .anyMatch(task -> task.told.getOrDefault(values[0], 0) == Integer.parseInt(values[1]));
                checked++;
            }
        }
        assertThat(checked).as(tail(outcome.error())).isPositive();
    }

    @ParameterizedTest
    @CsvSource({"RollingTopWords, remote", "RollingTopWords, local", "SkewedRollingTopWords, remote"})
    void shouldRankWords(String topology, String where) throws Exception {
        CommandLine.Outcome outcome = done("org.apache.storm.starter." + topology, "ranks", where);
        List<String> rankings = emitted(outcome, "finalRanker");
        String last = rankings.get(rankings.size() - 1);
        List<Integer> counts = new ArrayList<>();
        for (Matcher count = Pattern.compile("\\|(\\d+)").matcher(last); count.find(); ) {
            counts.add(Integer.parseInt(count.group(1)));
        }
        assertThat(counts).as(last).hasSize(5).isSortedAccordingTo((one, other) -> other - one);
        assertThat(counts.stream().mapToInt(Integer::intValue).sum())
                .isPositive()
                .isLessThanOrEqualTo(emitted(outcome, "wordGenerator").size());
        assertRollingCounts(outcome);
        Set<String> told = emitted(outcome, topology.startsWith("Skewed") ? "aggregator" : "counter").stream()
                .map(values -> values.split(", ")[0] + "|" + values.split(", ")[1])
                .collect(Collectors.toSet());
        Set<String> ranked = new HashSet<>();
        for (Matcher entry = Pattern.compile("\\w+\\|\\d+").matcher(last); entry.find(); ) {
            ranked.add(entry.group());
        }
        assertThat(ranked).hasSize(5);
        assertThat(told).as(last).containsAll(ranked);
    }

    @Test
    void shouldSumSlidingWindowsAndAverageTumblingOnes() throws Exception {
        CommandLine.Outcome outcome = done("org.apache.storm.starter.SlidingWindowTopology", "windows");
        List<Integer> numbers = emitted(outcome, "integer").stream()
                .map(each -> Integer.parseInt(each.split(", ")[0]))
                .toList();
        List<Integer> sums =
                emitted(outcome, "slidingsum").stream().map(Integer::parseInt).toList();
        for (int i = 0; i < sums.size(); i++) { // windows of 30, every 10
            int to = (i + 1) * 10;
            assertThat(sums.get(i))
                    .isEqualTo(numbers.subList(Math.max(0, to - 30), to).stream()
                            .mapToInt(Integer::intValue)
                            .sum());
        }
        List<String> averages = emitted(outcome, "tumblingavg");
        assertThat(Integer.parseInt(averages.get(0))).isEqualTo((sums.get(0) + sums.get(1) + sums.get(2)) / 3);
    }

    @Test
    void shouldKeepASumAsState() throws Exception {
        CommandLine.Outcome outcome = done("storm.starter.StatefulTopology", "state");
        List<Long> sums =
                emitted(outcome, "partialsum").stream().map(Long::parseLong).toList();
        List<String> numbers = emitted(outcome, "spout");
        long sum = 0;
        for (int i = 0; i < sums.size(); i++) {
            sum += Long.parseLong(numbers.get(i).split(", ")[0]);
            assertThat(sums.get(i)).isEqualTo(sum);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"org.apache.storm.starter.SlidingTupleTsTopology", "storm.starter.StatefulWindowingTopology"})
    void shouldRunWindows(String main) throws Exception {
        assertThat(done(main, "windows").out()).containsPattern("printer +1 +1 +[0-9]+ +[0-9]+ +[1-9]");
    }

    /** Its main waits for ten seconds after its last call. */
    @Test
    void shouldAnswerCalls() throws Exception {
        CommandLine.Outcome outcome = doneWithin(LONG, "org.apache.storm.starter.BasicDRPCTopology");
        assertThat(outcome.out())
                .contains(
                        "Result for \"hello\": hello!\n", "Result for \"goodbye\": goodbye!\n", "topology drpc-demo\n");
    }

    @Test
    void shouldAnswerCallsOfSpoutsAndBoltsThatAreLaidOutByHand() throws Exception {
        assertThat(doneWithin("20s", "org.apache.storm.starter.ManualDRPC").out())
                .contains("aaa!!!\n", "bbb!!!\n");
    }

    private static final Map<String, List<String>> FOLLOWERS = Map.of(
            "sally", List.of("bob", "tim", "alice", "adam", "jim", "chris", "jai"),
            "bob", List.of("sally", "nathan", "jim", "mary", "david", "vivian"),
            "tim", List.of("alex"),
            "nathan", List.of("sally", "bob", "adam", "harry", "chris", "vivian", "emily", "jordan"),
            "adam", List.of("david", "carissa"));

    private static final Map<String, List<String>> TWEETERS = Map.of(
            "foo.com/blog/1", List.of("sally", "bob", "tim", "george", "nathan"),
            "engineering.twitter.com/blog/5", List.of("adam", "david", "sally", "nathan"),
            "notaurl.com", List.of());

    /** How many follow those who have tweeted it. */
    private static long reach(String url) {
        return TWEETERS.get(url).stream()
                .flatMap(name -> FOLLOWERS.getOrDefault(name, List.of()).stream())
                .distinct()
                .count();
    }

    @Test
    void shouldCountThoseWhoFollowTweeters() throws Exception {
        CommandLine.Outcome outcome = doneWithin(LONG, "org.apache.storm.starter.ReachTopology");
        TWEETERS.keySet()
                .forEach(url -> assertThat(outcome.out()).contains("Reach of " + url + ": " + reach(url) + "\n"));
    }

    /** The same by Trident, which asks for the URL that nobody has tweeted first. */
    @Test
    void shouldCountThoseWhoFollowTweetersInBatches() throws Exception {
        assertThat(doneWithin(LONG, "org.apache.storm.starter.trident.TridentReach")
                        .out())
                .startsWith("REACH: [[0]]\nREACH: [[" + reach("foo.com/blog/1") + "]]\nREACH: [["
                        + reach("engineering.twitter.com/blog/5") + "]]\n");
    }

    /** Each of which Storm 2.8 would refuse as well, or which needs what only a cluster has. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "BlobStoreAPIWordCountTopology | there is no Nimbus here that could answer",
                "TransactionalWords | cannot be loaded",
            })
    void shouldSayWhyATopologyDoesNotRun(String topology, String why) throws Exception {
        CommandLine.Outcome outcome = run(SHORT, "org.apache.storm.starter." + topology, "topology");
        assertThat(outcome.code()).isIn(1, 2);
        List<String> lines = outcome.error().lines().toList();
        assertThat(lines.get(lines.size() - 1)).startsWith("thalweg: ").contains(why);
    }
}
