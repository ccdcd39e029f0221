// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.storm;

import io.thalweg.lab.driver.Cell;
import io.thalweg.workloads.telecom.FlatKey;
import io.thalweg.workloads.telecom.FlatProbe;
import java.util.Map;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/** Makes a {@link FlatProbe} of the nested JSON of a probe: a key of 62 texts, whole measures, and others. */
final class FlattenBolt extends BaseRichBolt {
    private static final long serialVersionUID = 1L;

    private final boolean acked;
    private final boolean few;

    @SuppressWarnings("NullAway.Init") // Storm prepares a bolt before it uses it
    private transient OutputCollector collector;

    @SuppressWarnings("NullAway.Init")
    private transient Fillers fillers;

    @SuppressWarnings("NullAway.Init")
    private transient Watermarks watermarks;

    FlattenBolt(Cell cell) {
        acked = cell.acked();
        few = !cell.readsAlike();
    }

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
        this.collector = collector;
        fillers = new Fillers();
        watermarks = new Watermarks(context);
    }

    @Override
    public void execute(Tuple tuple) {
        if (Watermarks.isWatermark(tuple)) {
            if (watermarks.advance(tuple)) {
                watermarks.handOn(collector);
            }
            return;
        }
        if (Fillers.isFiller(tuple)) {
            fillers.handOn(tuple, collector);
            return;
        }
        Values flat = flatten(tuple.getBinary(0));
        if (acked) {
            collector.emit(tuple, flat);
            collector.ack(tuple);
        } else {
            collector.emit(flat);
        }
    }

    private Values flatten(byte[] line) {
        FlatProbe probe = FlatProbe.of(line);
        String[] dimensions = probe.dimensions();
        int hash = few ? FlatKey.hashOfFew(dimensions) : FlatKey.hashOfAll(dimensions);
        return new Values(new FlatKey(dimensions, hash), probe.whole(), probe.fractions(), FlatProbe.windowOf(line));
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        declarer.declare(Topologies.GROUPED);
        Fillers.declare(declarer);
        Watermarks.declare(declarer);
    }
}
