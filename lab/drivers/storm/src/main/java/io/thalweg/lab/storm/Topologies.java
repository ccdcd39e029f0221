// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.storm;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.RefusedException;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.topology.TopologyBuilder;

/** The topology of a cell, and its configuration. */
final class Topologies {
    static final String SOURCE = "source";
    static final String SINK = "sink";

    private Topologies() {}

    /** Storm has one guarantee, which is both: each tuple is acked, and so comes out at least once. */
    static boolean acked(Cell cell) {
        return cell.guarantee() == Cell.Guarantee.ACKED || cell.guarantee() == Cell.Guarantee.AT_LEAST_ONCE;
    }

    static StormTopology of(Cell cell) throws RefusedException {
        if (cell.guarantee() == Cell.Guarantee.EXACTLY_ONCE) {
            throw new RefusedException(
                    "Storm's spouts and bolts promise at least once; exactly once is Trident's alone");
        }
        return switch (cell.workload()) {
            case RELAY -> relay(cell);
            default -> throw new RefusedException("Storm does not do this");
        };
    }

    private static StormTopology relay(Cell cell) {
        TopologyBuilder builder = new TopologyBuilder();
        Message message = new Message(cell);
        builder.setSpout(SOURCE, new LoadSpout(cell, message.fields(), message.timed(), message::of), cell.sources());
        String last = SOURCE;
        for (int layer = 1; layer <= cell.layers(); layer++) {
            String name = "relay-" + layer;
            builder.setBolt(name, new RelayBolt(cell, message), cell.relays()).shuffleGrouping(last);
            last = name;
        }
        builder.setBolt(SINK, new SinkBolt(cell, message::count), cell.sinks()).shuffleGrouping(last);
        return builder.createTopology();
    }

    /** What the variant says, and what the cell asks for. */
    static Config config(Cell cell, Map<String, Object> tuning) {
        Config config = new Config();
        config.putAll(tuning);
        config.setNumWorkers(cell.processes());
        config.setNumAckers(acked(cell) ? (int) cell.number("ackers", 1) : 0);
        if (acked(cell) && cell.maxPending() > 0) {
            config.setMaxSpoutPending(cell.maxPending());
        }
        config.registerSerialization(long[].class);
        config.setFallBackOnJavaSerialization(false);
        return config;
    }
}
