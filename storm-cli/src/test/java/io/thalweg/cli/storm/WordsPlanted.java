// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.Config;
import org.apache.storm.StormSubmitter;
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

/** Topologies for the doctor: with one thing that is wrong, or with none. */
public final class WordsPlanted {
    private static final long MS = 1_000_000;

    private WordsPlanted() {}

    public static void main(String[] arguments) throws Exception {
        Map<String, Object> conf = new HashMap<>();
        TopologyBuilder topology = new TopologyBuilder();
        switch (arguments[0]) {
            case "slow bolt" -> {
                topology.setSpout("words", new Emit(0));
                topology.setBolt("slow", new Wait(4 * MS)).shuffleGrouping("words");
                topology.setBolt("end", new Wait(0)).shuffleGrouping("slow");
            }
            case "small pending" -> {
                conf.put(Config.TOPOLOGY_MAX_SPOUT_PENDING, 1);
                topology.setSpout("words", new Emit(0));
                topology.setBolt("first", new Wait(3 * MS)).shuffleGrouping("words");
                topology.setBolt("second", new Wait(3 * MS)).shuffleGrouping("first");
                topology.setBolt("third", new Wait(3 * MS)).shuffleGrouping("second");
            }
            case "computing bolt" -> {
                topology.setSpout("words", new Emit(0));
                topology.setBolt("computes", new Compute()).shuffleGrouping("words");
            }
            case "healthy" -> {
                topology.setSpout("words", new Emit(10 * MS));
                topology.setBolt("pass", new Wait(0), 2).shuffleGrouping("words");
                topology.setBolt("end", new Wait(0)).globalGrouping("pass");
            }
            default -> throw new IllegalArgumentException(arguments[0]);
        }
        StormSubmitter.submitTopology("planted", conf, topology.createTopology());
    }

    /** Emits words with ids, each after a pause. */
    public static final class Emit extends BaseRichSpout {
        private static final long serialVersionUID = 1L;
        private final long pauseNs;
        private transient SpoutOutputCollector collector;
        private transient long number;

        Emit(long pauseNs) {
            this.pauseNs = pauseNs;
        }

        @Override
        public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector output) {
            collector = output;
        }

        @Override
        public void nextTuple() {
            pause(pauseNs);
            collector.emit(new Values("word " + number), number++);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("word"));
        }
    }

    /** Waits, as for a service, and passes words on. */
    public static final class Wait extends BaseBasicBolt {
        private static final long serialVersionUID = 1L;
        private final long waitNs;

        Wait(long waitNs) {
            this.waitNs = waitNs;
        }

        @Override
        public void execute(Tuple tuple, BasicOutputCollector collector) {
            pause(waitNs);
            collector.emit(tuple.getValues());
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("word"));
        }
    }

    /** Takes its time for each word. */
    public static final class Compute extends BaseBasicBolt {
        private static final long serialVersionUID = 1L;
        private transient long last;

        @Override
        public void execute(Tuple tuple, BasicOutputCollector collector) {
            last = mixed(tuple.getString(0).hashCode() + last);
        }

        private static long mixed(long value) {
            long x = value | 1;
            for (int i = 0; i < 200_000; i++) {
                x ^= x << 13;
                x ^= x >>> 7;
                x ^= x << 17;
            }
            return x;
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {}
    }

    private static void pause(long ns) {
        if (ns > 0) {
            LockSupport.parkNanos(ns);
        }
    }
}
