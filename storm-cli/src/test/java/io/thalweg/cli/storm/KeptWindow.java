// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.state.KeyValueState;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.topology.base.BaseStatefulWindowedBolt;
import org.apache.storm.topology.base.BaseWindowedBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;
import org.apache.storm.windowing.TupleWindow;

/** A main whose topology keeps a window of its own objects as state. Its arguments are the words that it emits; four are a window. */
public final class KeptWindow {
    private static final int LENGTH = 4;

    /** All words are acked. */
    private static final CountDownLatch ACKED = new CountDownLatch(1);

    private KeptWindow() {}

    public static void main(String[] words) throws Exception {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("words", new Words(List.of(words)));
        topology.setBolt("window", new Window().withPersistence().withTumblingWindow(BaseWindowedBolt.Count.of(LENGTH)))
                .shuffleGrouping("words");
        Config conf = new Config();
        conf.registerSerialization(Word.class);
        conf.put(Config.TOPOLOGY_STATE_CHECKPOINT_INTERVAL, 100);
        conf.put(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, 600); // however busy the machine
        try (LocalCluster cluster = new LocalCluster()) {
            cluster.submitTopology("kept", conf, topology.createTopology());
            System.out.println("acked: " + ACKED.await(4, TimeUnit.MINUTES));
        }
    }

    /** What the jar alone knows. */
    public static final class Word {
        private String text = "";

        /** For Kryo. */
        public Word() {}

        Word(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /** Emits each word once. */
    public static final class Words extends BaseRichSpout {
        private static final long serialVersionUID = 1L;
        private final List<String> words;
        private transient Deque<String> todo;
        private transient SpoutOutputCollector collector;
        private transient int acked;

        Words(List<String> words) {
            this.words = words;
        }

        @Override
        public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector output) {
            todo = new ArrayDeque<>(words);
            collector = output;
        }

        @Override
        public void nextTuple() {
            String next = todo.poll();
            if (next != null) {
                collector.emit(new Values(new Word(next)), next);
            }
        }

        @Override
        public void ack(Object id) {
            acked++;
            if (acked == words.size()) {
                ACKED.countDown();
            }
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("word"));
        }
    }

    /** Prints its words. */
    public static final class Window extends BaseStatefulWindowedBolt<KeyValueState<String, String>> {
        private static final long serialVersionUID = 1L;

        @Override
        public void initState(KeyValueState<String, String> state) {
            // has none beside its window
        }

        @Override
        public void execute(TupleWindow window) {
            System.out.println("window: "
                    + window.get().stream()
                            .map(each -> ((Word) each.getValue(0)).toString())
                            .collect(Collectors.joining(" ")));
        }
    }
}
