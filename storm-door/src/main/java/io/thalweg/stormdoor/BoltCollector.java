// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.storm.Constants;
import org.apache.storm.hooks.info.BoltAckInfo;
import org.apache.storm.hooks.info.BoltFailInfo;
import org.apache.storm.task.IOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.MessageId;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.TupleImpl;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What one task of a bolt emits, acks and fails with. Any thread may call. */
final class BoltCollector implements IOutputCollector {
    private static final Logger LOG = LoggerFactory.getLogger(BoltCollector.class);
    private static final long NS_PER_MS = 1_000_000;

    private final Host host;
    private final int task;
    private final TopologyContext context;
    private final Counts counts;
    private final Outgoing outgoing;
    private final AtomicLong open;
    private final boolean debug;

    /** The bolt is being cleaned up: a child process that ends is no error. */
    private volatile boolean over;

    BoltCollector(
            Host host,
            int task,
            TopologyContext context,
            Counts counts,
            Outgoing outgoing,
            AtomicLong open,
            boolean debug) {
        this.host = host;
        this.task = task;
        this.context = context;
        this.counts = counts;
        this.outgoing = outgoing;
        this.open = open;
        this.debug = debug;
    }

    @Override
    public List<Integer> emit(String stream, @Nullable Collection<Tuple> anchors, List<Object> values) {
        List<Integer> tasks = outgoing.choose(stream, values);
        outgoing.send(stream, values, tasks, () -> id(anchors));
        return tasks;
    }

    @Override
    public void emitDirect(int to, String stream, @Nullable Collection<Tuple> anchors, List<Object> values) {
        outgoing.send(stream, values, outgoing.direct(to, stream, values), () -> id(anchors));
    }

    /** Of a new tuple: for each tree that one of the anchors belongs to, a number of its own for each anchor in it. */
    private MessageId id(@Nullable Collection<Tuple> anchors) {
        if (anchors == null || anchors.isEmpty() || !host.acks()) {
            return MessageId.makeUnanchored();
        }
        Map<Long, Long> ids = new HashMap<>();
        for (Tuple anchor : anchors) {
            Map<Long, Long> trees = anchor.getMessageId().getAnchorsToIds();
            if (trees.isEmpty()) {
                continue;
            }
            long number = ThreadLocalRandom.current().nextLong();
            synchronized (anchor) {
                ((TupleImpl) anchor).updateAckVal(number);
            }
            for (Long root : trees.keySet()) {
                ids.merge(root, number, (one, other) -> one ^ other);
            }
        }
        return MessageId.makeId(ids);
    }

    @Override
    public void ack(Tuple tuple) {
        long children;
        synchronized (tuple) {
            children = ((TupleImpl) tuple).getAckVal();
        }
        tuple.getMessageId().getAnchorsToIds().forEach((root, number) -> host.trees.change(root, number ^ children));
        long tookNs = since(tuple);
        if (counted(tuple)) {
            counts.acked.increment();
            counts.process.add(tookNs);
            open.decrementAndGet();
        }
        if (debug) {
            LOG.info("BOLT ack TASK: {} TIME: {} TUPLE: {}", task, tookNs / NS_PER_MS, tuple);
        }
        if (!context.getHooks().isEmpty()) {
            new BoltAckInfo(tuple, task, tookNs / NS_PER_MS).applyOn(context);
        }
    }

    @Override
    public void fail(Tuple tuple) {
        tuple.getMessageId().getAnchors().forEach(host.trees::fail);
        long tookNs = since(tuple);
        if (counted(tuple)) {
            counts.failed.increment();
            open.decrementAndGet();
        }
        if (debug) {
            LOG.info("BOLT fail TASK: {} TIME: {} TUPLE: {}", task, tookNs / NS_PER_MS, tuple);
        }
        if (!context.getHooks().isEmpty()) {
            new BoltFailInfo(tuple, task, tookNs / NS_PER_MS).applyOn(context);
        }
    }

    /** Ticks are not. */
    private static boolean counted(Tuple tuple) {
        return !tuple.getSourceComponent().equals(Constants.SYSTEM_COMPONENT_ID);
    }

    private long since(Tuple tuple) {
        return tuple instanceof DoorTuple known && known.begunNs != 0 ? host.nowNs() - known.begunNs : 0;
    }

    @Override
    public void resetTimeout(Tuple tuple) {
        tuple.getMessageId().getAnchors().forEach(host.trees::moreTime);
    }

    @Override
    public void flush() {}

    @Override
    public void reportError(Throwable error) {
        if (!over) {
            report(counts, context, error);
        }
    }

    void end() {
        over = true;
    }

    static void report(Counts counts, TopologyContext context, Throwable error) {
        counts.errors.increment();
        counts.lastError = String.valueOf(error);
        LOG.error("{} reports an error", context.getThisComponentId(), error);
    }
}
