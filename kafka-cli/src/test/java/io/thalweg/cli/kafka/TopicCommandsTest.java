// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.thalweg.broker.BrokerSetup;
import io.thalweg.broker.TrialBroker;
import io.thalweg.cli.kafka.CommandLine.Outcome;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** {@code thalweg kafka topics}, {@code produce}, {@code consume} and {@code lag}, on a real broker. Each has topics of its own. */
@Timeout(1_800)
@Execution(ExecutionMode.CONCURRENT)
@Tag("integration")
final class TopicCommandsTest {
    private static final AtomicInteger TOPICS = new AtomicInteger();

    @TempDir
    private static Path data;

    private static TrialBroker broker;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() throws Exception {
        broker = TrialBroker.start(data, CommandLine.STEADY);
    }

    @AfterAll
    static void stop() throws Exception {
        broker.kill();
    }

    private Outcome kafka(String input, String... arguments) throws Exception {
        return new CommandLine(folder).runOn(input, with(arguments));
    }

    private static String[] with(String... arguments) {
        return of(broker, arguments);
    }

    /** With more time than a busy machine needs, unless the test says how much. */
    private static String[] of(TrialBroker which, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--brokers", which.address()));
        if (!all.contains("--connect-timeout")) {
            all.addAll(List.of("--connect-timeout", "300"));
        }
        return all.toArray(String[]::new);
    }

    private String topic(int partitions) throws Exception {
        String name = "topic-" + TOPICS.incrementAndGet();
        Outcome created = kafka("", "topics", "--create", name, "--partitions", Integer.toString(partitions));
        assertThat(created.code()).as(created.error()).isZero();
        return name;
    }

