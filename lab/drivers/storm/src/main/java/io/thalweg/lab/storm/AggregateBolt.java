// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.storm;

import io.thalweg.lab.driver.Cell;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.jspecify.annotations.Nullable;

/**
 * Adds up the measures of each key and window of event time, and emits the sums when the window is complete. Where records are
 * acked, they are when their sums have gone on.
 */
final class AggregateBolt extends BaseRichBolt {
    private static final long serialVersionUID = 1L;

    /** What {@link #declareOutputFields} names, and what the tuples that come in have but for the count. */
    private static final Fields FIELDS = new Fields("key", "longs", "doubles", "count", "window");

    private static final class Sums {
        private final long[] longs;
        private final double[] doubles;
        private long count;

        Sums(int longs, int doubles) {
            this.longs = new long[longs];
            this.doubles = new double[doubles];
        }

        void add(long[] moreLongs, double[] moreDoubles) {
            for (int i = 0; i < longs.length; i++) {
                longs[i] += moreLongs[i];
            }
            for (int i = 0; i < doubles.length; i++) {
                doubles[i] += moreDoubles[i];
            }
            count++;
        }
    }

    private static final class OpenWindow {
        private final long window;
        private final Map<Object, Sums> groups = new HashMap<>();
        private final List<Tuple> unacked = new ArrayList<>();

        OpenWindow(long window) {
            this.window = window;
        }
    }

    private final boolean acked;

    @SuppressWarnings("NullAway.Init") // Storm prepares a bolt before it uses it
    private transient OutputCollector collector;

    @SuppressWarnings("NullAway.Init")
    private transient TreeMap<Long, OpenWindow> windows;

    /** The one that the last record was of. */
    private transient @Nullable OpenWindow current;

    @SuppressWarnings("NullAway.Init")
    private transient Watermarks watermarks;

    @SuppressWarnings("NullAway.Init")
    private transient Fillers fillers;

    AggregateBolt(Cell cell) {
        acked = cell.acked();
    }

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
        this.collector = collector;
        windows = new TreeMap<>();
        fillers = new Fillers();
        watermarks = new Watermarks(context);
    }

    @Override
    public void execute(Tuple tuple) {
        if (Watermarks.isWatermark(tuple)) {
            if (watermarks.advance(tuple)) {
                emitComplete();
            }
            return;
        }
        if (Fillers.isFiller(tuple)) {
            fillers.handOn(tuple, collector);
            return;
        }
        long[] longs = (long[]) tuple.getValue(1);
        double[] doubles = (double[]) tuple.getValue(2);
        OpenWindow window = window(tuple.getLong(3));
        window.groups
                .computeIfAbsent(tuple.getValue(0), key -> new Sums(longs.length, doubles.length))
                .add(longs, doubles);
        if (acked) {
            window.unacked.add(tuple);
        }
        if (window.window < watermarks.reached()) {
            emitComplete(); // sent again after it had failed
        }
    }

    private OpenWindow window(long window) {
        OpenWindow open = current;
        if (open == null || open.window != window) {
            open = windows.computeIfAbsent(window, OpenWindow::new);
            current = open;
        }
        return open;
    }

    private void emitComplete() {
        Map<Long, OpenWindow> complete = windows.headMap(watermarks.reached());
        for (OpenWindow each : complete.values()) {
            each.groups.forEach(
                    (key, sums) -> collector.emit(new Values(key, sums.longs, sums.doubles, sums.count, each.window)));
            each.unacked.forEach(collector::ack);
        }
        complete.clear();
        current = null;
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        declarer.declare(FIELDS);
        Fillers.declare(declarer);
    }
}
