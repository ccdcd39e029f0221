// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
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
    private final boolean debug;

    /** The bolt is being cleaned up: a child process that ends is no error. */
    private volatile boolean over;

    BoltCollector(Host host, int task, TopologyContext context, Counts counts, Outgoing outgoing, boolean debug) {
        this.host = host;
        this.task = task;
        this.context = context;
        this.counts = counts;
        this.outgoing = outgoing;
        this.debug = debug;
    }

    @Override
    public List<Integer> emit(String stream, @Nullable Collection<Tuple> anchors, List<Object> values) {
        return emit(stream, anchors, values, tasks -> {});
    }

    /** @param chosen gets the tasks before the tuple is on its way */
    List<Integer> emit(
            String stream, @Nullable Collection<Tuple> anchors, List<Object> values, Consumer<List<Integer>> chosen) {
        Outgoing.Route route = outgoing.route(stream);
        List<Integer> tasks = outgoing.choose(route, values);
        chosen.accept(tasks);
        outgoing.send(route, values, tasks, () -> id(anchors));
        return tasks;
    }

    @Override
    public void emitDirect(int to, String stream, @Nullable Collection<Tuple> anchors, List<Object> values) {
        Outgoing.Route route = outgoing.route(stream);
        outgoing.send(route, values, outgoing.direct(to, route, values), () -> id(anchors));
    }

    /** Of a new tuple: for each tree that one of the anchors belongs to, a number of its own for each anchor in it. */
    private MessageId id(@Nullable Collection<Tuple> anchors) {
        if (anchors == null || anchors.isEmpty() || !host.acks()) {
            return MessageId.makeUnanchored();
        }
        Map<TupleTree, Long> numbers = Map.of();
        for (Tuple anchor : anchors) {
            Anchors its = Anchors.of(anchor, host);
            if (its == null) {
                continue;
            }
            long number = ThreadLocalRandom.current().nextLong();
            anchor(anchor, number);
            if (its.next == null && anchors.size() == 1) {
                return MessageId.makeId(new Anchors(its.tree, number, null));
            }
            numbers = numbers.isEmpty() ? new IdentityHashMap<>() : numbers; // a window may have many
            for (; its != null; its = its.next) {
                numbers.merge(its.tree, number, (one, other) -> one ^ other);
            }
        }
        Anchors all = Anchors.of(numbers);
        return all == null ? MessageId.makeUnanchored() : MessageId.makeId(all);
    }

    /** Several threads may: a tuple of another kind than ours was made by the bolt. */
    private static void anchor(Tuple tuple, long number) {
        if (tuple instanceof DoorTuple ours) {
            ours.updateAckVal(number);
        } else {
            synchronized (tuple) {
                ((TupleImpl) tuple).updateAckVal(number);
            }
        }
    }

    private static long anchored(Tuple tuple) {
        if (tuple instanceof DoorTuple ours) {
            return ours.getAckVal();
        }
        synchronized (tuple) {
            return ((TupleImpl) tuple).getAckVal();
        }
    }

    @Override
    public void ack(Tuple tuple) {
        Anchors its = Anchors.of(tuple, host);
        long children = its == null ? 0 : anchored(tuple);
        for (; its != null; its = its.next) {
            its.tree.change(its.number ^ children);
        }
        boolean hooked = hooked();
        boolean sampled = DoorTuple.sampled(tuple);
        long tookNs = hooked || sampled || debug ? since(tuple) : 0;
        if (counted(tuple)) {
            Counts.Received from = counts.received(tuple);
            if (sampled) {
                counts.process.add(tookNs);
                from.process.add(tookNs);
            }
            from.acked.increment();
        }
        if (debug) {
            LOG.info("BOLT ack TASK: {} TIME: {} TUPLE: {}", task, tookNs / NS_PER_MS, tuple);
        }
        if (hooked) {
            new BoltAckInfo(tuple, task, tookNs / NS_PER_MS).applyOn(context);
        }
    }

    @Override
    public void fail(Tuple tuple) {
        for (Anchors its = Anchors.of(tuple, host); its != null; its = its.next) {
            its.tree.fail();
        }
        long tookNs = since(tuple);
        if (counted(tuple)) {
            counts.received(tuple).failed.increment();
        }
        if (debug) {
            LOG.info("BOLT fail TASK: {} TIME: {} TUPLE: {}", task, tookNs / NS_PER_MS, tuple);
        }
        if (hooked()) {
            new BoltFailInfo(tuple, task, tookNs / NS_PER_MS).applyOn(context);
        }
    }

    /** Storm calls no hooks of acks and fails where nothing is acked. */
    private boolean hooked() {
        return host.acks() && !context.getHooks().isEmpty();
    }

    /** Ticks are not. */
    private static boolean counted(Tuple tuple) {
        return !tuple.getSourceComponent().equals(Constants.SYSTEM_COMPONENT_ID);
    }

    private long since(Tuple tuple) {
        long begunNs = DoorTuple.begunNs(tuple);
        return begunNs == 0 ? 0 : host.nowNs() - begunNs;
    }

    @Override
    public void resetTimeout(Tuple tuple) {
        for (Anchors its = Anchors.of(tuple, host); its != null; its = its.next) {
            its.tree.of.owner().onMoreTime(its.tree);
        }
    }

    @Override
    public void flush() {}

    @Override
    public void reportError(Throwable error) {
        if (!over) {
            report(host, counts, context, error);
        }
    }

    void end() {
        over = true;
    }

    static void report(Host host, Counts counts, TopologyContext context, Throwable error) {
        counts.report(error, host.epochMs());
        LOG.error("{} reports an error", context.getThisComponentId(), error);
    }
}
