// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.storm;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Load;
import java.util.List;
import java.util.Map;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.jspecify.annotations.Nullable;

/** Emits the records of a {@link Load}, with {@link Watermarks} where they are of windows, where they are acked again those that failed, and in the end {@link Fillers}. */
final class LoadSpout extends BaseRichSpout {
    private static final long serialVersionUID = 1L;

    private static final long CHECKPOINT_MS = 1_000;

    /** Makes the tuple of a record. */
    interface Maker extends java.io.Serializable {
        List<Object> make(long number, long dueNs);
    }

    /** The window that a tuple is of, by its event time; it never falls from one record of a task to the next. */
    interface Window extends java.io.Serializable {
        long of(List<Object> tuple);
    }

    /** What Storm gives back when a record was acked or failed. */
    private record Sent(long number, long dueNs) {}

    private final Cell cell;
    private final Fields fields;
    private final boolean timed;
    private final boolean acked;
    private final Maker maker;
    private final @Nullable Window windows;

    @SuppressWarnings("NullAway.Init") // Storm opens a spout before it uses it
    private transient SpoutOutputCollector collector;

    @SuppressWarnings("NullAway.Init") // and activates it
    private transient Load load;

    @SuppressWarnings("NullAway.Init")
    private transient Fillers fillers;

    /** Of a cell that kills; null of others. */
    private transient @Nullable Progress progress;

    private transient boolean closed;
    private transient int task;
    private transient long window;

    LoadSpout(Cell cell, Fields fields, boolean timed, Maker maker) {
        this(cell, fields, timed, maker, null);
    }

    /** @param windows null where records are of none */
    LoadSpout(Cell cell, Fields fields, boolean timed, Maker maker, @Nullable Window windows) {
        this.windows = windows;
        this.cell = cell;
        this.fields = fields;
        this.timed = timed;
        this.acked = cell.acked();
        this.maker = maker;
    }

    @Override
    public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector collector) {
        this.collector = collector;
        fillers = new Fillers();
        task = context.getThisTaskIndex();
        window = Long.MIN_VALUE;
    }

    @Override
    public void activate() {
        if (load == null) {
            load = Load.open(cell, task, cell.sources());
            if (cell.kills()) {
                progress = new Progress(
                        cell.folder().path().resolve(task + ".acked"), cell.number("checkpoint-ms", CHECKPOINT_MS));
                load.seek(progress.position());
            }
        }
    }

    /** Emits one record, or none: then Storm's wait strategy for spouts decides how long to pause. */
    @Override
    public void nextTuple() {
        if (progress != null) {
            progress.writeNowAndThen();
        }
        if (load.ended()) {
            if (progress != null && progress.position() == load.position()) {
                close(); // all are acked
            }
            if (fillers.send(collector) && windows != null) {
                Watermarks.send(Watermarks.END, collector);
            }
        } else if (load.due()) {
            long dueNs = timed ? load.dueNs() : 0;
            emit(load.take(), dueNs);
        }
    }

    private void emit(long number, long dueNs) {
        List<Object> tuple = maker.make(number, dueNs);
        if (windows != null && windows.of(tuple) > window) {
            window = windows.of(tuple);
            Watermarks.send(window, collector);
        }
        if (acked) {
            collector.emit(tuple, new Sent(number, dueNs));
        } else {
            collector.emit(tuple);
        }
    }

    @Override
    public void ack(Object id) {
        if (progress != null) {
            progress.acked((((Sent) id).number - task) / cell.sources());
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
        if (load != null && !closed) {
            load.close();
            closed = true;
        }
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        declarer.declare(fields);
        Fillers.declare(declarer);
        if (windows != null) {
            Watermarks.declare(declarer);
        }
    }
}
