// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.storm.Config;
import org.apache.storm.ISubmitterHook;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.KillOptions;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.TopologyInfo;
import org.apache.storm.grouping.CustomStreamGrouping;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.task.WorkerTopologyContext;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.Utils;

/** Components as those of topologies in Flux YAML are. A topology ends by itself when all of it is acked. */
public final class FluxWords {
    private FluxWords() {}

    /** What a spout emits. */
    public static final class Sentences implements Serializable {
        private static final long serialVersionUID = 1L;
        private final int repeat;
        private final List<String> sentences = new ArrayList<>();

        public Sentences(int repeat) {
            this.repeat = repeat;
        }

        public void say(String sentence) {
            sentences.add(sentence);
        }
    }

    /** Is told of each topology that Storm's client has submitted, and ends it. */
    public static final class Notified implements ISubmitterHook {
        @Override
        public void notify(TopologyInfo info, Map<String, Object> conf, StormTopology topology) {
            System.out.println("submitted: " + info.get_name() + ", " + info.get_status());
            kill(info.get_name());
        }
    }

    /** Emits a number of tuples, and kills its topology when all are acked. */
    public abstract static class Bounded extends BaseRichSpout {
        private static final long serialVersionUID = 1L;
        private transient SpoutOutputCollector collector;
        private transient TopologyContext context;
        private transient String topology;
        private int next;
        private int acked;

        protected abstract int tuples();

        protected abstract void emit(SpoutOutputCollector to, TopologyContext in, int number);

        @Override
        public void open(Map<String, Object> conf, TopologyContext its, SpoutOutputCollector to) {
            collector = to;
            context = its;
            topology = (String) conf.get(Config.TOPOLOGY_NAME);
        }

        @Override
        public void nextTuple() {
            if (next < tuples()) {
                emit(collector, context, next++);
            }
        }

        @Override
        public void fail(Object id) {
            throw new IllegalStateException("tuple " + id + " failed");
        }

        @Override
        public void ack(Object id) {
            if (++acked == tuples()) {
                kill(topology);
            }
        }
    }

    private static void kill(String topology) {
        try (NimbusClient client =
                NimbusClient.Builder.withConf(Utils.readStormConfig()).build()) {
            KillOptions now = new KillOptions();
            now.set_wait_secs(0);
            client.getClient().killTopologyWithOpts(topology, now);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Emits sentences, in turn. */
    public static final class Spout extends Bounded {
        private static final long serialVersionUID = 1L;
        private final Sentences of;

        public Spout(Sentences of) {
            this.of = of;
        }

        @Override
        protected int tuples() {
            return of.repeat * of.sentences.size();
        }

        @Override
        protected void emit(SpoutOutputCollector to, TopologyContext in, int number) {
            to.emit(new Values(of.sentences.get(number % of.sentences.size())), number);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("sentence"));
        }
    }

    /** Emits numbers, and each once more to the first task of a bolt. */
    public static final class Numbers extends Bounded {
        private static final long serialVersionUID = 1L;
        public int count;

        @Override
        protected int tuples() {
            return 2 * count;
        }

        @Override
        protected void emit(SpoutOutputCollector to, TopologyContext in, int number) {
            if (number % 2 == 0) {
                to.emit(new Values(number), number);
            } else {
                to.emitDirect(in.getComponentTasks("direct").get(0), "chosen", new Values(number), number);
            }
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("number"));
            declarer.declareStream("chosen", true, new Fields("number"));
        }
    }

    /** To the first task. */
    public static final class First implements CustomStreamGrouping {
        private static final long serialVersionUID = 1L;
        private List<Integer> first = List.of();

        @Override
        public void prepare(WorkerTopologyContext context, GlobalStreamId stream, List<Integer> tasks) {
            first = tasks.subList(0, 1);
        }

        @Override
        public List<Integer> chooseTasks(int from, List<Object> values) {
            return new ArrayList<>(first);
        }
    }

