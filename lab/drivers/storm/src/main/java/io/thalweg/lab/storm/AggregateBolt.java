// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.storm;

import io.thalweg.lab.driver.Cell;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.apache.storm.utils.TupleUtils;

/**
 * Adds up the measures of each key, and emits the sums and begins again with every tick, once a second of the wall clock. Where
 * records are acked, they are when their sums have gone on.
 */
final class AggregateBolt extends BaseRichBolt {
    private static final long serialVersionUID = 1L;

    /** What {@link #declareOutputFields} names, and what the tuples that come in have but for the count. */
    private static final Fields FIELDS = new Fields("key", "longs", "doubles", "count");

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

    private final boolean acked;

    @SuppressWarnings("NullAway.Init") // Storm prepares a bolt before it uses it
    private transient OutputCollector collector;

    @SuppressWarnings("NullAway.Init")
    private transient Map<Object, Sums> groups;

    @SuppressWarnings("NullAway.Init")
    private transient List<Tuple> unacked;

    @SuppressWarnings("NullAway.Init")
    private transient Fillers fillers;

    AggregateBolt(Cell cell) {
        acked = cell.acked();
    }

    @Override
    public Map<String, Object> getComponentConfiguration() {
        return Map.of(Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS, 1);
    }

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
        this.collector = collector;
        groups = new HashMap<>();
        unacked = new ArrayList<>();
        fillers = new Fillers();
    }

    @Override
    public void execute(Tuple tuple) {
        if (TupleUtils.isTick(tuple)) {
            emit();
            return;
        }
        if (Fillers.isFiller(tuple)) {
            fillers.handOn(tuple, collector);
            return;
        }
        long[] longs = (long[]) tuple.getValue(1);
        double[] doubles = (double[]) tuple.getValue(2);
        groups.computeIfAbsent(tuple.getValue(0), key -> new Sums(longs.length, doubles.length))
                .add(longs, doubles);
        if (acked) {
            unacked.add(tuple);
        }
    }

    private void emit() {
        groups.forEach((key, sums) -> collector.emit(new Values(key, sums.longs, sums.doubles, sums.count)));
        groups.clear();
        unacked.forEach(collector::ack);
        unacked.clear();
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        declarer.declare(FIELDS);
        Fillers.declare(declarer);
    }
}
