// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.storm;

import java.util.concurrent.TimeUnit;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.topology.BoltDeclarer;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/**
 * Brings the last records out of Storm's batches. A timer flushes a task's batches, but where a queue has no room for all of a
 * batch, Storm ({@code JCQueue.BatchInserter}) puts in a part, takes the batch for flushed, and leaves the rest until the task's
 * next tuple for that queue. Therefore a source that has nothing to send any more sends fillers, on a stream of their own, to
 * all tasks behind it, and those hand them on. Each task has an object of its own.
 */
final class Fillers {
    private static final String STREAM = "fillers";
    private static final long EVERY_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private long turn;
    private long sentNs = System.nanoTime() - EVERY_NS;

    /** For every component that others read from. */
    static void declare(OutputFieldsDeclarer declarer) {
        declarer.declareStream(STREAM, new Fields("turn"));
    }

    /** For every bolt, and each component that it reads from. */
    static void connect(BoltDeclarer bolt, String from) {
        bolt.allGrouping(from, STREAM);
    }

    static boolean isFiller(Tuple tuple) {
        return tuple.getSourceStreamId().equals(STREAM);
    }

    /** For a source that has nothing else to send: sends one, but not too often. Whether it did. */
    boolean send(SpoutOutputCollector collector) {
        long nowNs = System.nanoTime();
        if (nowNs - sentNs < EVERY_NS) {
            return false;
        }
        sentNs = nowNs;
        collector.emit(STREAM, new Values(++turn));
        return true;
    }

    /** Hands one on, the first time that it comes. */
    void handOn(Tuple filler, OutputCollector collector) {
        long its = filler.getLong(0);
        if (its > turn) {
            turn = its;
            collector.emit(STREAM, new Values(its));
        }
    }
}