    /** Splits sentences into words. */
    public static final class Split extends BaseBasicBolt {
        private static final long serialVersionUID = 1L;

        @Override
        public void execute(Tuple tuple, BasicOutputCollector collector) {
            for (String word : tuple.getString(0).split(" ")) {
                collector.emit(new Values(word));
            }
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("word"));
        }
    }

    /** Counts words. */
    public static final class Count extends BaseBasicBolt {
        private static final long serialVersionUID = 1L;
        private final Map<String, Integer> counts = new HashMap<>();

        @Override
        public void execute(Tuple tuple, BasicOutputCollector collector) {
            collector.emit(new Values(tuple.getString(0), counts.merge(tuple.getString(0), 1, Integer::sum)));
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("word", "count"));
        }
    }

    /** Writes the last count of each word, and a note from the options, into a file. */
    public static final class Store extends BaseRichBolt {
        private static final long serialVersionUID = 1L;
        private final Map<String, Integer> counts = new TreeMap<>();
        private String file = "";
        private String note = "";
        private transient OutputCollector collector;

        public void setFile(String file) {
            this.file = file;
        }

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector to) {
            collector = to;
            note = String.valueOf(conf.get("note"));
        }

        @Override
        public void execute(Tuple tuple) {
            counts.merge(tuple.getString(0), tuple.getInteger(1), Math::max);
            collector.ack(tuple);
        }

        @Override
        public void cleanup() {
            StringBuilder text = new StringBuilder("note " + note + "\n");
            counts.forEach(
                    (word, count) -> text.append(word).append(' ').append(count).append('\n'));
            try {
                Files.writeString(Path.of(file), text);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {}
    }

    /** Acks all that it gets. */
    public static final class Drain extends BaseBasicBolt {
        private static final long serialVersionUID = 1L;

        @Override
        public void execute(Tuple tuple, BasicOutputCollector collector) {}

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {}
    }

    /** Cannot be created. */
    public static final class Broken extends BaseBasicBolt {
        private static final long serialVersionUID = 1L;

        public Broken() {
            throw new IllegalStateException("no table words");
        }

        @Override
        public void execute(Tuple tuple, BasicOutputCollector collector) {}

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {}
    }

    /** Its static initializer throws. */
    public static final class Unset extends BaseBasicBolt {
        private static final long serialVersionUID = 1L;
        private static final Integer TABLE = table();

        private static Integer table() {
            throw new IllegalStateException("no table words");
        }

        @Override
        public void execute(Tuple tuple, BasicOutputCollector collector) {
            collector.emit(new Values(TABLE));
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {}
    }

    /** What no jar has in it. */
    public static class Library extends BaseBasicBolt {
        private static final long serialVersionUID = 1L;

        @Override
        public void execute(Tuple tuple, BasicOutputCollector collector) {}

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {}
    }

    /** Cannot be loaded. */
    public static final class Narrow extends Library {
        private static final long serialVersionUID = 1L;
    }

    /** Can be loaded, and not created. */
    public static final class Thin extends BaseBasicBolt {
        private static final long serialVersionUID = 1L;
        private final BaseBasicBolt library = new Library();

        @Override
        public void execute(Tuple tuple, BasicOutputCollector collector) {
            library.execute(tuple, collector);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {}
    }

    /** A topology that is not described in YAML. */
    public static final class Source {
        public StormTopology getTopology(Config conf) {
            Sentences sentences = new Sentences(3);
            sentences.say("so it is");
            Store store = new Store();
            store.setFile((String) conf.get("out"));
            TopologyBuilder topology = new TopologyBuilder();
            topology.setSpout("sentences", new Spout(sentences));
            topology.setBolt("split", new Split()).shuffleGrouping("sentences");
            topology.setBolt("count", new Count(), 2).fieldsGrouping("split", new Fields("word"));
            topology.setBolt("store", store).globalGrouping("count");
            return topology.createTopology();
        }
    }
}
