// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.storm;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.GroupBy;
import io.thalweg.lab.driver.Load;
import io.thalweg.lab.driver.RefusedException;
import io.thalweg.lab.driver.TupleLayout;
import io.thalweg.workloads.telecom.FlatProbe;
import io.thalweg.workloads.telecom.TelecomLines;
import io.thalweg.workloads.telecom.TelecomSize;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import net.minidev.json.JSONArray;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.policy.WaitStrategyPark;
import org.apache.storm.topology.BoltDeclarer;
import org.apache.storm.topology.IRichBolt;
import org.apache.storm.topology.IRichSpout;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;

/** The topology of a cell, and its configuration. */
final class Topologies {
    static final String SOURCE = "source";
    static final String SINK = "sink";

    /** Records to be grouped. */
    static final Fields GROUPED = new Fields("key", "longs", "doubles", "window");

    private static final int ENOUGH_PENDING = 10_000;
    private static final String AGGREGATE = "aggregate";
    private static final double[] NO_DOUBLES = {};

    private Topologies() {}

    /**
     * @param folder for the scripts of external programs
     * @throws RefusedException if this machine has no Python
     */
    static StormTopology of(Cell cell, Path folder) throws RefusedException, IOException {
        return switch (cell.workload()) {
            case RELAY -> relay(cell, folder);
            case GROUP_BY -> groupBy(cell);
            case TELECOM -> telecom(cell);
            case FLATTEN -> flattener(cell);
            default -> throw new IllegalArgumentException("no workload of Storm: " + cell.workload());
        };
    }

    private static StormTopology relay(Cell cell, Path folder) throws RefusedException, IOException {
        TopologyBuilder builder = new TopologyBuilder();
        TupleLayout tuples = new TupleLayout(cell);
        boolean python = cell.processer().equals("python");
        IRichSpout spout = cell.from().equals("kafka")
                ? KafkaSource.spout(cell, tuples)
                : new LoadSpout(cell, new Fields(tuples.fields()), tuples.timed(), tuples::of);
        builder.setSpout(SOURCE, spout, cell.sources());
        String last = SOURCE;
        for (int layer = 1; layer <= cell.layers(); layer++) {
            String name = "relay-" + layer;
            IRichBolt relay = python ? PythonBolt.of(cell, tuples, folder) : new RelayBolt(cell, tuples);
            BoltDeclarer bolt = builder.setBolt(name, relay, cell.relays()).shuffleGrouping(last);
            if (!python) {
                Fillers.connect(bolt, last);
            }
            last = name;
        }
        BoltDeclarer sink = builder.setBolt(SINK, new SinkBolt(cell, tuples::count), cell.sinks())
                .shuffleGrouping(last);
        if (!python) {
            Fillers.connect(sink, last);
        }
        return builder.createTopology();
    }

    private static StormTopology groupBy(Cell cell) {
        TopologyBuilder builder = new TopologyBuilder();
        GroupBy records = new GroupBy(cell);
        LoadSpout.Maker maker = (number, dueNs) -> new Values(
                new GroupBy.Key(records.dimensions(number)),
                records.measures(number),
                NO_DOUBLES,
                records.timeMs(number) / GroupBy.WINDOW_MS);
        LoadSpout.Window window = tuple -> (long) tuple.get(3);
        builder.setSpout(SOURCE, new LoadSpout(cell, GROUPED, false, maker, window), cell.sources());
        aggregate(builder, cell, SOURCE, (row, meter) -> {
            long count = (long) row.get(3);
            long[] sums = (long[]) row.get(1);
            meter.receivedRow(count, sums[0]);
            long startMs = (long) row.get(4) * GroupBy.WINDOW_MS;
            meter.group(startMs, ((GroupBy.Key) row.get(0)).dimensions(), countAndSums(count, sums));
        });
        return builder.createTopology();
    }

    private static long[] countAndSums(long count, long[] sums) {
        long[] all = new long[1 + sums.length];
        all[0] = count;
        System.arraycopy(sums, 0, all, 1, sums.length);
        return all;
    }

    private static StormTopology telecom(Cell cell) {
        TopologyBuilder builder = new TopologyBuilder();
        flatten(builder, cell);
        aggregate(builder, cell, "flatten", (row, meter) -> {
            long records = (long) row.get(3);
            long[] whole = (long[]) row.get(1);
            long numbers = FlatProbe.numbers(whole);
            meter.receivedRow(records, numbers);
            if (meter.checks()) {
                meter.measures(records, numbers, FlatProbe.units(whole, (double[]) row.get(2)));
            }
        });
        return builder.createTopology();
    }

    /** The flattener alone. */
    private static StormTopology flattener(Cell cell) {
        TopologyBuilder builder = new TopologyBuilder();
        flatten(builder, cell);
        SinkBolt.Count count = (record, meter) ->
                meter.received(new FlatProbe(new String[0], (long[]) record.get(1), (double[]) record.get(2)).number());
        Fillers.connect(
                builder.setBolt(SINK, new SinkBolt(cell, count), cell.sinks()).shuffleGrouping("flatten"), "flatten");
        return builder.createTopology();
    }

