// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;
import org.apache.storm.LocalDRPC;
import org.apache.storm.StormSubmitter;
import org.apache.storm.drpc.LinearDRPCTopologyBuilder;
import org.apache.storm.generated.KillOptions;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.apache.storm.utils.DRPCClient;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.Utils;

/** A main as those of topologies are; its argument says what it does. */
public final class Words {
    /** A bolt has executed something. */
    private static final CountDownLatch EXECUTED = new CountDownLatch(1);

    /** A bolt of each of two topologies has something to execute. */
    private static final CountDownLatch BOTH_EXECUTE = new CountDownLatch(2);

    private Words() {}

    public static void main(String[] arguments) throws Exception {
        String what = arguments.length == 0 ? "" : arguments[0];
        Map<String, Object> conf = new HashMap<>();
        switch (what) {
            case "submit" ->
                StormSubmitter.submitTopology("words", conf, topology("exclaim").createTopology());
            case "told" -> {
                StormSubmitter.submitTopology("words", conf, topology("exclaim").createTopology());
                EXECUTED.await(4, TimeUnit.MINUTES);
                System.err.println("executed");
            }
            case "twice" -> {
                StormSubmitter.submitTopology("one", conf, topology("exclaim").createTopology());
                StormSubmitter.submitTopology("two", conf, topology("exclaim").createTopology());
            }
            case "same" -> {
                StormSubmitter.submitTopology("one", conf, topology("exclaim").createTopology());
                StormSubmitter.submitTopology("one", conf, topology("exclaim").createTopology());
            }
            case "local" -> {
                try (LocalCluster cluster = new LocalCluster()) {
                    cluster.submitTopology("local", conf, topology("exclaim").createTopology());
                    EXECUTED.await(4, TimeUnit.MINUTES);
                    cluster.killTopology("local");
                }
            }
            case "again" -> {
                List<Boolean> ended = new ArrayList<>();
                for (int i = 0; i < 2; i++) {
                    try (LocalCluster cluster =
                            new LocalCluster.Builder().withSupervisors(1).build()) {
                        cluster.submitTopology(
                                "again", conf, topology("exclaim").createTopology());
                    }
                    ended.add(isFree("again"));
                }
                StormSubmitter.submitTopology("again", conf, topology("exclaim").createTopology());
                try (NimbusClient client =
                        NimbusClient.Builder.withConf(Utils.readStormConfig()).build()) {
                    KillOptions now = new KillOptions();
                    now.set_wait_secs(0);
                    client.getClient().killTopologyWithOpts("again", now);
                    while (!client.getClient().getTopologySummaries().isEmpty()) {
                        new CountDownLatch(1).await(20, TimeUnit.MILLISECONDS);
                    }
                }
                ended.add(isFree("again"));
                System.out.println("ended: " + ended.toString().replaceAll("[\\[\\]]", ""));
            }
            case "round" -> {
                TopologyBuilder topology = new TopologyBuilder();
                topology.setSpout("words", new TestWordSpout());
                topology.setBolt("round", new Exclaim("round"))
                        .shuffleGrouping("words")
                        .shuffleGrouping("round");
                try (LocalCluster cluster = new LocalCluster()) {
                    cluster.submitTopology("round", conf, topology.createTopology());
                    EXECUTED.await(4, TimeUnit.MINUTES);
                }
            }
            case "kept" -> {
                TopologyBuilder topology = new TopologyBuilder();
                topology.setSpout("words", new TestWordSpout());
                topology.setBolt("keep", new Keep()).shuffleGrouping("words");
                topology.setBolt("end", new Exclaim("end")).shuffleGrouping("keep");
                try (LocalCluster cluster = new LocalCluster()) {
                    cluster.submitTopology("kept", conf, topology.createTopology());
                    EXECUTED.await(4, TimeUnit.MINUTES);
                }
            }
            case "call" -> {
                Integer result = LocalCluster.withLocalModeOverride(
                        () -> {
                            StormSubmitter.submitTopology(
                                    "called", conf, topology("exclaim").createTopology());
                            return 7;
                        },
                        1);
                System.out.println("the call returned " + result);
            }
            case "drpc" -> {
                LinearDRPCTopologyBuilder shout = shout(false);
                try (LocalDRPC drpc = new LocalDRPC();
                        LocalCluster cluster = new LocalCluster()) {
                    cluster.submitTopology("local", conf, shout.createLocalTopology(drpc));
                    System.out.println("local: " + drpc.execute("shout", "hello"));
                }
                String answer = LocalCluster.withLocalModeOverride(
                        () -> {
                            StormSubmitter.submitTopology("remote", conf, shout.createRemoteTopology());
                            try (DRPCClient client = DRPCClient.getConfiguredClient(conf)) {
                                return client.execute("shout", "hallo");
                            }
                        },
                        0);
                System.out.println("remote: " + answer);
            }
            case "unanswered" -> {
                try (LocalDRPC drpc = new LocalDRPC()) {
                    drpc.execute("shout", "hello");
                }
            }
            case "held" -> {
                LocalDRPC drpc = new LocalDRPC();
                StormSubmitter.submitTopology("held", conf, shout(true).createLocalTopology(drpc));
                drpc.execute("shout", "hello");
            }
            case "invalid" -> {
                TopologyBuilder topology = topology("exclaim");
                topology.setBolt("end", new Exclaim("")).shuffleGrouping("nobody");
                StormSubmitter.submitTopology("invalid", conf, topology.createTopology());
            }
            case "pending" -> {
                conf.put(Config.TOPOLOGY_MAX_SPOUT_PENDING, "ten");
                StormSubmitter.submitTopology(
                        "pending", conf, topology("exclaim").createTopology());
            }
            case "blobs" -> {
                conf.put(Config.TOPOLOGY_BLOBSTORE_MAP, Map.of("dictionary", Map.of("localname", "words.txt")));
                StormSubmitter.submitTopology("blobs", conf, topology("exclaim").createTopology());
            }
            case "pending locally" -> {
                conf.put(Config.TOPOLOGY_MAX_SPOUT_PENDING, "ten");
                try (LocalCluster cluster = new LocalCluster()) {
                    cluster.submitTopology("pending", conf, topology("exclaim").createTopology());
                }
            }
            case "fails" ->
                StormSubmitter.submitTopology("fails", conf, topology("fail").createTopology());
            case "both fail" -> {
                for (String name : List.of("one", "two")) {
                    TopologyBuilder topology = new TopologyBuilder();
                    topology.setSpout("words", new TestWordSpout());
                    topology.setBolt("end", new Exclaim("fail with the other")).shuffleGrouping("words");
                    StormSubmitter.submitTopology(name, conf, topology.createTopology());
                }
            }
            case "both are refused" -> {
                for (String name : List.of("one", "two")) {
                    TopologyBuilder topology = topology("exclaim");
                    topology.setBolt("end", new Exclaim("")).shuffleGrouping("nobody of " + name);
                    try {
                        StormSubmitter.submitTopology(name, conf, topology.createTopology());
                    } catch (RuntimeException e) {
                        System.out.println("goes on");
                    }
                }
            }
            case "exits" -> {
                StormSubmitter.submitTopology("exits", conf, topology("exclaim").createTopology());
                System.exit(0);
            }
            case "exits later" -> {
                try (LocalCluster cluster = new LocalCluster()) {
                    cluster.submitTopology("exits", conf, topology("exclaim").createTopology());
                    EXECUTED.await(4, TimeUnit.MINUTES);
                }
                System.exit(0);
            }
            case "throws" -> throw new IllegalStateException("no settings");
            default -> System.out.println("nothing to do");
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await(4, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean isFree(String name) throws Exception {
        try (NimbusClient client =
                NimbusClient.Builder.withConf(Utils.readStormConfig()).build()) {
            return client.getClient().isTopologyNameAllowed(name);
        }
    }

    private static TopologyBuilder topology(String how) {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("words", new TestWordSpout());
        topology.setBolt("exclaim", new Exclaim(how), 2).shuffleGrouping("words");
        return topology;
    }

    private static LinearDRPCTopologyBuilder shout(boolean silent) {
        LinearDRPCTopologyBuilder topology = new LinearDRPCTopologyBuilder("shout");
        topology.addBolt(new Shout(silent), 2);
        return topology;
    }

    /** Adds an exclamation mark to what a call brings, or gives no answer. */
    public static final class Shout extends BaseBasicBolt {
        private static final long serialVersionUID = 1L;
        private final boolean silent;

        Shout(boolean silent) {
            this.silent = silent;
        }

        @Override
        public void execute(Tuple tuple, BasicOutputCollector collector) {
            if (!silent) {
                collector.emit(new Values(tuple.getValue(0), tuple.getString(1) + "!"));
            }
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("id", "answer"));
        }
    }

    /** Acks nothing, and emits a word from a thread of its own. */
    public static final class Keep extends BaseRichBolt {
        private static final long serialVersionUID = 1L;
        private transient OutputCollector collector;

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector output) {
            collector = output;
        }

        @Override
        public void execute(Tuple tuple) {
            new Thread(() -> collector.emit(new Values(tuple.getString(0)))).start();
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("word"));
        }
    }

    /** Adds an exclamation mark. */
    public static final class Exclaim extends BaseBasicBolt {
        private static final long serialVersionUID = 1L;
        private final String how;

        Exclaim(String how) {
            this.how = how;
        }

        @Override
        public void execute(Tuple tuple, BasicOutputCollector collector) {
            if (how.equals("fail")) {
                throw new IllegalStateException("no such table");
            }
            if (how.equals("fail with the other")) {
                BOTH_EXECUTE.countDown();
                await(BOTH_EXECUTE);
                throw new IllegalStateException("no such table");
            }
            collector.emit(new Values(how.equals("round") ? tuple.getString(0) : tuple.getString(0) + "!"));
            EXECUTED.countDown();
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("word"));
        }
    }
}
