// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.jstorm;

import backtype.storm.Config;
import backtype.storm.generated.StormTopology;
import backtype.storm.topology.TopologyBuilder;
import com.alibaba.jstorm.client.ConfigExtension;
import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.RefusedException;
import java.util.Map;

/** The topology of relays of a cell, and its configuration. */
final class Relay {
    private static final String SOURCE = "source";
    private static final int ENOUGH_PENDING = 10_000;

    private Relay() {}

    /** JStorm has one guarantee, which is both: each tuple is acked, and so comes out at least once. */
    static boolean acked(Cell cell) {
        return cell.guarantee() == Cell.Guarantee.ACKED || cell.guarantee() == Cell.Guarantee.AT_LEAST_ONCE;
    }

    static StormTopology topology(Cell cell) throws RefusedException {
        refuse(cell);
        TopologyBuilder builder = new TopologyBuilder();
        Message message = new Message(cell);
        builder.setSpout(SOURCE, new LoadSpout(cell, message.fields(), message.timed(), message::of), cell.sources());
        String last = SOURCE;
        for (int layer = 1; layer <= cell.layers(); layer++) {
            String name = "relay-" + layer;
            builder.setBolt(name, new RelayBolt(cell, message), cell.relays()).localOrShuffleGrouping(last);
            last = name;
        }
        builder.setBolt("sink", new SinkBolt(cell, message::count), cell.sinks())
                .localOrShuffleGrouping(last);
        return builder.createTopology();
    }

    private static void refuse(Cell cell) throws RefusedException {
        if (cell.processes() > 1) {
            throw new RefusedException(
                    "not testable here: JStorm's supervisor starts its workers with options that only JDK 8"
                            + " understands, and there is none to be had");
        }
        if (cell.workload() != Cell.Workload.RELAY) {
            throw new RefusedException("the lab runs only relays on JStorm");
        }
        if (cell.guarantee() == Cell.Guarantee.EXACTLY_ONCE) {
            throw new RefusedException("the lab runs JStorm with its acks, which promise at least once");
        }
        if (!cell.from().equals("generated")) {
            throw new RefusedException("JStorm's Kafka spout is for brokers of 2015");
        }
        if (!cell.processer().equals("builtin")) {
            throw new RefusedException("the lab runs Python children on Storm, whose protocol JStorm shares");
        }
    }

    /** What the variant says, and what the cell asks for. */
    static Config config(Cell cell, Map<String, Object> tuning) {
        Config config = new Config();
        config.putAll(tuning);
        boolean pending = acked(cell) && cell.maxPending() > 0;
        if (cell.variant().equals("tuned")
                && (cell.ratePerSecond() > 0 || (pending && cell.maxPending() < ENOUGH_PENDING))) {
            ConfigExtension.setTaskBatchTuple(config, false);
        }
        config.setNumWorkers(1);
        config.setNumAckers(acked(cell) ? (int) cell.number("ackers", 1) : 0);
        if (pending) {
            config.setMaxSpoutPending(cell.maxPending());
        }
        // A local cluster would print every tuple.
        config.setDebug(false);
        ConfigExtension.setTopologyDebugRecvTuple(config, false);
        return config;
    }
}
