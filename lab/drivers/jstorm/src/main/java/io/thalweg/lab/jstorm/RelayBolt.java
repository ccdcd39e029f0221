// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.jstorm;

import backtype.storm.task.OutputCollector;
import backtype.storm.task.TopologyContext;
import backtype.storm.topology.OutputFieldsDeclarer;
import backtype.storm.topology.base.BaseRichBolt;
import backtype.storm.tuple.Fields;
import backtype.storm.tuple.Tuple;
import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Hoard;
import io.thalweg.lab.driver.TupleLayout;
import java.util.List;
import java.util.Map;

/** Hands every record on, and acks it where records are acked. */
final class RelayBolt extends BaseRichBolt {
    private static final long serialVersionUID = 1L;

    private final TupleLayout tuples;
    private final boolean acked;
    private final long hoardBytes;

    @SuppressWarnings("NullAway.Init") // JStorm prepares a bolt before it uses it
    private transient OutputCollector collector;

    @SuppressWarnings("NullAway.Init")
    private transient Hoard hoard;

    RelayBolt(Cell cell, TupleLayout tuples) {
        this.tuples = tuples;
        this.acked = cell.acked();
        this.hoardBytes = cell.hoard();
    }

    @Override
    public void prepare(@SuppressWarnings("rawtypes") Map conf, TopologyContext context, OutputCollector collector) {
        this.collector = collector;
        hoard = new Hoard(hoardBytes);
    }

    @Override
    public void execute(Tuple tuple) {
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
    }
}
