// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import io.thalweg.api.connector.SplitReader;
import io.thalweg.stormdoor.multilang.Multilang;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.Config;
import org.apache.storm.hooks.info.SpoutAckInfo;
import org.apache.storm.hooks.info.SpoutFailInfo;
import org.apache.storm.spout.CheckpointSpout;
import org.apache.storm.spout.ISpout;
import org.apache.storm.spout.ISpoutOutputCollector;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.MessageId;
import org.apache.storm.utils.ObjectReader;
import org.jspecify.annotations.Nullable;

/** An executor of a spout, with its tasks. All calls of the spouts come from the thread that polls, which may be another one later. */
final class SpoutReader implements SplitReader<DoorTuple> {
    private static final long NS_PER_S = 1_000_000_000;
    private static final long NS_PER_MS = 1_000_000;

    /** How long one turn of the task calls {@code nextTuple} before it sends what was emitted. */
    private static final long TURN_NS = 1_000_000;

    /** How long a poll may wait for a spout that emits nothing, in steps of {@link #NAP_NS}. */
    static final long PATIENCE_NS = 250_000_000;

    private static final long NAP_NS = 1_000_000;

    /**
     * Where as many tuples are pending as may be, acks wake the spout when a part of them is settled, but no more than these: after each
     * single one, all threads would be woken for each tuple. If fewer come, it goes on with these after a millisecond, as Storm's does.
     */
    private static final int PART = 2;

    private static final int MOST_SETTLED = 256;
    private static final long FULL_NS = 1_000_000;

    /** How often tuples are looked through for those that have timed out. */
    private static final long LOOK_NS = 1_000_000;

    record Instance(SpoutReader owner, int task, ISpout spout, TopologyContext context) {}

    private final Host host;
    private final Layout.Component component;
    private final Counts counts;
    private final int executor;
    private final List<Instance> instances = new ArrayList<>();
    private final Runnable wakeUp;

    /** What the thread that polls has emitted. */
    private final TupleQueue emitted = new TupleQueue();

    /** What other threads have. */
    private final Queue<DoorTuple> brought = new ConcurrentLinkedQueue<>();

    /** The tree that ended last; it leads to those that ended before it and are not settled yet. */
    private final AtomicReference<@Nullable TupleTree> ended = new AtomicReference<>();

    /** Trees that other threads have begun, and those that need more time. */
    private final Queue<TupleTree> begun = new ConcurrentLinkedQueue<>();

    private final Queue<TupleTree> slow = new ConcurrentLinkedQueue<>();

    /** Those that are open, the oldest first. For the thread that polls. */
    private @Nullable TupleTree oldest;

    private @Nullable TupleTree newest;

    private final OwnedCounter opened = new OwnedCounter();
    private final OwnedCounter settled = new OwnedCounter();

    private final long timeoutNs;
    private final long patienceNs;
    private final int most;
    private final ExecutorThread thread;

    /** Storm's own spout of checkpoints: bolts with state ack when one is committed. */
    private final boolean checkpoints;

    private volatile boolean napping;

    /** The last poll brought nothing: the task may wait until it is woken. */
    private volatile boolean idle;

    /** As many trees end before they wake it. */
    private volatile int enough = 1;

    /** As many tuples are pending as may be; since when. */
    private boolean full;

    private long fullNs;

    private boolean active;
    private volatile boolean finished;
    private boolean turn;
    private long turnBeganNs;
    private long lookedNs;
    private long polled;

    /**
     * @param patienceNs how long a poll waits if there is nothing
     * @param wakeUp makes the task poll again soon; any thread may call it
     */
    SpoutReader(Host host, String component, int executor, long patienceNs, Runnable wakeUp) {
        this.host = host;
        thread = new ExecutorThread(host);
        this.patienceNs = patienceNs;
        this.wakeUp = wakeUp;
        this.component = host.layout.component(component).ofExecutor();
        this.executor = executor;
        checkpoints = component.equals(CheckpointSpout.CHECKPOINT_COMPONENT_ID);
        counts = host.counts(component, executor);
        lookedNs = host.nowNs() - LOOK_NS;
        Map<String, Object> conf = this.component.conf();
        boolean timeouts = !Boolean.FALSE.equals(conf.get(Config.TOPOLOGY_ENABLE_MESSAGE_TIMEOUTS));
        int secs = ObjectReader.getInt(conf.get(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS), 30);
        timeoutNs = timeouts && secs > 0 ? secs * NS_PER_S : Long.MAX_VALUE;
        most = ObjectReader.getInt(conf.get(Config.TOPOLOGY_MAX_SPOUT_PENDING), 0)
                * this.component.executors().get(executor).size();
    }

