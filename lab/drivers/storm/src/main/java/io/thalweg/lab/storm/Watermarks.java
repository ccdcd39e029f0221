// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.storm;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.BoltDeclarer;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/**
 * Event time in a topology: each task says on a stream of its own, to all tasks behind it, which window its next records are of at
 * least, and a bolt knows that a window is complete when all tasks before it are past it. Storm's own windows would keep every
 * tuple until then. Each bolt task has an object of its own.
 */
final class Watermarks {
    /** What a source says when it has sent all. */
    static final long END = Long.MAX_VALUE;

    private static final String STREAM = "watermarks";

    private final Map<Integer, Long> ofTasks = new HashMap<>();
    private final int tasksBefore;
    private long reached = Long.MIN_VALUE;

    /** @param context of a bolt that is connected */
    Watermarks(TopologyContext context) {
        tasksBefore = context.getThisSources().keySet().stream()
                .filter(stream -> stream.get_streamId().equals(STREAM))
                .mapToInt(stream ->
                        context.getComponentTasks(stream.get_componentId()).size())
                .sum();
    }

    /** For every component that others read from. */
    static void declare(OutputFieldsDeclarer declarer) {
        declarer.declareStream(STREAM, new Fields("window"));
    }

    /** For every bolt, and each component that it reads from. */
    static void connect(BoltDeclarer bolt, String from) {
        bolt.allGrouping(from, STREAM);
    }

    static boolean isWatermark(Tuple tuple) {
        return tuple.getSourceStreamId().equals(STREAM);
    }

    /** For a source: which window its next records are of at least. */
    static void send(long window, SpoutOutputCollector collector) {
        collector.emit(STREAM, new Values(window));
    }

    /** Takes one: whether all tasks before this one are past another window now. */
    boolean advance(Tuple watermark) {
        ofTasks.merge(watermark.getSourceTask(), watermark.getLong(0), Math::max);
        long least = ofTasks.size() < tasksBefore ? reached : Collections.min(ofTasks.values());
        boolean advanced = least > reached;
        reached = least;
        return advanced;
    }

    /** The first window that is not complete. */
    long reached() {
        return reached;
    }

    /** Says so to the tasks behind. */
    void handOn(OutputCollector collector) {
        collector.emit(STREAM, new Values(reached));
    }
}
