// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor.state;

import io.thalweg.run.RunSettings;
import io.thalweg.stormdoor.StormDoor;
import io.thalweg.stormdoor.StormRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.storm.Config;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.state.KeyValueState;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.topology.base.BaseStatefulBolt;
import org.apache.storm.topology.base.BaseStatefulWindowedBolt;
import org.apache.storm.topology.base.BaseWindowedBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.apache.storm.windowing.TupleWindow;

/** Counts how often each number came, in a process that can be killed. Its spout knows from a file what was acked. */
public final class StatefulJob {
    static final int MANY = 3_000;
    static final String COUNT = "count";

    private StatefulJob() {}

    /** The folder of everything; and whether there are windows, too. */
    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        StormRun run = start(folder, arguments.length > 1);
        while (!Files.exists(folder.resolve("stop")) && !run.await(Duration.ofMillis(20))) {
            // until all are acked
        }
        run.stop(Duration.ofMinutes(1));
    }

    static StormRun start(Path folder, boolean windows) {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("numbers", new Replayed(folder.toString()));
        topology.setBolt(COUNT, new Count(), 2).fieldsGrouping("numbers", new Fields("n"));
        if (windows) {
            topology.setBolt(
                            "windows",
                            new Windows(folder.toString())
                                    .withTumblingWindow(BaseWindowedBolt.Duration.of(50))
                                    .withMessageIdField("id"))
                    .shuffleGrouping("numbers");
        }
        Map<String, Object> conf = new HashMap<>();
        conf.put(StormDoor.STATE_DIRECTORY, folder.resolve("state").toString());
        conf.put(Config.TOPOLOGY_STATE_CHECKPOINT_INTERVAL, 100);
        conf.put(Config.TOPOLOGY_MAX_SPOUT_PENDING, 500);
        conf.put(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, 900); // only a kill makes a number come again
        return StormDoor.of("numbers", topology.createTopology(), conf, null, StatefulJob.class.getClassLoader())
                .start(RunSettings.defaults());
    }

    private static void append(String folder, String file, String line) {
        try {
            Files.writeString(Path.of(folder, file), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<String> lines(Path file) {
        try {
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Set<Integer> acked(Path folder) {
        Set<Integer> acked = new HashSet<>();
        Path file = folder.resolve("acked");
        if (Files.exists(file)) {
            try {
                for (String line : Files.readAllLines(file)) {
                    if (line.endsWith(".")) { // else it was written in part
                        acked.add(Integer.parseInt(line.substring(0, line.length() - 1)));
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return acked;
    }

    /** Emits all numbers that are not acked yet. */
    static final class Replayed extends BaseRichSpout {
        private static final long serialVersionUID = 1L;
        private final String folder;
        private transient ArrayDeque<Integer> todo;
        private transient SpoutOutputCollector collector;

        Replayed(String folder) {
            this.folder = folder;
        }

        @Override
        public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector output) {
            collector = output;
            todo = new ArrayDeque<>();
            Set<Integer> done = acked(Path.of(folder));
            for (int n = 0; n < MANY; n++) {
                if (!done.contains(n)) {
                    todo.add(n);
                }
            }
        }

        @Override
        public void nextTuple() {
            Integer n = todo.poll();
            if (n != null) {
                collector.emit(new Values(n, (long) n), n);
            }
        }

        @Override
        public void ack(Object id) {
            append(folder, "acked", id + ".");
        }

        @Override
        public void fail(Object id) {
            todo.add((Integer) id);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("n", "id"));
        }
    }

    /** How often each number came. */
    static final class Count extends BaseStatefulBolt<KeyValueState<Integer, Integer>> {
        private static final long serialVersionUID = 1L;
        private transient KeyValueState<Integer, Integer> state;
        private transient OutputCollector collector;

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector output) {
            collector = output;
        }

        @Override
        public void initState(KeyValueState<Integer, Integer> its) {
            state = its;
        }

        @Override
        public void execute(Tuple tuple) {
            Integer n = tuple.getInteger(0);
            state.put(n, state.get(n, 0) + 1);
            collector.ack(tuple);
        }
    }

    /** How many windows there were; notes what it begins with. */
    static final class Windows extends BaseStatefulWindowedBolt<KeyValueState<String, Integer>> {
        private static final long serialVersionUID = 1L;
        private final String folder;
        private transient KeyValueState<String, Integer> state;

        Windows(String folder) {
            this.folder = folder;
        }

        @Override
        public void initState(KeyValueState<String, Integer> its) {
            state = its;
            append(folder, "restored", Integer.toString(its.get("windows", 0)));
        }

        @Override
        public void execute(TupleWindow window) {
            state.put("windows", state.get("windows", 0) + 1);
        }
    }
}