    /** It could not list topics where somebody deleted one between its two requests. */
    @Test
    void shouldListTopics_withoutOneThatIsDeletedMeanwhile() throws Exception {
        String there = topic(1);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.address()))) {
            assertThat(TopicsCommand.described(admin, List.of("gone", there))).containsOnlyKeys(there);
        }
    }

    @Test
    void shouldCreateListAndDeleteTopics() throws Exception {
        assertThat(kafka("", "topics", "--create", "a-1", "--create", "a-2", "--partitions", "4", "--replicas", "1")
                        .code())
                .isZero();
        assertThat(kafka("", "topics").out()).contains("a-1", "  4 partitions, 1 replica\n");
        Outcome again = kafka("", "topics", "--create", "a-1");
        assertThat(again.code()).isEqualTo(1);
        assertThat(again.error()).isEqualTo("thalweg: topic a-1 exists already at " + broker.address() + "\n");
        Outcome many = kafka("", "topics", "--create", "a-3", "--replicas", "3");
        assertThat(many.code()).isEqualTo(1);
        assertThat(many.error()).contains("eplication factor").hasLineCount(1);
        Outcome unknown = kafka("", "topics", "--create", "a-3", "--config", "no.such=1");
        assertThat(unknown.code()).isEqualTo(1);
        assertThat(unknown.error()).contains("no.such").hasLineCount(1);
        assertThat(kafka("", "topics", "--create", "a-4", "--config", "max.message.bytes=100")
                        .code())
                .isZero();
        Outcome large = kafka("x".repeat(200), "produce", "a-4");
        assertThat(large.code()).isEqualTo(1);
        assertThat(large.error()).contains("larger than the max message size").hasLineCount(1);
        Outcome bad = kafka("", "topics", "--create", "a b");
        assertThat(bad.code()).isEqualTo(2);
        assertThat(bad.error()).contains("'a b' cannot be the name of a topic").hasLineCount(1);
        Outcome missing = kafka("", "topics", "--delete", "a-11");
        assertThat(missing.code()).isEqualTo(1);
        assertThat(missing.error()).contains("did you mean a-1?").hasLineCount(1);
        assertThat(kafka("", "topics", "--delete", "a-1", "--delete", "a-2").code())
                .isZero();
        assertThat(kafka("", "topics").out()).doesNotContain("a-1");
    }

    @Test
    void shouldWriteLinesAndReadThemAsFormatsSay() throws Exception {
        String topic = topic(1);
        Outcome sent =
                kafka("k1:v1\n:no key\nk3:\nké:the last one", "produce", topic, "-K", ":", "-H", "a=1", "-H", "b=x=y");
        assertThat(sent.code()).as(sent.error()).isZero();
        assertThat(sent.error()).isEqualTo("thalweg: sent 4 messages to topic " + topic + "\n");

        assertThat(kafka("", "consume", topic, "--to", "latest").out()).isEqualTo("v1\nno key\n\nthe last one\n");
        assertThat(kafka("", "consume", topic, "--count", "3", "-f", "%t %p %o %k/%K %s/%S [%h] 100%% \\x41\\t\\\\\\n")
                        .out())
                .isEqualTo(topic + " 0 0 k1/2 v1/2 [a=1,b=x=y] 100% A\t\\\n"
                        + topic + " 0 1 /0 no key/6 [a=1,b=x=y] 100% A\t\\\n"
                        + topic + " 0 2 k3/2 /0 [a=1,b=x=y] 100% A\t\\\n");
        assertThat(kafka("", "consume", topic, "--from", "1", "--to", "3", "-f", "%o ")
                        .out())
                .isEqualTo("1 2 ");
        assertThat(kafka("", "consume", topic, "--from", "2000-01-01", "--to", "latest", "-f", "%o")
                        .out())
                .isEqualTo("0123");
        assertThat(kafka("", "consume", topic, "--from", "1960-01-01", "--to", "latest", "-f", "%o")
                        .out())
                .isEqualTo("0123");
        assertThat(kafka("", "consume", topic, "--from", "2999-01-01T00:00:00Z", "--to", "latest")
                        .out())
                .isEmpty();
        Outcome beyond = kafka("", "consume", topic, "--from", "9", "--to", "latest");
        assertThat(beyond.code()).isZero();
        assertThat(beyond.error()).isEqualTo("thalweg: " + topic + "-0 has no offset 9; it is read from 4 on\n");
    }

    @Test
    void shouldSendEmptyPartsAsNull_ifToldSo() throws Exception {
        String topic = topic(1);
        assertThat(kafka("k1:\n:v2\n", "produce", topic, "-K", ":", "-Z").code())
                .isZero();
        assertThat(kafka("\n", "produce", topic, "-Z").code()).isZero();
        assertThat(kafka("\n", "produce", topic).code()).isZero();
        assertThat(kafka("", "consume", topic, "--to", "latest", "-f", "%K/%S ").out())
                .isEqualTo("2/-1 -1/2 -1/-1 -1/0 ");
    }

    @Test
    void shouldKeepBytesAndMarkThemInJson() throws Exception {
        String topic = topic(1);
        byte[] binary = {27, '[', '3', '1', 'm', 0, (byte) 0xff, '\r'};
        byte[] line = Arrays.copyOf(binary, binary.length + 1);
        line[binary.length] = '\n';
        new CommandLine(folder).runOn(line, with("produce", topic));
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.address()), new ByteArraySerializer(), new ByteArraySerializer())) {
            ProducerRecord<byte[], byte[]> deletion =
                    new ProducerRecord<>(topic, 0, 7L, "ü\n".getBytes(StandardCharsets.UTF_8), null, List.of());
            deletion.headers().add("none", null).add("bytes", new byte[] {(byte) 0x80});
            producer.send(deletion).get();
        }
        assertThat(kafka("", "consume", topic, "--count", "1").bytes()).isEqualTo(line);
        List<String> json = kafka("", "consume", topic, "--to", "latest", "--json")
                .out()
                .lines()
                .toList();
        assertThat(json).hasSize(2);
        assertThat(json.get(0)).contains("\"key\":null,\"headers\":[],\"value\":{\"base64\":\"G1szMW0A/w0=\"}}");
        assertThat(json.get(1))
                .isEqualTo("{\"topic\":\"" + topic + "\",\"partition\":0,\"offset\":1,\"timestamp\":7,\"key\":\"ü\\n\","
                        + "\"headers\":[{\"name\":\"none\",\"value\":null},"
                        + "{\"name\":\"bytes\",\"value\":{\"base64\":\"gA==\"}}],\"value\":null}");
    }

    /** Every message of every partition once, against what was sent. */
    @Test
    void shouldReadAllPartitions_orOne() throws Exception {
        String topic = topic(3);
        String numbers = IntStream.range(0, 50_000).mapToObj(String::valueOf).collect(Collectors.joining("\n"));
        assertThat(kafka(numbers, "produce", topic).code()).isZero();
        assertThat(kafka("only here", "produce", topic, "-p", "2").code()).isZero();

        List<String> all =
                kafka("", "consume", topic, "--to", "latest").out().lines().toList();
        assertThat(all).hasSize(50_001).doesNotHaveDuplicates().contains("0", "49999", "only here");
        assertThat(kafka("", "consume", topic, "--to", "latest", "-p", "2", "-f", "%p %s\\n")
                        .out()
                        .lines())
                .allMatch(line -> line.startsWith("2 "))
                .last()
                .isEqualTo("2 only here");
        assertThat(kafka("", "consume", topic, "--count", "7").out()).hasLineCount(7);
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void shouldEndQuietlyWhenItsReaderIsGone_orByCtrlC() throws Exception {
        String topic = topic(1);
        String lines = IntStream.range(0, 100_000).mapToObj(String::valueOf).collect(Collectors.joining("\n"));
        kafka(lines, "produce", topic);
        Process piped = new CommandLine(folder).start(with("consume", topic));
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(piped.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(reader.readLine()).isEqualTo("0");
        }
        assertThat(CommandLine.end(piped)).isZero();
        assertThat(CommandLine.error(piped)).isEmpty();

        Process followed = new CommandLine(folder).start(with("consume", topic, "--from", "99999"));
        BufferedReader reader =
                new BufferedReader(new InputStreamReader(followed.getInputStream(), StandardCharsets.UTF_8));
        assertThat(reader.readLine()).isEqualTo("99999");
        kafka("while it runs", "produce", topic);
        assertThat(reader.readLine()).isEqualTo("while it runs");
        assertThat(new ProcessBuilder("kill", "-INT", Long.toString(followed.pid()))
                        .start()
                        .waitFor())
                .isZero();
        assertThat(CommandLine.end(followed)).isEqualTo(130);
        assertThat(reader.readLine()).isNull();
        assertThat(CommandLine.error(followed)).isEmpty();
    }

    @Test
    void shouldSayThatItWaitsForOffsetsThatAreNotThere() throws Exception {
        String topic = topic(2);
        kafka("1\n2\n3", "produce", topic, "-p", "0");
        kafka("4\n5\n", "produce", topic, "-p", "1");
        Process process = new CommandLine(folder).start(with("consume", topic, "--to", "3"));
        try {
            assertThat(next(process.errorReader(StandardCharsets.UTF_8), new ArrayList<>()))
                    .isEqualTo(
                            "thalweg: " + topic + "-1 ends before offset 2; waiting until it has those up to before 3"
                                    + " (--to latest ends with what is there)");
            kafka("6\n7\n", "produce", topic, "-p", "1");
            assertThat(process.inputReader(StandardCharsets.UTF_8).lines())
                    .containsExactlyInAnyOrder("1", "2", "3", "4", "5", "6");
            assertThat(CommandLine.end(process)).isZero();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void shouldSayThatItsTopicWasDeleted() throws Exception {
        String topic = topic(1);
        kafka("one\n", "produce", topic);
        Process process = new CommandLine(folder).start(with("consume", topic));
        try {
            assertThat(process.inputReader(StandardCharsets.UTF_8).readLine()).isEqualTo("one");
            assertThat(kafka("", "topics", "--delete", topic).code()).isZero();
            assertThat(CommandLine.end(process)).isEqualTo(1);
            assertThat(CommandLine.error(process))
                    .isEqualTo("thalweg: topic " + topic + " was deleted while it was read\n");
        } finally {
            process.destroyForcibly();
        }
    }

    /** With a broker of its own, which goes and comes back. */
    @Test
    void shouldSayThatItWaitsForABrokerThatIsGone() throws Exception {
        try (TrialBroker own = TrialBroker.temporary(BrokerSetup.single())) {
            CommandLine kafka = new CommandLine(folder);
            assertThat(kafka.runUnlessFenced(of(own, "topics", "--create", "t")).code())
                    .isZero();
            assertThat(kafka.runOn("one", of(own, "produce", "t")).code()).isZero();
            Process process = kafka.start(of(own, "consume", "t"));
            try {
                BufferedReader out =
                        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
                BufferedReader error =
                        new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8));
                assertThat(out.readLine()).isEqualTo("one");
                own.kill();
                List<String> ofBrokers = new ArrayList<>();
                assertThat(next(error, ofBrokers))
                        .isEqualTo("thalweg: no Kafka broker at " + own.address()
                                + " answers any more; waiting until one does");
                own.restart();
                assertThat(kafka.runOn("two", of(own, "produce", "t")).code()).isZero();
                assertThat(out.readLine()).isEqualTo("two");
                assertThat(error.readLine())
                        .isEqualTo("thalweg: a Kafka broker at " + own.address() + " answers again");
            } finally {
                process.destroyForcibly();
            }
        }
    }

    /** A producer that has sent its first line when its broker is killed. */
    private Process producing(TrialBroker own, String... more) throws Exception {
        CommandLine kafka = new CommandLine(folder);
        assertThat(kafka.runUnlessFenced(of(own, "topics", "--create", "t")).code())
                .isZero();
        List<String> arguments = new ArrayList<>(List.of("produce", "t", "--brokers", own.address()));
        arguments.addAll(List.of(more));
        Process process = kafka.open(arguments.toArray(String[]::new));
        write(process, "one\n");
        assertThat(kafka.run(of(own, "consume", "t", "--count", "1")).out()).isEqualTo("one\n");
        own.kill();
        return process;
    }

    private static void write(Process process, String text) throws IOException {
        process.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
    }

    /**
     * The next line that does not say of a broker that it answers or does not, after those that do. On a machine that is busy enough
     * they come more often than the test has a broker killed.
     */
    private static @Nullable String next(BufferedReader error, List<String> ofBrokers) throws IOException {
        String line = error.readLine();
        while (line != null && (line.endsWith(" answers; still trying") || line.endsWith(" answers again"))) {
            ofBrokers.add(line);
            line = error.readLine();
        }
        return line;
    }

    @Test
    void shouldSayThatItCannotSend_andWhenItCanAgain() throws Exception {
        try (TrialBroker own = TrialBroker.temporary(BrokerSetup.single())) {
            Process process = producing(own, "--connect-timeout", "600", "-X", "delivery.timeout.ms=600000");
            try {
                write(process, "two\n");
                BufferedReader error = process.errorReader(StandardCharsets.UTF_8);
                assertThat(error.readLine())
                        .isEqualTo("thalweg: no Kafka broker at " + own.address() + " answers; still trying");
                own.restart();
                process.getOutputStream().close();
                List<String> ofBrokers = new ArrayList<>();
                assertThat(next(error, ofBrokers)).isEqualTo("thalweg: sent 2 messages to topic t");
                assertThat(ofBrokers).contains("thalweg: a Kafka broker at " + own.address() + " answers again");
                assertThat(CommandLine.end(process)).isZero();
            } finally {
                process.destroyForcibly();
            }
        }
    }

    @Test
    void shouldSayHowManyLinesItHasNotSent() throws Exception {
        try (TrialBroker own = TrialBroker.temporary(BrokerSetup.single())) {
            Process process = producing(
                    own,
                    "--connect-timeout",
                    "60",
                    "-X",
                    "delivery.timeout.ms=20000",
                    "-X",
                    "request.timeout.ms=5000",
                    "-X",
                    "linger.ms=0");
            try {
                write(process, "two\nthree\n"); // and more may come
                BufferedReader error = process.errorReader(StandardCharsets.UTF_8);
                List<String> ofBrokers = new ArrayList<>();
                assertThat(next(error, ofBrokers))
                        .startsWith("thalweg: line 2 of standard input: cannot write topic t at " + own.address()
                                + ": no answer in time (")
                        // the client may have forgotten the topic, and hold up the second line before the third is read
                        .matches(
                                ".*; of (3 lines that were read, 2 were|2 lines that were read, 1 was) not sent, this one first");
                assertThat(ofBrokers)
                        .contains("thalweg: no Kafka broker at " + own.address() + " answers; still trying");
                assertThat(next(error, ofBrokers)).isNull();
                assertThat(CommandLine.end(process)).isEqualTo(1);
            } finally {
                process.destroyForcibly();
            }
        }
    }

    @Test
    void shouldShowHowFarAGroupIsBehind() throws Exception {
        String topic = topic(2);
        kafka("1\n2\n3", "produce", topic, "-p", "0");
        kafka("1\n2", "produce", topic, "-p", "1");
        Map<String, Object> settings = Map.of("bootstrap.servers", broker.address(), "group.id", "readers");
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.commitSync(Map.of(
                    new TopicPartition(topic, 0), new OffsetAndMetadata(1),
                    new TopicPartition(topic, 1), new OffsetAndMetadata(2)));
        }
        Outcome lag = kafka("", "lag", "readers");
        assertThat(lag.code()).as(lag.error()).isZero();
        assertThat(lag.out().lines().map(line -> line.strip().replaceAll(" +", " ")))
                .containsExactly(
                        "TOPIC PARTITION COMMITTED END LAG", topic + " 0 1 3 2", topic + " 1 2 2 0", "total 2");
        Outcome missing = kafka("", "lag", "raeders");
        assertThat(missing.code()).isEqualTo(1);
        assertThat(missing.error())
                .isEqualTo("thalweg: group raeders has committed no offsets at " + broker.address()
                        + "; did you mean readers?\n");
    }

    @Test
    void shouldSayThatStandardInputCannotBeRead() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "a shell is needed");
        String topic = topic(1);

        Outcome outcome = new CommandLine(folder).runOnFolder(with("produce", topic));

        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.error())
                .isEqualTo("thalweg: cannot read standard input: Is a directory; what was read before is sent\n");
    }

    /** They wait in the client when a line has no key; it said that they were sent. */
    @Test
    void shouldSayWhetherTheLinesBeforeOneWithoutAKeyAreSent() throws Exception {
        String topic = "small-" + topic(1);
        assertThat(kafka("", "topics", "--create", topic, "--config", "max.message.bytes=100")
                        .code())
                .isZero();

        Outcome sent = kafka("k:v\nwithout\n", "produce", topic, "-K", ":", "-X", "linger.ms=60000");
        Outcome refused =
                kafka("k:" + "x".repeat(200) + "\nwithout\n", "produce", topic, "-K", ":", "-X", "linger.ms=60000");

        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.error())
                .startsWith("thalweg: line 2 of standard input has no key: there is no ':' in it; of 1 line that was"
                        + " read, 1 was not sent, line 1 first: cannot write topic " + topic + " at ")
                .contains("larger than the max message size")
                .hasLineCount(1);
        assertThat(sent.code()).isEqualTo(1);
        assertThat(sent.error())
                .isEqualTo(
                        "thalweg: line 2 of standard input has no key: there is no ':' in it; what was read before is"
                                + " sent\n");
        assertThat(kafka("", "consume", topic, "--to", "latest").out()).isEqualTo("v\n");
    }

    @Test
    void shouldTellMistakesInOneLine() throws Exception {
        String topic = topic(1);
        for (String[] wrong : new String[][] {
            {"consume", topic, "--from", "yesterday"},
            {"consume", topic, "--from", "+999999999-12-31"},
            {"consume", topic, "--to", "earliest"},
            {"consume", topic, "-f", "%q"},
            {"consume", topic, "-f", "\\xz"},
            {"consume", topic, "-f", "%"},
            {"consume", topic, "--json", "-f", "%s"},
            {"consume", topic, "-p", "1"},
            {"consume", topic, "--count", "-1"},
            {"consume", topic, "-X", "bootstrap.servers=x:1"},
            {"consume", topic, "-X", "ssl.truststore.password=${env:NO_SUCH_VARIABLE}"},
            {"consume", topic, "-F", "no-such-file"},
            {"consume"},
            {"produce", topic, "-p", "1"},
            {"produce", topic, "-H", "novalue"},
            {"produce", topic, "-K", ""},
            {"lag", " "},
            {"topics", "--partitions", "2"},
            {"topics", "--create", "a", "--config", "compact"},
            {"topics", "--connect-timeout", "0"},
            {"nothing"}
        }) {
            Outcome outcome = kafka("", wrong);
            assertThat(outcome.code())
                    .as("%s: %s", List.of(wrong), outcome.error())
                    .isEqualTo(2);
            assertThat(outcome.error()).startsWith("thalweg: ").hasLineCount(1);
        }
        Outcome missing = kafka("", "consume", topic + "x", "--to", "latest");
        assertThat(missing.code()).isEqualTo(1);
        assertThat(missing.error())
                .isEqualTo("thalweg: there is no topic " + topic + "x at " + broker.address() + "; did you mean "
                        + topic + "?\n");
        Outcome large = kafka("small\n" + "x".repeat(2_000_000) + "\nsmall", "produce", topic);
        assertThat(large.code()).isEqualTo(1);
        assertThat(large.error())
                .startsWith("thalweg: line 2 of standard input: ")
                .hasLineCount(1);
        assertThat(large.error()).endsWith("; of 2 lines that were read, 1 was not sent, this one first\n");
        Map<String, Process> silent = new TreeMap<>();
        try {
            for (String command : List.of("topics", "produce t", "consume t", "lag g")) { // each waits, all at once
                silent.put(
                        command,
                        new CommandLine(folder)
                                .start((command + " --brokers 127.0.0.1:1 --connect-timeout 15").split(" ")));
            }
            for (Map.Entry<String, Process> each : silent.entrySet()) {
                assertThat(each.getValue().inputReader(StandardCharsets.UTF_8).lines())
                        .as(each.getKey())
                        .isEmpty();
                assertThat(CommandLine.end(each.getValue())).as(each.getKey()).isEqualTo(1);
                assertThat(new String(each.getValue().getErrorStream().readAllBytes(), StandardCharsets.UTF_8))
                        .as(each.getKey())
                        .startsWith("thalweg: no Kafka broker at 127.0.0.1:1 answers; still trying\nthalweg: cannot ")
                        .contains("no answer within 15 s")
                        .hasLineCount(2);
            }
        } finally {
            silent.values().forEach(Process::destroyForcibly);
        }
        Outcome down = new CommandLine(folder).run("topics", "--brokers", "127.0.0.1:1", "--connect-timeout", "2");
        assertThat(down.code()).isEqualTo(1);
        assertThat(down.error())
                .startsWith("thalweg: cannot list topics at 127.0.0.1:1: no answer within 2 s; ")
                .hasLineCount(1);
    }
}
