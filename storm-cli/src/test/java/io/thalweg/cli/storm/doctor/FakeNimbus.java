// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm.doctor;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.BoltStats;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.ErrorInfo;
import org.apache.storm.generated.ExecutorInfo;
import org.apache.storm.generated.ExecutorSpecificStats;
import org.apache.storm.generated.ExecutorStats;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.NotAliveException;
import org.apache.storm.generated.SpoutStats;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.TopologyInfo;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.ShellBolt;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.BoltDeclarer;
import org.apache.storm.topology.IRichBolt;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;

/** Answers what a test has told it to: a spout {@code words} and a bolt {@code count}, by key, with two executors. */
final class FakeNimbus {
    static final double PROCESS_MS = 1_000;

    /** Whether its bolt runs a program in another language. */
    boolean shell;

    static final String ID = "counting-1-1700000000";
    private static final String ALL_TIME = ":all-time";

    final List<TopologySummary> topologies = new ArrayList<>();
    final List<ExecutorSummary> executors = new ArrayList<>();
    final Map<String, List<ErrorInfo>> errors = new HashMap<>();
    String settings = "{\"executor.metrics.frequency.secs\":60,\"topology.message.timeout.secs\":30}";
    String status = "ACTIVE";
    boolean alive = true;

    FakeNimbus() {
        add("counting", ID);
    }

    void add(String name, String id) {
        topologies.add(new TopologySummary(id, name, 3, 3, 1, 500, "ACTIVE"));
    }

    Nimbus.Iface client() {
        return (Nimbus.Iface) Proxy.newProxyInstance(
                FakeNimbus.class.getClassLoader(), new Class<?>[] {Nimbus.Iface.class}, (proxy, method, arguments) -> {
                    return switch (method.getName()) {
                        case "getClusterInfo" -> cluster();
                        case "getTopologyConf" -> settings;
                        case "getUserTopology" -> topology();
                        case "getTopologyInfoWithOpts" -> info();
                        default -> throw new AssertionError("the doctor only reads, and called " + method.getName());
                    };
                });
    }

    private ClusterSummary cluster() {
        return new ClusterSummary(List.of(), topologies, List.of());
    }

    private TopologyInfo info() throws NotAliveException {
        if (!alive) {
            throw new NotAliveException(ID);
        }
        TopologyInfo info = new TopologyInfo(ID, "counting", 500, executors, status, errors);
        info.set_storm_version("2.8.3");
        return info;
    }

    private StormTopology topology() {
        TopologyBuilder storm = new TopologyBuilder();
        storm.setSpout("words", new Words());
        BoltDeclarer count =
                shell ? storm.setBolt("count", new Program(), 2) : storm.setBolt("count", new Nothing(), 2);
        count.fieldsGrouping("words", new Fields("word"));
        return storm.createTopology();
    }

    /** Replaces what is known of executors: a spout and two bolts in one worker. */
    void tell(int uptime, long emitted, long acked, long failed, long executed, double executeMs) {
        executors.clear();
        executors.add(spout(1, uptime, emitted, acked, failed));
        executors.add(bolt(2, 6700, uptime, executed, executeMs));
        executors.add(bolt(3, 6700, uptime, executed, executeMs));
    }

    static ExecutorSummary spout(int task, int uptime, long emitted, long acked, long failed) {
        ExecutorSummary summary = executor("words", task, 6700, uptime);
        SpoutStats spout = new SpoutStats(
                Map.of(ALL_TIME, Map.of("default", acked)),
                Map.of(ALL_TIME, Map.of("default", failed)),
                Map.of(ALL_TIME, Map.of("default", 20.0)));
        summary.set_stats(new ExecutorStats(
                Map.of(ALL_TIME, Map.of("default", emitted, "__ack_init", emitted)),
                Map.of(ALL_TIME, Map.of("default", emitted, "__ack_init", emitted)),
                ExecutorSpecificStats.spout(spout),
                0.05));
        return summary;
    }

    static ExecutorSummary bolt(int task, int port, int uptime, long executed, double executeMs) {
        ExecutorSummary summary = executor("count", task, port, uptime);
        GlobalStreamId words = new GlobalStreamId("words", "default");
        GlobalStreamId ticks = new GlobalStreamId("__system", "__tick");
        BoltStats bolt = new BoltStats(
                Map.of(ALL_TIME, Map.of(words, executed)),
                Map.of(ALL_TIME, Map.of()),
                Map.of(ALL_TIME, Map.of(words, PROCESS_MS)),
                Map.of(ALL_TIME, Map.of(words, executed, ticks, 20L)),
                Map.of(ALL_TIME, Map.of(words, executeMs, ticks, Double.NaN)));
        summary.set_stats(new ExecutorStats(
                Map.of(ALL_TIME, Map.of()), Map.of(ALL_TIME, Map.of()), ExecutorSpecificStats.bolt(bolt), 0.05));
        return summary;
    }

    static ExecutorSummary executor(String component, int task, int port, int uptime) {
        return new ExecutorSummary(new ExecutorInfo(task, task), component, "storm-1", port, uptime);
    }

    private static final class Program extends ShellBolt implements IRichBolt {
        private static final long serialVersionUID = 1;

        Program() {
            super("python3", "count.py");
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {}

        @Override
        public Map<String, Object> getComponentConfiguration() {
            return Map.of();
        }
    }

    private static final class Words extends BaseRichSpout {
        private static final long serialVersionUID = 1;

        @Override
        public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector collector) {}

        @Override
        public void nextTuple() {}

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("word"));
        }
    }

    private static final class Nothing extends BaseBasicBolt {
        private static final long serialVersionUID = 1;

        @Override
        public void execute(Tuple tuple, BasicOutputCollector collector) {}

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {}
    }
}