    /** If one of the spouts cannot be opened, those before it are closed. */
    void open() {
        thread.enter();
        try {
            openAll();
        } catch (RuntimeException | Error e) {
            try {
                close();
            } catch (RuntimeException | Error again) {
                e.addSuppressed(again);
            }
            throw e;
        }
        begin();
        host.add(this);
    }

    /** The current thread counts from now on. */
    private void begin() {
        counts.begin();
        opened.begin();
        settled.begin();
    }

    private void openAll() {
        Map<String, Object> executorData = new HashMap<>();
        for (int task : component.executors().get(executor)) {
            TopologyContext context = host.context(component, task, executorData);
            ISpout spout = Multilang.spout(
                    Components.spout(host.layout, component, host.loader), component.conf(), host::python, most);
            Instance instance = new Instance(this, task, spout, context);
            Outgoing outgoing = new Outgoing(host, component, task, context, counts, this::take);
            Host.giveCredentials(spout);
            spout.open(component.conf(), context, new SpoutOutputCollector(new Collector(instance, outgoing)));
            instances.add(instance);
        }
    }

    private void take(DoorTuple message) {
        if (thread.isCurrent()) {
            emitted.add(message);
        } else {
            brought.add(message);
            awake();
        }
    }

    private @Nullable DoorTuple next() {
        DoorTuple next = emitted.poll();
        return next == null ? brought.poll() : next;
    }

    /** Lets the thread that polls go on, if it waits. */
    private void awake() {
        Thread reader = thread.current();
        if (napping && reader != null) {
            LockSupport.unpark(reader);
        }
        if (idle) {
            idle = false;
            wakeUp.run();
        }
    }

    long pending() {
        return opened.sum() - settled.sum();
    }

    // ---- what bolts report, from any thread

    /** A tree is complete, or has failed. */
    void onEnd(TupleTree tree) {
        TupleTree before;
        do {
            before = ended.get();
            tree.endedBefore = before;
            tree.ended = before == null ? 1 : before.ended + 1;
        } while (!ended.compareAndSet(before, tree));
        if (tree.ended >= enough) {
            awake();
        }
    }

    /** A bolt needs more time. */
    void onMoreTime(TupleTree tree) {
        slow.add(tree);
    }

    // ---- the thread that polls

    @Override
    public @Nullable DoorTuple poll() {
        if (thread.enter()) {
            begin();
        }
        if (idle) {
            idle = false;
        }
        DoorTuple next = next();
        if (next == null) {
            next = turnOrEnd();
        }
        if (next == null) {
            turn = false;
            rest();
        } else {
            polled++;
        }
        return next;
    }

    /** The task may wait, unless something has come meanwhile. */
    private void rest() {
        enough = full ? several() : 1;
        idle = true;
        if (haveEnded(enough) || !brought.isEmpty()) {
            awake();
        }
    }

    private int several() {
        return Math.max(1, Math.min(MOST_SETTLED, most / PART));
    }

    private boolean haveEnded(int many) {
        TupleTree last = ended.get();
        return last != null && last.ended >= many;
    }

    private @Nullable DoorTuple turnOrEnd() {
        try {
            return turn();
        } catch (RuntimeException e) {
            if (!host.wasInterrupted(e)) {
                host.checkState(); // which may be why
                throw e;
            }
            finished = true;
            return null;
        }
    }

