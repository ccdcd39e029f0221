// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.jstorm;

import backtype.storm.Config;
import backtype.storm.generated.StormTopology;
import backtype.storm.topology.IRichBolt;
import backtype.storm.topology.TopologyBuilder;
import backtype.storm.tuple.Fields;
import com.alibaba.jstorm.client.ConfigExtension;
import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.RefusedException;
import io.thalweg.lab.driver.TupleLayout;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** The topology of relays of a cell, and its configuration. */
final class Relay {
    private static final String SOURCE = "source";
    private static final int ENOUGH_PENDING = 10_000;

    private Relay() {}

    /**
     * @param folder for the scripts of external programs
     * @throws RefusedException if this machine has no Python
     */
    static StormTopology topology(Cell cell, Path folder) throws IOException, RefusedException {
        TopologyBuilder builder = new TopologyBuilder();
        TupleLayout tuples = new TupleLayout(cell);
        builder.setSpout(
                SOURCE, new LoadSpout(cell, new Fields(tuples.fields()), tuples.timed(), tuples::of), cell.sources());
        String last = SOURCE;
        for (int layer = 1; layer <= cell.layers(); layer++) {
            String name = "relay-" + layer;
            IRichBolt relay = python(cell) ? PythonBolt.of(cell, tuples, folder) : new RelayBolt(cell, tuples);
            builder.setBolt(name, relay, cell.relays()).localOrShuffleGrouping(last);
            last = name;
        }
        builder.setBolt("sink", new SinkBolt(cell, tuples::count), cell.sinks()).localOrShuffleGrouping(last);
        return builder.createTopology();
    }

    private static boolean python(Cell cell) {
        return cell.processer().equals("python");
    }

    /** What the variant says, and what the cell asks for. */
    static Config config(Cell cell, Map<String, Object> tuning) {
        Config config = new Config();
        config.putAll(tuning);
        boolean pending = cell.acked() && cell.maxPending() > 0;
        if (cell.variant().equals("tuned")
                && (cell.ratePerSecond() > 0 || python(cell) || (pending && cell.maxPending() < ENOUGH_PENDING))) {
            ConfigExtension.setTaskBatchTuple(config, false);
            // A queue hands on 20 tuples at a time, or what it has after 5 ms: with few pending, each hop waits for
            // that.
            config.put(ConfigExtension.DISRUPTOR_QUEUE_BATCH_MODE, false);
            ConfigExtension.setSpoutPendFullSleep(config, false); // for a millisecond
            // A task misses that its queue was filled, and sees it after this time: 10 ms if nothing is said.
            config.put(Config.TOPOLOGY_DISRUPTOR_WAIT_TIMEOUT, 1);
        }
        config.setNumWorkers(1);
        config.setNumAckers(cell.acked() ? (int) cell.number("ackers", 1) : 0);
        if (pending) {
            config.setMaxSpoutPending(cell.maxPending());
        }
        if (cell.acked()) {
            config.setMessageTimeoutSecs(cell.ackTimeoutS());
        }
        // A local cluster would print every tuple.
        config.setDebug(false);
        ConfigExtension.setTopologyDebugRecvTuple(config, false);
        return config;
    }
}
