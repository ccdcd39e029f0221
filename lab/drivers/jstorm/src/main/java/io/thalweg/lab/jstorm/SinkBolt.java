// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.jstorm;

import backtype.storm.task.OutputCollector;
import backtype.storm.task.TopologyContext;
import backtype.storm.topology.OutputFieldsDeclarer;
import backtype.storm.topology.base.BaseRichBolt;
import backtype.storm.tuple.Tuple;
import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Meters;
import io.thalweg.lab.driver.SinkMeter;
import java.util.List;
import java.util.Map;

/** Counts what came out, and acks it where records are acked. */
final class SinkBolt extends BaseRichBolt {
    private static final long serialVersionUID = 1L;

    /** Checks and counts a tuple. */
    interface Count extends java.io.Serializable {
        void count(List<Object> tuple, SinkMeter meter);
    }

    private final Cell cell;
    private final Count count;
    private final boolean acked;

    @SuppressWarnings("NullAway.Init") // JStorm prepares a bolt before it uses it
    private transient OutputCollector collector;

    @SuppressWarnings("NullAway.Init")
    private transient SinkMeter meter;

    SinkBolt(Cell cell, Count count) {
        this.cell = cell;
        this.count = count;
        this.acked = cell.acked();
    }

    @Override
    public void prepare(@SuppressWarnings("rawtypes") Map conf, TopologyContext context, OutputCollector collector) {
        this.collector = collector;
        meter = Meters.of(cell).sink();
    }

    @Override
    public void execute(Tuple tuple) {
        count.count(tuple.getValues(), meter);
        if (acked) {
            collector.ack(tuple);
        }
    }

    @Override
    public void cleanup() {
        meter.close();
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        // nothing continues from here
    }
}