    /** Lets the spouts emit; null if this turn has taken long enough, or there is nothing. */
    private @Nullable DoorTuple turn() {
        long nowNs = host.nowNs();
        if (full && !haveEnded(several()) && nowNs - fullNs < FULL_NS && host.active()) {
            return null;
        }
        if (!turn) {
            turn = true;
            turnBeganNs = nowNs;
        } else if (nowNs - turnBeganNs > TURN_NS) {
            settle(nowNs);
            return null;
        }
        boolean first = turnBeganNs == nowNs;
        while (true) {
            settle(nowNs);
            boolean wanted = switchOver();
            boolean called = wanted && room();
            full = wanted && !called;
            if (full) {
                fullNs = nowNs;
            }
            if (called) {
                instances.forEach(each -> each.spout.nextTuple());
            }
            DoorTuple next = next();
            if (next != null) {
                return next;
            }
            if (isOver()) {
                finished = true;
                return null;
            }
            nowNs = host.nowNs();
            if (!first || !called || nowNs - turnBeganNs >= patienceNs || host.ended()) {
                return null; // who waits for acks is woken by them
            }
            nap();
        }
    }

    private void nap() {
        enough = 1;
        napping = true;
        if (ended.get() == null && brought.isEmpty()) {
            LockSupport.parkNanos(this, NAP_NS);
        }
        napping = false;
    }

    /** Activates or deactivates the spouts if they are not as they are to be; true if they are active. */
    private boolean switchOver() {
        boolean wanted = host.active() || (checkpoints && host.waitsForCheckpoints(this));
        if (wanted != active) {
            active = wanted;
            instances.forEach(each -> {
                if (wanted) {
                    each.spout.activate();
                } else {
                    each.spout.deactivate();
                }
            });
        }
        return active;
    }

    /** As before it is closed; on the thread that polls. */
    void deactivate() {
        if (active) {
            active = false;
            instances.forEach(each -> each.spout.deactivate());
        }
    }

    private boolean room() {
        return most <= 0 || !host.acks() || pending() < most;
    }

    private boolean isOver() {
        return host.stopping()
                && (host.stopOverdue() || pending() == 0)
                && emitted.isEmpty()
                && brought.isEmpty()
                && !(checkpoints && host.waitsForCheckpoints(this));
    }

    /** Tells the spouts what became of their tuples. */
    private void settle(long nowNs) {
        for (TupleTree tree = begun.poll(); tree != null; tree = begun.poll()) {
            know(tree);
        }
        for (TupleTree tree = slow.poll(); tree != null; tree = slow.poll()) {
            if (!tree.settled) {
                forget(tree);
                tree.sinceNs = nowNs;
                know(tree);
            }
        }
        TupleTree next = ended.get() == null ? null : inOrder(ended.getAndSet(null));
        while (next != null) {
            TupleTree tree = next;
            next = tree.endedBefore;
            tree.endedBefore = null;
            settle(tree, nowNs);
        }
        if (timeoutNs != Long.MAX_VALUE && nowNs - lookedNs >= LOOK_NS) {
            lookedNs = nowNs;
            timeOut(nowNs);
        }
    }

    /** Turns around which of them leads to which. */
    private static @Nullable TupleTree inOrder(@Nullable TupleTree last) {
        TupleTree first = null;
        for (TupleTree tree = last; tree != null; ) {
            TupleTree before = tree.endedBefore;
            tree.endedBefore = first;
            first = tree;
            tree = before;
        }
        return first;
    }

    /**
     * It is the newest now; where another thread began it, unless it has ended already, or is known because a bolt has needed more time
     * for it.
     */
    private void know(TupleTree tree) {
        if (tree.settled || tree.known) {
            return;
        }
        TupleTree last = newest;
        tree.known = true;
        tree.before = last;
        tree.after = null;
        newest = tree;
        if (last == null) {
            oldest = tree;
        } else {
            last.after = tree;
        }
    }

    private void forget(TupleTree tree) {
        if (!tree.known) {
            return;
        }
        tree.known = false;
        TupleTree before = tree.before;
        TupleTree after = tree.after;
        if (before == null) {
            oldest = after;
        } else {
            before.after = after;
        }
        if (after == null) {
            newest = before;
        } else {
            after.before = before;
        }
        tree.before = null; // or one old tree keeps all that came after it from being collected young
        tree.after = null;
    }

    private void timeOut(long nowNs) {
        while (true) {
            TupleTree tree = oldest;
            if (tree == null || nowNs - tree.sinceNs < timeoutNs) {
                return;
            }
            if (tree.giveUp()) {
                settle(tree, nowNs);
            } else {
                forget(tree); // it has just ended
            }
        }
    }

