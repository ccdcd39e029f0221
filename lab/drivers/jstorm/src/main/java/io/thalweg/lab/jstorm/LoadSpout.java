// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.jstorm;

import backtype.storm.spout.SpoutOutputCollector;
import backtype.storm.task.TopologyContext;
import backtype.storm.topology.OutputFieldsDeclarer;
import backtype.storm.topology.base.BaseRichSpout;
import backtype.storm.tuple.Fields;
import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Load;
import java.util.List;
import java.util.Map;

/** Emits the records of a {@link Load}, and where they are acked, again those that failed. */
final class LoadSpout extends BaseRichSpout {
    private static final long serialVersionUID = 1L;

    /** Makes the tuple of a record. */
    interface Maker extends java.io.Serializable {
        List<Object> make(long number, long dueNs);
    }

    /** What JStorm gives back when a record was acked or failed. */
    private record Sent(long number, long dueNs) {}

    private final Cell cell;
    private final Fields fields;
    private final boolean timed;
    private final boolean acked;
    private final Maker maker;

    @SuppressWarnings("NullAway.Init") // JStorm opens a spout before it uses it
    private transient SpoutOutputCollector collector;

    @SuppressWarnings("NullAway.Init") // and activates it
    private transient Load load;

    private transient int task;

    LoadSpout(Cell cell, Fields fields, boolean timed, Maker maker) {
        this.cell = cell;
        this.fields = fields;
        this.timed = timed;
        this.acked = cell.acked();
        this.maker = maker;
    }

    @Override
    public void open(@SuppressWarnings("rawtypes") Map conf, TopologyContext context, SpoutOutputCollector collector) {
        this.collector = collector;
        task = context.getThisTaskIndex();
    }

    @Override
    public void activate() {
        if (load == null) {
            load = Load.open(cell, task, cell.sources());
        }
    }

    /** Emits one record, or none: then Storm's wait strategy for spouts decides how long to pause. */
    @Override
    public void nextTuple() {
        if (!load.ended() && load.due()) {
            long dueNs = timed ? load.dueNs() : 0;
            emit(load.take(), dueNs);
        }
    }

    private void emit(long number, long dueNs) {
        List<Object> tuple = maker.make(number, dueNs);
        if (acked) {
            collector.emit(tuple, new Sent(number, dueNs));
        } else {
            collector.emit(tuple);
        }
    }

    @Override
    public void fail(Object id) {
        load.failed();
        Sent sent = (Sent) id;
        emit(sent.number, sent.dueNs);
    }

    @Override
    public void close() {
        if (load != null) {
            load.close();
        }
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        declarer.declare(fields);
    }
}
