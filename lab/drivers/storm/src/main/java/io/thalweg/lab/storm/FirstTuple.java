// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.storm;

import io.thalweg.lab.driver.DriversInUse;
import io.thalweg.run.RunSettings;
import io.thalweg.run.TemporaryFolder;
import io.thalweg.storm.LoopbackAgent;
import io.thalweg.stormdoor.StormDoor;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;
import org.apache.storm.StormSubmitter;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/**
 * How long it takes from the beginning of {@code main} to the first tuple of a topology: on Storm's LocalCluster, by Thalweg's front end
 * for Storm in a program or test, and by {@code thalweg storm run}, in turn, each time in a process of its own. Run by
 * {@code lab/drivers/storm/first-tuple.sh}.
 */
public final class FirstTuple {
    /** What runs the topology. */
    enum Where {
        CLUSTER("LocalCluster"),
        DOOR("StormDoor"),
        COMMAND("thalweg storm run");

        private final String shown;

        Where(String shown) {
            this.shown = shown;
        }
    }

    /**
     * From the beginning of {@code main} to the first call of the spout, and to that of the bolt, whose tuple was the right one; and from
     * the start of the process to its end, which follows at once.
     */
    record Seconds(double toNextTuple, double toExecute, double process) {}

    private record Taken(long ns, String from, Object value) {}

    private static final String ONCE = "once";
    private static final String MARK = "first tuple: ";
    private static final long FIRST = 4711;
    private static final String SPOUT = "numbers";
    private static final long LONGEST_S = 180;
    private static final int ROUNDS = 5;
    private static final double NS_PER_S = 1e9;

    /** Set once in a JVM, by the copies of spout and bolt that run. */
    private static final CompletableFuture<Long> CALLED = new CompletableFuture<>();

    private static final CompletableFuture<Taken> TAKEN = new CompletableFuture<>();

    private FirstTuple() {}

    public static void main(String[] args) throws Exception {
        long beganNs = System.nanoTime();
        if (args.length == 2 && args[0].equals(ONCE)) {
            once(Where.valueOf(args[1]), beganNs);
        } else if (args.length == 0 || (args.length == 1 && args[0].matches("[1-9]\\d{0,3}"))) {
            DriversInUse.shareUntilExit(Path.of(""), System.err::println);
            measure(
                    List.of(Where.values()),
                    args.length == 0 ? ROUNDS : Integer.parseInt(args[0]),
                    System.out::println);
        } else {
            System.err.println("first-tuple.sh [ROUNDS], a number, " + ROUNDS + " by default");
            System.exit(2);
        }
    }

    // ---- the JVM that is measured

    private static void once(Where where, long beganNs) {
        try {
            TopologyBuilder builder = new TopologyBuilder();
            builder.setSpout(SPOUT, new Numbers());
            builder.setBolt("first", new First()).shuffleGrouping(SPOUT);
            submit(where, builder.createTopology());
            Taken taken = TAKEN.get(LONGEST_S, TimeUnit.SECONDS);
            if (!taken.from.equals(SPOUT) || !taken.value.equals(FIRST)) {
                throw new IllegalStateException("the first tuple was " + taken.value + " of " + taken.from);
            }
            System.out.println(MARK + (CALLED.join() - beganNs) + " " + (taken.ns - beganNs));
            System.out.flush();
        } catch (Exception e) {
            e.printStackTrace();
            Runtime.getRuntime().halt(1);
        }
        Runtime.getRuntime().halt(0); // how long it takes to end is not asked
    }

    private static void submit(Where where, StormTopology topology) throws Exception {
        switch (where) {
            case CLUSTER -> new LocalCluster().submitTopology("first", new Config(), topology);
            case DOOR -> StormDoor.of(topology, new Config()).start(RunSettings.defaults());
            case COMMAND -> StormSubmitter.submitTopology("first", new Config(), topology);
        }
    }

    private static final class Numbers extends BaseRichSpout {
        private static final long serialVersionUID = 1L;

        @SuppressWarnings("NullAway.Init") // Storm opens a spout before it uses it
        private transient SpoutOutputCollector collector;

        private transient boolean emitted;

        @Override
        public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector collector) {
            this.collector = collector;
        }

