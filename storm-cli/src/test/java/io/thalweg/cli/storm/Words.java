// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.storm.LocalCluster;
import org.apache.storm.StormSubmitter;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/** A main as those of topologies are; its argument says what it does. */
public final class Words {
    private Words() {}

    public static void main(String[] arguments) throws Exception {
        String what = arguments.length == 0 ? "" : arguments[0];
        Map<String, Object> conf = new HashMap<>();
        switch (what) {
            case "submit" ->
                StormSubmitter.submitTopology("words", conf, topology("exclaim").createTopology());
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
                    new CountDownLatch(1).await(1500, TimeUnit.MILLISECONDS);
                    cluster.killTopology("local");
                }
            }
            case "invalid" -> {
                TopologyBuilder topology = topology("exclaim");
                topology.setBolt("end", new Exclaim("")).shuffleGrouping("nobody");
                StormSubmitter.submitTopology("invalid", conf, topology.createTopology());
            }
            case "fails" ->
                StormSubmitter.submitTopology("fails", conf, topology("fail").createTopology());
            case "throws" -> throw new IllegalStateException("no settings");
            default -> System.out.println("nothing to do");
        }
    }

    private static TopologyBuilder topology(String how) {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("words", new TestWordSpout());
        topology.setBolt("exclaim", new Exclaim(how), 2).shuffleGrouping("words");
        return topology;
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
            collector.emit(new Values(tuple.getString(0) + "!"));
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("word"));
        }
    }
}