    private static void flatten(TopologyBuilder builder, Cell cell) {
        LoadSpout.Window window = tuple -> FlatProbe.windowOf((byte[]) tuple.get(0));
        LoadSpout spout = new LoadSpout(cell, new Fields("line"), false, new Lines(cell.value("size")), window);
        builder.setSpout(SOURCE, spout, cell.sources());
        BoltDeclarer flatten =
                builder.setBolt("flatten", new FlattenBolt(cell), cell.relays()).shuffleGrouping(SOURCE);
        Fillers.connect(flatten, SOURCE);
        Watermarks.connect(flatten, SOURCE);
    }

    private static void aggregate(TopologyBuilder builder, Cell cell, String from, SinkBolt.Count count) {
        BoltDeclarer sums = builder.setBolt(AGGREGATE, new AggregateBolt(cell), cell.sinks())
                .fieldsGrouping(from, new Fields("key"));
        Fillers.connect(sums, from);
        Watermarks.connect(sums, from);
        Fillers.connect(builder.setBolt(SINK, new SinkBolt(cell, count), 1).shuffleGrouping(AGGREGATE), AGGREGATE);
    }

    /** Makes the pool of lines in the task, by its first one. */
    private static final class Lines implements LoadSpout.Maker {
        private static final long serialVersionUID = 1L;

        private final String size;

        @SuppressWarnings("NullAway.Init")
        private transient TelecomLines lines;

        Lines(String size) {
            this.size = size;
        }

        @Override
        public Values make(long number, long dueNs) {
            if (lines == null) {
                lines = new TelecomLines(TelecomSize.named(size));
            }
            return new Values((Object) lines.line(number));
        }
    }

    /**
     * Whether batches between tasks do good: where records come as fast as they can and enough of them may be under way. Storm
     * flushes only what its executors emit themselves; what a thread of the network or of a Python child leaves in a batch that
     * is not full stays there.
     */
    private static boolean batches(Cell cell) {
        boolean enough = !cell.acked() || cell.maxPending() == 0 || cell.maxPending() >= ENOUGH_PENDING;
        boolean flushed = cell.processes() == 1 && !cell.processer().equals("python");
        return enough && flushed && cell.ratePerSecond() == 0;
    }

    /** What the variant says, without batches where they would only wait, and with the cell's way to wait. */
    static Map<String, Object> options(Cell cell, Map<String, Object> tuning) {
        Map<String, Object> options = new HashMap<>(tuning);
        if (!batches(cell)) {
            options.put(Config.TOPOLOGY_PRODUCER_BATCH_SIZE, 1);
        }
        if (cell.waiting() != Cell.Waiting.OWN) {
            long micros = cell.waiting() == Cell.Waiting.SPIN ? 0 : TimeUnit.NANOSECONDS.toMicros(Load.PARK_NS);
            String park = WaitStrategyPark.class.getName(); // with 0 it does not sleep
            options.put(Config.TOPOLOGY_SPOUT_WAIT_STRATEGY, park);
            options.put(Config.TOPOLOGY_SPOUT_WAIT_PARK_MICROSEC, micros);
            options.put(Config.TOPOLOGY_BOLT_WAIT_STRATEGY, park);
            options.put(Config.TOPOLOGY_BOLT_WAIT_PARK_MICROSEC, micros);
        }
        return options;
    }

    /** What the variant says, and what the cell asks for. */
    static Config config(Cell cell, Map<String, Object> tuning) {
        Config config = new Config();
        config.putAll(options(cell, tuning));
        config.put(
                TwoWorkers.FIRST, cell.placement() == Cell.Placement.BETWEEN ? List.of(SOURCE, SINK) : List.of(SOURCE));
        config.setNumWorkers(cell.processes());
        config.setNumAckers(
                cell.acked() ? (int) cell.number("ackers", cell.processes()) : 0); // one a worker is its default
        if (cell.workload() != Cell.Workload.RELAY) {
            config.remove(
                    Config.TOPOLOGY_MAX_SPOUT_PENDING); // a window keeps more tuples than that until it is complete
        }
        config.setMessageTimeoutSecs(cell.ackTimeoutS());
        if (cell.acked() && cell.maxPending() > 0) {
            config.setMaxSpoutPending(cell.maxPending());
        }
        if (!cell.text("max-pending", "").isEmpty() && cell.maxPending() == 0) {
            config.remove(Config.TOPOLOGY_MAX_SPOUT_PENDING); // said to be without, the variant's included
        }
        KeySerializers.register(config);
        config.registerSerialization(JSONArray.class); // the times as they come from Python
        config.setFallBackOnJavaSerialization(false);
        return config;
    }
}
