// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.storm;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.thalweg.lab.driver.Cell;
import io.thalweg.workloads.telecom.TelecomDimension;
import io.thalweg.workloads.telecom.TelecomLines;
import io.thalweg.workloads.telecom.TelecomSize;
import io.thalweg.workloads.telecom.TelecomSums;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/** Parses the nested JSON of a probe with Jackson's streaming parser, into a key of 62 texts, whole measures, and others. */
final class FlattenBolt extends BaseRichBolt {
    private static final long serialVersionUID = 1L;

    private static final Set<String> FRACTIONS = Set.of("rtt", "jitter", "mos", "cost", "sparse");
    private static final int DIMENSIONS = TelecomDimension.values().length;
    private static final List<String> LONGS = TelecomSums.names().stream()
            .filter(name -> !FRACTIONS.contains(name))
            .toList();
    private static final List<String> DOUBLES =
            TelecomSums.names().stream().filter(FRACTIONS::contains).toList();

    /** Where the measure stands that tells the lines apart. */
    static final int BYTES_UP = LONGS.indexOf("bytesUp");

    /** Where a field goes: first the dimensions, then the whole measures, then the others. */
    private static final Map<String, Integer> PLACES = places();

    private static final JsonFactory JSON = new JsonFactory();

    private final boolean acked;

    @SuppressWarnings("NullAway.Init") // Storm prepares a bolt before it uses it
    private transient OutputCollector collector;

    @SuppressWarnings("NullAway.Init")
    private transient Fillers fillers;

    @SuppressWarnings("NullAway.Init")
    private transient Watermarks watermarks;

    FlattenBolt(Cell cell) {
        acked = cell.acked();
    }

    private static Map<String, Integer> places() {
        Map<String, Integer> places = new HashMap<>();
        for (TelecomDimension dimension : TelecomDimension.values()) {
            places.put(dimension.fieldName(), places.size());
        }
        LONGS.forEach(name -> places.put(name, places.size()));
        DOUBLES.forEach(name -> places.put(name, places.size()));
        return places;
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
        Values flat;
        try {
            flat = flatten(tuple.getBinary(0));
        } catch (IOException e) {
            collector.reportError(e);
            collector.fail(tuple);
            return;
        }
        if (acked) {
            collector.emit(tuple, flat);
            collector.ack(tuple);
        } else {
            collector.emit(flat);
        }
    }

    /** The window that a line is of. */
    static long window(byte[] line) {
        return TelecomLines.timeMs(line) / TelecomSize.WINDOW_MS;
    }

    private static Values flatten(byte[] line) throws IOException {
        String[] dimensions = new String[DIMENSIONS];
        long[] longs = new long[LONGS.size()];
        double[] doubles = new double[DOUBLES.size()];
        try (JsonParser in = JSON.createParser(line)) {
            for (JsonToken token = in.nextToken(); token != null; token = in.nextToken()) {
                if (!token.isScalarValue() || token == JsonToken.VALUE_NULL) {
                    continue;
                }
                Integer place = PLACES.get(in.currentName());
                if (place == null) {
                    continue; // the time, which is read without the parser
                }
                int at = place;
                if (at < DIMENSIONS) {
                    dimensions[at] = in.getText();
                } else if (at < DIMENSIONS + longs.length) {
                    longs[at - DIMENSIONS] = in.getLongValue();
                } else {
                    doubles[at - DIMENSIONS - longs.length] = in.getDoubleValue();
                }
            }
        }
        return new Values(new FlatKey(dimensions), longs, doubles, window(line));
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        declarer.declare(Topologies.GROUPED);
        Fillers.declare(declarer);
        Watermarks.declare(declarer);
    }
}
