// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;

/** A bolt in one lambda. */
public final class Script extends BaseRichBolt {
    private static final long serialVersionUID = 1L;

    /** What the lambda gets. */
    public static final class Scene {
        public final OutputCollector collector;
        public final TopologyContext context;
        public final Journal journal;

        /** For the lambda: one for each task. */
        public final List<Tuple> kept = new java.util.ArrayList<>();

        Scene(OutputCollector collector, TopologyContext context, Journal journal) {
            this.collector = collector;
            this.context = context;
            this.journal = journal;
        }
    }

    /** What it does. */
    public interface Act extends Serializable {
        void execute(Tuple tuple, Scene scene);
    }

    private final String journal;
    private final Act act;
    private final LinkedHashMap<String, String[]> streams = new LinkedHashMap<>();
    private final LinkedHashMap<String, String[]> directs = new LinkedHashMap<>();
    private transient Scene scene;

    public Script(Journal journal, Act act) {
        this.journal = journal.id;
        this.act = act;
    }

    public Script emits(String... fields) {
        return emitsTo("default", fields);
    }

    public Script emitsTo(String stream, String... fields) {
        streams.put(stream, fields);
        return this;
    }

    public Script emitsDirect(String stream, String... fields) {
        directs.put(stream, fields);
        return this;
    }

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
        scene = new Scene(collector, context, Journal.of(journal));
        scene.journal.note("prepared " + context.getThisComponentId(), context.getThisTaskId());
    }

    @Override
    public void execute(Tuple tuple) {
        act.execute(tuple, scene);
    }

    @Override
    public void cleanup() {
        Journal.of(journal).note("cleaned up", scene.context.getThisTaskId());
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        streams.forEach((stream, fields) -> declarer.declareStream(stream, new Fields(fields)));
        directs.forEach((stream, fields) -> declarer.declareStream(stream, true, new Fields(fields)));
    }
}
