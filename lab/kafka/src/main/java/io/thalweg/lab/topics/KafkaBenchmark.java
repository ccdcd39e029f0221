// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.topics;

import io.thalweg.lab.driver.DriversInUse;
import io.thalweg.lab.topics.Rounds.Contestant;
import io.thalweg.lab.topics.Rounds.Turn;
import io.thalweg.workloads.telecom.TelecomLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Measures one case: starts a broker and a JVM for each client, fills a topic, warms all of them up, and lets the clients take turns.
 * Every result is checked before it counts. Prints medians and ranges, and the ratios within each round. Run by {@code lab/kafka/run.sh}.
 */
public final class KafkaBenchmark implements AutoCloseable {
    private static final String USAGE = """
            lab/kafka/run.sh CASE [--rounds N] [--records N] [--warm-up SECONDS] [--only CLIENT,CLIENT…]

            read      topic → count → discard, beside kafka-consumer-perf-test
            peers     the same beside Kafka Streams, Flink and Jet
            flatten   topic of JSON → 82 fields → sums by 62 dimensions, beside reading alone and parsing alone
            produce   generated messages → topic, beside kafka-producer-perf-test
            commit    topic → topic, exactly-once in both ways beside at-least-once, with one checkpoint a second
            latency   producer → topic → job → topic → consumer at 5,000 messages/s, beside Kafka Streams and Flink
            """;

    private static final Path DRIVERS = Path.of("lab/drivers");

    private static final List<String> JVM = List.of("-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch");

    /** Of engines, and of jobs that keep for exactly-once what they have written since the last checkpoint. */
    private static final List<String> LARGER = List.of("-Xms2g", "-Xmx2g", "-XX:+AlwaysPreTouch");

    /** Those of the tool, which it sets itself. */
    private static final Map<String, String> AS_THE_TOOL =
            Map.of("set.consumer.receive.buffer.bytes", "2097152", "set.consumer.check.crcs", "false");

    /** Of both producers, by name so that none goes by its defaults. */
    private static final Map<String, String> PRODUCER = Map.of(
            "set.producer.acks", "all",
            "set.producer.batch.size", "131072",
            "set.producer.linger.ms", "5",
            "set.producer.buffer.memory", "67108864",
            "set.producer.compression.type", "none");

    /** As in the {@code driver.yaml} of each. */
    private static final List<String> FLINK = List.of(
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/java.util=ALL-UNNAMED",
            "--add-opens=java.base/java.time=ALL-UNNAMED");

    private static final List<String> JET = List.of(
            "--add-modules=java.se",
            "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
            "--add-opens=java.management/sun.management=ALL-UNNAMED",
            "--add-opens=jdk.management/com.sun.management.internal=ALL-UNNAMED");

    /** What their values look like. */
    private static final Map<String, Pattern> OPTIONS = Map.of(
            "--rounds", Pattern.compile("[1-9][0-9]{0,2}"),
            "--records", Pattern.compile("[1-9][0-9]{2,8}"),
            "--warm-up", Pattern.compile("[0-9]{1,3}"),
            "--only", Pattern.compile(".+"));

    private static final int ROUNDS = 5;
    private static final int WARM_UP_S = 15;

    private final Path folder;
    private final List<Child> open = new ArrayList<>();
    private final long records;
    private final Cluster cluster;

    private KafkaBenchmark(Path folder, long records) throws IOException {
        this.folder = folder;
        this.records = records;
        cluster = Cluster.start(folder.resolve("broker"), DRIVERS.toAbsolutePath(), records);
    }