    private void settle(TupleTree tree, long nowNs) {
        forget(tree);
        tree.settled = true;
        settled.increment();
        host.end(tree);
        settled(tree.of, tree.on, tree.messageId, tree.acked(), Math.max(0, nowNs - tree.firstNs));
    }

    private void settled(Instance of, Counts.Sent on, Object messageId, boolean acked, long tookNs) {
        if (acked) {
            if (on.sampler.takes()) {
                counts.complete.add(tookNs);
                on.complete.add(tookNs);
            }
            on.acked.increment();
            of.spout.ack(messageId);
            if (!of.context.getHooks().isEmpty()) {
                new SpoutAckInfo(messageId, of.task, tookNs / NS_PER_MS).applyOn(of.context);
            }
        } else {
            on.failed.increment();
            of.spout.fail(messageId);
            if (!of.context.getHooks().isEmpty()) {
                new SpoutFailInfo(messageId, of.task, tookNs / NS_PER_MS).applyOn(of.context);
            }
        }
    }

    @Override
    public boolean finished() {
        return finished;
    }

    @Override
    public long position() {
        return polled;
    }

    /** Closes all, even if one fails. */
    @Override
    public void close() {
        thread.leave();
        Closing closing = new Closing();
        for (Instance each : instances) {
            closing.run(each.spout::close);
            each.context.getHooks().forEach(hook -> closing.run(hook::cleanup));
        }
        closing.end();
    }

    /** What one task of the spout emits to. */
    private final class Collector implements ISpoutOutputCollector {
        private final Instance instance;
        private final Outgoing outgoing;

        Collector(Instance instance, Outgoing outgoing) {
            this.instance = instance;
            this.outgoing = outgoing;
        }

        @Override
        public List<Integer> emit(String stream, List<Object> values, @Nullable Object messageId) {
            Outgoing.Route route = outgoing.route(stream);
            List<Integer> tasks = outgoing.choose(route, values);
            send(route, values, tasks, messageId);
            return tasks;
        }

        @Override
        public void emitDirect(int task, String stream, List<Object> values, @Nullable Object messageId) {
            Outgoing.Route route = outgoing.route(stream);
            send(route, values, outgoing.direct(task, route, values), messageId);
        }

        private void send(Outgoing.Route route, List<Object> values, List<Integer> tasks, @Nullable Object messageId) {
            if (messageId == null || !host.acks()) {
                outgoing.send(route, values, tasks, MessageId::makeUnanchored);
                if (messageId != null) {
                    settled(instance, route.sent(), messageId, true, 0);
                }
                return;
            }
            if (tasks.size() == 1) {
                long number = ThreadLocalRandom.current().nextLong();
                TupleTree tree = begin(route, messageId, number);
                outgoing.send(route, values, tasks, () -> MessageId.makeId(new Anchors(tree, number, null)));
                return;
            }
            long[] numbers = new long[tasks.size()];
            long all = 0;
            for (int i = 0; i < numbers.length; i++) {
                numbers[i] = ThreadLocalRandom.current().nextLong();
                all ^= numbers[i];
            }
            TupleTree tree = begin(route, messageId, all);
            Iterator<MessageId> ids = Arrays.stream(numbers)
                    .mapToObj(number -> MessageId.makeId(new Anchors(tree, number, null)))
                    .iterator();
            outgoing.send(route, values, tasks, ids::next);
            if (numbers.length == 0) {
                tree.change(0);
            }
        }

        private TupleTree begin(Outgoing.Route route, Object messageId, long numbers) {
            TupleTree tree = new TupleTree(
                    instance, route.sent(), ThreadLocalRandom.current().nextLong(), messageId, host.nowNs(), numbers);
            opened.increment();
            host.begin(tree);
            if (thread.isCurrent()) {
                know(tree);
            } else {
                begun.add(tree);
            }
            return tree;
        }

        @Override
        public long getPendingCount() {
            return pending();
        }

        @Override
        public void flush() {}

        @Override
        public void reportError(Throwable error) {
            BoltCollector.report(host, counts, instance.context, error);
        }
    }
}