        @Override
        public void nextTuple() {
            if (!emitted) {
                CALLED.complete(System.nanoTime());
                collector.emit(new Values(FIRST), FIRST);
                emitted = true;
            }
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("number"));
        }
    }

    private static final class First extends BaseBasicBolt {
        private static final long serialVersionUID = 1L;

        @Override
        public void execute(Tuple tuple, BasicOutputCollector collector) {
            if (!TAKEN.isDone()) {
                TAKEN.complete(new Taken(System.nanoTime(), tuple.getSourceComponent(), tuple.getValue(0)));
            }
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            // nothing continues from here
        }
    }

    // ---- the JVM that starts the others

    /** Prints each round, and in the end medians and ranges, and those of the ratios to LocalCluster, which must be among them. */
    static void measure(List<Where> all, int rounds, Consumer<String> print) throws IOException, InterruptedException {
        List<Map<Where, Seconds>> taken = new ArrayList<>();
        try (TemporaryFolder folder = TemporaryFolder.make("thalweg-first-tuple-")) {
            for (int round = 0; round < rounds; round++) {
                Map<Where, Seconds> its = new EnumMap<>(Where.class);
                for (int turn = 0; turn < all.size(); turn++) {
                    Where where = all.get((round + turn) % all.size());
                    its.put(where, start(where, folder.path()));
                }
                taken.add(its);
                StringBuilder line = new StringBuilder("round " + (round + 1) + ":");
                its.forEach((where, seconds) -> line.append(String.format(
                        Locale.ROOT,
                        " %s %.3f s to nextTuple, %.3f s to execute, %.3f s in all;",
                        where.shown,
                        seconds.toNextTuple,
                        seconds.toExecute,
                        seconds.process)));
                print.accept(line.substring(0, line.length() - 1));
            }
        }
        print.accept("from the beginning of main, median (range) of " + rounds + " rounds");
        print.accept(summary("to nextTuple", all, taken, Seconds::toNextTuple));
        print.accept(summary("to execute", all, taken, Seconds::toExecute));
        print.accept(summary("the process, from its start to its end", all, taken, Seconds::process));
    }

    private static String summary(
            String what, List<Where> all, List<Map<Where, Seconds>> rounds, ToDoubleFunction<Seconds> seconds) {
        StringBuilder line = new StringBuilder(what + ":");
        for (Where where : all) {
            line.append(' ').append(where.shown).append(' ');
            line.append(spread(sorted(rounds, round -> seconds.applyAsDouble(of(round, where)))))
                    .append(" s");
            if (where != Where.CLUSTER) {
                line.append(", round by round ");
                line.append(spread(sorted(
                        rounds,
                        round -> seconds.applyAsDouble(of(round, where))
                                / seconds.applyAsDouble(of(round, Where.CLUSTER)))));
                line.append(" of ").append(Where.CLUSTER.shown).append("'s");
            }
            line.append(';');
        }
        return line.substring(0, line.length() - 1);
    }

    private static Seconds of(Map<Where, Seconds> round, Where where) {
        Seconds seconds = round.get(where);
        if (seconds == null) {
            throw new IllegalStateException("not measured: " + where);
        }
        return seconds;
    }

    private static double[] sorted(List<Map<Where, Seconds>> rounds, ToDoubleFunction<Map<Where, Seconds>> figure) {
        return rounds.stream().mapToDouble(figure).sorted().toArray();
    }

    private static String spread(double[] sorted) {
        int last = sorted.length - 1;
        double median = (sorted[last / 2] + sorted[sorted.length / 2]) / 2;
        return String.format(Locale.ROOT, "%.3f (%.3f – %.3f)", median, sorted[0], sorted[last]);
    }

    /** Runs it once, in a process whose files are in the folder: in a JVM with this one's options and class path, or by the command. */
    static Seconds start(Where where, Path folder) throws IOException, InterruptedException {
        Path its = Files.createTempDirectory(folder, "process");
        Path log = its.resolve("output");
        List<String> command = where == Where.COMMAND ? storm() : java(its);
        command.addAll(List.of(ONCE, where.name()));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(its.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("THALWEG_BUILT", "1"); // a build would be timed, too
        builder.environment().remove("THALWEG_OPTS"); // which the others do not have
        long beganNs = System.nanoTime();
        Process process = builder.start();
        long tookNs;
        boolean right;
        try {
            right = process.waitFor(2 * LONGEST_S, TimeUnit.SECONDS) && process.exitValue() == 0;
            tookNs = System.nanoTime() - beganNs;
        } finally {
            process.destroyForcibly();
        }
        for (String line : right ? Files.readAllLines(log) : List.<String>of()) {
            if (line.startsWith(MARK)) {
                String[] ns = line.substring(MARK.length()).split(" ");
                return new Seconds(
                        Long.parseLong(ns[0]) / NS_PER_S, Long.parseLong(ns[1]) / NS_PER_S, tookNs / NS_PER_S);
            }
        }
        throw new IOException("no first tuple with " + where.shown + ": " + Files.readString(log));
    }

    private static List<String> java(Path folder) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        Path agent = folder.resolve("agent.jar");
        LoopbackAgent.writeJar(agent); // Storm's ZooKeeper listens on all addresses
        command.add("-javaagent:" + agent + "=" + ProcessHandle.current().pid());
        command.add("-Djava.io.tmpdir=" + folder);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), FirstTuple.class.getName()));
        return command;
    }

    private static List<String> storm() throws IOException {
        Path jar = Path.of(FirstTuple.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath());
        Path launcher = Path.of("thalweg").toAbsolutePath();
        return new ArrayList<>(List.of(
                launcher.toString(), "storm", "run", jar.toString(), "--class", FirstTuple.class.getName(), "--"));
    }
}