    public static void main(String[] arguments) throws Exception {
        Map<String, String> options = options(arguments);
        String name = options.getOrDefault("case", "");
        long records = Long.parseLong(options.getOrDefault("--records", defaultRecords(name)));
        List<String> only = List.of(options.getOrDefault("--only", "").split(","));
        DriversInUse.shareUntilExit(Path.of(""), System.err::println);
        Path folder = Files.createTempDirectory("kafka-benchmark-");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder), "removes what was measured"));
        try (KafkaBenchmark benchmark = new KafkaBenchmark(folder, records)) {
            int count = Integer.parseInt(options.getOrDefault("--rounds", "" + ROUNDS));
            if (name.equals("latency")) {
                LatencyCase latency = benchmark.latency(only);
                if (latency.isEmpty()) {
                    exitWithoutClient(name, only);
                }
                latency.run(count);
                latency.print();
                return;
            }
            Rounds rounds = new Rounds(benchmark.contestants(name).stream()
                    .filter(each -> only.get(0).isEmpty() || only.contains(each.name()))
                    .toList());
            if (rounds.isEmpty()) {
                exitWithoutClient(name, only);
            }
            rounds.warmUp(Duration.ofSeconds(Long.parseLong(options.getOrDefault("--warm-up", "" + WARM_UP_S))));
            rounds.run(count);
            rounds.print();
            ratios(name, rounds);
        }
    }

    private static Map<String, String> options(String[] arguments) {
        Map<String, String> options = new HashMap<>();
        for (int i = 0; i < arguments.length; i++) {
            if (!arguments[i].startsWith("--")) {
                options.put("case", arguments[i]);
            } else if (i + 1 < arguments.length && OPTIONS.containsKey(arguments[i])) {
                Pattern values = OPTIONS.get(arguments[i]);
                if (values == null || !values.matcher(arguments[i + 1]).matches()) {
                    exit(arguments[i] + " cannot be '" + arguments[i + 1] + "'");
                }
                options.put(arguments[i], arguments[++i]);
            } else {
                exit("what is " + arguments[i] + "?");
            }
        }
        if (defaultRecords(options.getOrDefault("case", "")).isEmpty()) {
            exit("name a case");
        }
        return options;
    }

    private static void exitWithoutClient(String name, List<String> only) {
        exit("case " + name + " has no client " + String.join(" or ", only));
    }

    private static void exit(String problem) {
        System.err.println(problem + "\n" + USAGE);
        System.exit(2);
    }

    /** So many that a run takes some seconds; empty for what is no case. */
    private static String defaultRecords(String name) {
        return switch (name) {
            case "read" -> "4000000";
            case "peers", "flatten" -> "1000000";
            case "produce", "commit" -> "2000000";
            case "latency" -> "1000";
            default -> "";
        };
    }

    private List<Contestant> contestants(String name) throws Exception {
        return switch (name) {
            case "read" ->
                List.of(
                        toolRead(),
                        reading("thalweg", cluster.numbers(), Map.of()),
                        reading("thalweg as the tool", cluster.numbers(), AS_THE_TOOL));
            case "peers" -> peers();
            case "flatten" -> flatten();
            case "produce" -> List.of(producing("tool", "tool-produce"), producing("thalweg", "produce"));
            default ->
                List.of(
                        copying("at-least-once", "at-least-once", Map.of()),
                        copying("exactly-once", "exactly-once", Map.of()),
                        copying("exactly-once from topic", "exactly-once", Map.of("set.from-topic", "")));
        };
    }

    private static void ratios(String name, Rounds rounds) {
        switch (name) {
            case "read" -> {
                for (String each : List.of("thalweg", "thalweg as the tool")) {
                    if (rounds.has("tool", each)) {
                        rounds.ratio("rate, " + each + " / tool", round -> round.rate(each) / round.rate("tool"));
                        rounds.ratio(
                                "rate between first and last record, " + each + " / tool",
                                round -> round.steady(each) / round.steady("tool"));
                        rounds.ratio("CPU, " + each + " / tool", round -> round.cpu(each) / round.cpu("tool"));
                    }
                }
            }
            case "peers" -> {
                for (String each : List.of("tool", "kstreams", "flink", "jet")) {
                    if (rounds.has("thalweg", each)) {
                        rounds.ratio(
                                "rate between first and last record, thalweg / " + each,
                                round -> round.steady("thalweg") / round.steady(each));
                        rounds.ratio("CPU, thalweg / " + each, round -> round.cpu("thalweg") / round.cpu(each));
                    }
                }
            }
            case "flatten" -> {
                if (rounds.has("read", "parse", "flatten")) {
                    rounds.ratio(
                            "rate, flatten / the slower of read and parse",
                            round -> round.rate("flatten") / Math.min(round.rate("read"), round.rate("parse")));
                }
            }
            case "produce" -> {
                if (rounds.has("tool", "thalweg")) {
                    rounds.ratio("rate, thalweg / tool", round -> round.rate("thalweg") / round.rate("tool"));
                    rounds.ratio("CPU, thalweg / tool", round -> round.cpu("thalweg") / round.cpu("tool"));
                }
            }
            default -> {
                for (String each : List.of("exactly-once", "exactly-once from topic")) {
                    if (rounds.has("at-least-once", each)) {
                        rounds.ratio(
                                "rate, " + each + " / at-least-once",
                                round -> round.rate(each) / round.rate("at-least-once"));
                        rounds.ratio(
                                "CPU, " + each + " / at-least-once",
                                round -> round.cpu(each) / round.cpu("at-least-once"));
                    }
                }
            }
        }
    }

    // ---- clients

    private Child client(String name) throws IOException {
        return client(name, JVM);
    }

    private Child client(String name, List<String> jvm) throws IOException {
        return child(name, "lab/kafka/target/fast/dist/lib/*", Clients.class.getName(), jvm);
    }

    private Child child(String name, String classPath, String driver, List<String> jvm) throws IOException {
        Child child = Child.start(
                name,
                folder.resolve(name.replace(' ', '-')),
                Path.of("").toAbsolutePath() + "/" + classPath,
                driver,
                jvm);
        open.add(child);
        return child;
    }

    private Map<String, String> settings(String client, String topic, Map<String, String> more) {
        Map<String, String> all = new HashMap<>(more);
        all.put("set.client", client);
        all.put("broker", cluster.address());
        all.put("topic", topic);
        all.put("records", Long.toString(records));
        return all;
    }

    private Contestant toolRead() throws IOException {
        Child child = client("tool");
        Map<String, String> settings = settings("tool-read", cluster.numbers(), Map.of());
        return new Contestant("tool", child, () -> checked(Figures.of(child.run(settings)), 0));
    }

    private Contestant reading(String name, String topic, Map<String, String> more) throws IOException {
        Child child = client(name);
        Map<String, String> settings = settings("read", topic, more);
        return new Contestant(name, child, () -> checked(Figures.of(child.run(settings)), sumOfNumbers()));
    }

    private long sumOfNumbers() {
        return records * (records - 1) / 2;
    }

    /** @throws IllegalStateException if it is not all of the topic; a sum of 0 is not looked at */
    private Figures checked(Figures figures, long sum) {
        if (figures.records() != records || (sum != 0 && figures.sum() != sum)) {
            throw new IllegalStateException("wrong result: " + figures.records() + " records with a sum of "
                    + figures.sum() + " instead of " + records + " with " + sum);
        }
        return figures;
    }

    private List<Contestant> peers() throws IOException {
        return List.of(
                toolRead(),
                reading("thalweg", cluster.numbers(), Map.of()),
                peer("kstreams", "StreamsDriver", Integer.toString(Payloads.SIZE), List.of()),
                peer("flink", "FlinkDriver", "0", FLINK),
                peer("jet", "JetDriver", "0", JET));
    }

    private Child engine(String name, String driver, List<String> jvm) throws IOException {
        List<String> options = new ArrayList<>(LARGER);
        options.addAll(jvm);
        return child(
                name,
                "lab/drivers/" + name + "/target/fast/dist/lib/*",
                "io.thalweg.lab." + name + "." + driver,
                options);
    }

    /** The lab's own relay of an engine; {@code payload} is 0 where the engine is to keep of each message its number alone. */
    private Contestant peer(String name, String driver, String payload, List<String> jvm) throws IOException {
        Child child = engine(name, driver, jvm);
        Map<String, String> settings = Map.of(
                "workload",
                "relay",
                "from",
                "kafka",
                "broker",
                cluster.address(),
                "topic",
                cluster.numbers(),
                "records",
                Long.toString(records),
                "payload",
                payload);
        return new Contestant(name, child, () -> checked(Figures.of(child.run(settings)), sumOfNumbers()));
    }

    private LatencyCase latency(List<String> only) throws IOException {
        List<LatencyCase.Copier> all = new ArrayList<>(List.of(LatencyCase.direct()));
        Map<String, String> own = Map.of("set.client", "copy-until-stopped", "set.producer.linger.ms", "0");
        all.addAll(LatencyCase.both("thalweg", client("thalweg"), own));
        all.addAll(LatencyCase.both("kstreams", engine("kstreams", "CopyDriver", List.of()), Map.of()));
        all.addAll(LatencyCase.both("flink", engine("flink", "CopyDriver", FLINK), Map.of()));
        return new LatencyCase(
                cluster,
                client("probe"),
                all.stream()
                        .filter(each -> only.get(0).isEmpty() || only.contains(each.name()))
                        .toList());
    }

    private List<Contestant> flatten() throws Exception {
        String lines = cluster.lines(records);
        long bytesUp = records * TelecomLines.BYTES_UP;
        int kept = Payloads.lines().length;
        long sumOfKept = 0;
        for (long n = 0; n < records; n++) {
            sumOfKept += n % kept;
        }
        long sumOfParsed = bytesUp + sumOfKept;
        Child reader = client("read");
        Child parser = client("parse");
        Child flattener = client("flatten");
        Map<String, String> read = settings("read", lines, Map.of());
        Map<String, String> parse = settings("parse", lines, Map.of());
        Map<String, String> flatten = settings("flatten", lines, Map.of());
        return List.of(
                new Contestant("read", reader, () -> checked(Figures.of(reader.run(read)), 0)),
                new Contestant("parse", parser, () -> checked(Figures.of(parser.run(parse)), sumOfParsed)),
                new Contestant(
                        "flatten",
                        flattener,
                        () -> checked(Figures.of(flattener.run(flatten)), bytesUp + sumOfNumbers())));
    }

    private Contestant producing(String name, String client) throws IOException {
        Child child = client(name);
        Turn turn = () -> {
            String topic = cluster.topic();
            Figures figures = Figures.of(child.run(settings(client, topic, PRODUCER)));
            checked(figures, 0);
            checked(cluster.committed(topic), 0);
            cluster.delete(topic);
            return figures;
        };
        return new Contestant(name, child, turn);
    }

    private Contestant copying(String name, String guarantee, Map<String, String> settings) throws IOException {
        Child child = client(name, LARGER);
        Turn turn = () -> {
            String out = cluster.topic();
            Map<String, String> more = new HashMap<>(PRODUCER);
            more.putAll(settings);
            more.put("guarantee", guarantee);
            more.put("checkpoint-ms", "1000");
            more.put("set.out", out);
            Path run = child.run(settings("copy", cluster.numbers(), more));
            checked(cluster.committed(out), sumOfNumbers());
            cluster.delete(out);
            Figures figures = Figures.of(run);
            delete(run);
            return figures;
        };
        return new Contestant(name, child, turn);
    }

    @Override
    public void close() {
        open.forEach(Child::close);
        cluster.close();
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            System.err.println("cannot delete " + folder + ": " + e);
        }
    }
}
