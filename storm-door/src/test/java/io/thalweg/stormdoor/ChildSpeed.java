// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import io.thalweg.run.RunSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.apache.storm.Config;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/**
 * Tuples a second of 1,000 bytes of text, acked, 10,000 pending, through one child. Not a test: run it by hand, with nothing else running.
 * Arguments: interpreter, seconds of a round, and any of {@code spout-msgpack}, {@code spout-arrow}, {@code bolt-msgpack}, {@code
 * bolt-arrow}.
 */
final class ChildSpeed {
    private static final int ROUNDS = 5;
    private static final LongAdder TAKEN = new LongAdder();

    private static final Map<String, String> SCRIPTS =
            Map.of("spout-msgpack", """
                    from thalweg.storm import Spout

                    class Texts(Spout):
                        texts = [str(n) * 250 for n in range(1000, 2000)]
                        n = 0

                        def next_tuple(self):
                            self.n += 1
                            self.emit([self.texts[self.n % 1000]], tup_id=self.n)

                    Texts().run()
                    """, "spout-arrow", """
                    import numpy as np
                    import pyarrow as pa
                    from thalweg.storm import ArrowSpout

                    class Texts(ArrowSpout):
                        texts = pa.array([str(n) * 250 for n in range(1000, 2000)] * 10)
                        n = 0

                        def next_batch(self, most):
                            at, self.n = self.n % 5000, self.n + most
                            self.emit_batch({"text": self.texts[at : at + most]}, ids=np.arange(self.n - most, self.n))

                        def ack_batch(self, ids):
                            pass

                    Texts().run()
                    """, "bolt-msgpack", """
                    from thalweg.storm import Bolt

                    class Same(Bolt):
                        def process(self, tup):
                            self.emit(tup.values)

                    Same().run()
                    """, "bolt-arrow", """
                    from thalweg.storm import ArrowBolt

                    class Same(ArrowBolt):
                        def process_batch(self, batch):
                            self.emit_batch(batch)

                    Same().run()
                    """);

    private ChildSpeed() {}

    static final class Texts extends BaseRichSpout {
        private static final long serialVersionUID = 1L;
        private transient SpoutOutputCollector collector;
        private transient String[] texts;
        private transient long n;

        @Override
        public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector output) {
            collector = output;
            texts = new String[1_000];
            Arrays.setAll(texts, i -> Integer.toString(1_000 + i).repeat(250));
        }

        @Override
        public void nextTuple() {
            n++;
            collector.emit(new Values(texts[(int) (n % texts.length)]), n);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("text"));
        }
    }

    static final class Counting extends BaseRichBolt {
        private static final long serialVersionUID = 1L;
        private transient OutputCollector collector;

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector output) {
            collector = output;
        }

        @Override
        public void execute(Tuple tuple) {
            TAKEN.increment();
            collector.ack(tuple);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {}
    }

    public static void main(String[] arguments) throws Exception {
        Path resources = Files.createTempDirectory("speed");
        for (String kind : Arrays.copyOfRange(arguments, 2, arguments.length)) {
            Files.writeString(resources.resolve("child.py"), SCRIPTS.get(kind));
            measure(kind, arguments[0], Long.parseLong(arguments[1]), resources);
        }
    }

    private static void measure(String kind, String python, long seconds, Path resources) throws Exception {
        TopologyBuilder builder = new TopologyBuilder();
        String last = "texts";
        if (kind.startsWith("spout")) {
            builder.setSpout("texts", new Shell.PythonSpout("child.py", python, "text"));
        } else {
            builder.setSpout("texts", new Texts());
            builder.setBolt("same", new Shell.PythonBolt("child.py", python, "text"))
                    .shuffleGrouping("texts");
            last = "same";
        }
        builder.setBolt("count", new Counting()).shuffleGrouping(last);
        Map<String, Object> conf = Map.of(Config.TOPOLOGY_MAX_SPOUT_PENDING, 10_000);
        StormRun run = StormDoor.of(
                        "speed", builder.createTopology(), conf, resources, ChildSpeed.class.getClassLoader())
                .start(RunSettings.defaults());
        double[] rates = new double[ROUNDS];
        double[] cpus = new double[ROUNDS];
        run.await(Duration.ofSeconds(seconds)); // warm up
        for (int round = 0; round < ROUNDS; round++) {
            long before = TAKEN.sum();
            long cpuNs = cpuNs();
            long beganNs = System.nanoTime();
            run.await(Duration.ofSeconds(seconds));
            long tuples = TAKEN.sum() - before;
            rates[round] = tuples * 1e9 / (System.nanoTime() - beganNs);
            cpus[round] = (cpuNs() - cpuNs) / 1e3 / tuples;
        }
        run.stop(Duration.ofSeconds(5), Duration.ofSeconds(30));
        Arrays.sort(rates);
        Arrays.sort(cpus);
        System.out.printf(
                "%s: %.0f tuples/s (%.0f to %.0f), %.2f µs of CPU each%n",
                kind, rates[ROUNDS / 2], rates[0], rates[ROUNDS - 1], cpus[ROUNDS / 2]);
    }

    /** Of this process and the child. */
    private static long cpuNs() {
        return List.of(ProcessHandle.current()).stream()
                .flatMap(own -> java.util.stream.Stream.concat(java.util.stream.Stream.of(own), own.descendants()))
                .mapToLong(each ->
                        each.info().totalCpuDuration().orElse(Duration.ZERO).toNanos())
                .sum();
    }
}
