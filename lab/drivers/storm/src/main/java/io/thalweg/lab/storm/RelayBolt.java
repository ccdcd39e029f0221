// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.storm;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Hoard;
import io.thalweg.lab.driver.TupleLayout;
import java.util.List;
import java.util.Map;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;

/** Hands every record on, and acks it where records are acked. */
final class RelayBolt extends BaseRichBolt {
    private static final long serialVersionUID = 1L;

    private final TupleLayout tuples;
    private final boolean acked;
    private final long hoardBytes;

    @SuppressWarnings("NullAway.Init") // Storm prepares a bolt before it uses it
    private transient OutputCollector collector;

    @SuppressWarnings("NullAway.Init")
    private transient Hoard hoard;

    @SuppressWarnings("NullAway.Init")
    private transient Fillers fillers;

    RelayBolt(Cell cell, TupleLayout tuples) {
        this.tuples = tuples;
        this.acked = cell.acked();
        this.hoardBytes = cell.hoard();
    }

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
        this.collector = collector;
        hoard = new Hoard(hoardBytes);
        fillers = new Fillers();
    }

    @Override
    public void execute(Tuple tuple) {
        if (Fillers.isFiller(tuple)) {
            fillers.handOn(tuple, collector);
            return;
        }
        List<Object> relayed = tuples.relayed(tuple.getValues());
        hoard.replace();
        if (acked) {
            collector.emit(tuple, relayed);
            collector.ack(tuple);
        } else {
            collector.emit(relayed);
        }
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        declarer.declare(new Fields(tuples.fields()));
        Fillers.declare(declarer);
    }
}
