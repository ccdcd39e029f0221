// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.api.codec.Codec;
import io.thalweg.engine.HostedChain;
import io.thalweg.engine.HostedOrders;
import io.thalweg.engine.HostedPlan;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.apache.storm.utils.TupleUtils;
import org.jspecify.annotations.Nullable;

/**
 * A bolt that runs a chain. Tuples of an input whose barrier has arrived are buffered until it has arrived on all
 * inputs (alignment).
 */
final class ChainBolt extends BaseRichBolt {
    private static final long serialVersionUID = 1L;

    private final JobDescriptor descriptor;
    private final int part;
    private final List<String> streams;
    private transient @Nullable Task task;

    /** @param streams to which it sends records */
    ChainBolt(JobDescriptor descriptor, int part, List<String> streams) {
        this.descriptor = descriptor;
        this.part = part;
        this.streams = List.copyOf(streams);
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        Wiring.declare(streams, declarer);
    }

    @Override
    public Map<String, Object> getComponentConfiguration() {
        return Wiring.ticking();
    }

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
        task = new Task(descriptor, part, conf, context, collector);
    }

    @Override
    public void execute(Tuple tuple) {
        Task running = task;
        if (running != null) {
            running.take(tuple);
        }
    }

    @Override
    public void cleanup() {
        Task running = task;
        if (running != null) {
            running.close();
        }
    }

    private record Held(int input, TupleValue item) {}

    private record Early(Tuple tuple, TupleValue item) {}

    private record Place(int input, long number) {}

    /** The state of the bolt in its worker, which is not serialized. */
    private static final class Task implements TaskHost.Exit {
        /** One of so many records is timed. */
        private static final int SAMPLED = 64;

        private static final long LONGEST_WAIT_NS = TimeUnit.MILLISECONDS.toNanos(1);
        private static final long LONGEST_EARLY_NS = TimeUnit.SECONDS.toNanos(60);

        private final OutputCollector collector;
        private final boolean acked;

        /** Number of the input, by number of the edge and Storm's id of the sending task. */
        private int[][] inputs = {};

        /** How many tuples have come without a gap, by number of the input. */
        private long[] arrived = {};

        /** Tuples before which others are missing: where batches are on, Storm may be keeping these in one. */
        private final Map<Place, Early> early = new HashMap<>();

        /** Since when the same are missing. */
        private long earlySinceNs;

        private final List<@Nullable Codec<Object>> codecs = new ArrayList<>();
        private final Deque<Held> held = new ArrayDeque<>();
        private @Nullable TaskHost host;

        /** Null in a task that Storm has restarted: its state is lost. */
        private @Nullable HostedChain chain;

        private @Nullable ControlChannel channel;
        private @Nullable Tuple anchor;
        private boolean failed;
        private int records;

        /** Tuples whose records wait for answers from outside, by root. */
        private final Map<Long, Tuple> unanswered = new HashMap<>();

        private long root;

        /** The executor thread of this bolt. */
        private final Thread thread = Thread.currentThread();

        /** The chain has asked for a turn. */
        private volatile boolean called;

        private volatile boolean closed;

        private long busyNs;
        private long sinceNs;

        Task(
                JobDescriptor descriptor,
                int part,
                Map<String, Object> conf,
                TopologyContext context,
                OutputCollector collector) {
            this.collector = collector;
            acked = descriptor.settings().acked();
            try {
                ControlChannel own = ControlChannel.of(descriptor, conf);
                channel = own;
                HostedPlan plan = TaskHost.plan(descriptor, own.loader());
                number(plan, plan.parts().get(part), context);
                TaskHost made = new TaskHost(plan, plan.parts().get(part), conf, context, this);
                host = made;
                if (own.orders().opened()) {
                    return;
                }
                HostedChain opened = made.chain(plan, descriptor, HostedOrders.first(descriptor.last()));
                chain = opened;
                opened.turns();
                IdleBolt.whenIdle(this::lookWhenIdle);
            } catch (Throwable thrown) {
                failed = true;
                if (host != null) {
                    host.sendWarnings();
                }
                report(Wiring.failed(descriptor, part, context, thrown));
            }
            sinceNs = HostedPlan.nowNs();
        }

        private void number(HostedPlan plan, HostedPlan.Part part, TopologyContext context) {
            int edges = plan.graph().edges().size();
            inputs = new int[edges][0];
            codecs.addAll(Collections.nCopies(edges, null));
            for (HostedPlan.Link link : plan.links()) {
                codecs.set(link.number(), link.codec());
            }
            List<HostedPlan.Input> ways = plan.inputs(part, context.getThisTaskIndex());
            arrived = new long[ways.size()];
            for (int input = 0; input < ways.size(); input++) {
                HostedPlan.Input way = ways.get(input);
                int sender = TaskHost.tasks(context, TaskHost.component(way.part()))[way.task()];
                int[] bySender = inputs[way.link()];
                int[] wider = Arrays.copyOf(bySender, Math.max(bySender.length, sender + 1));
                wider[sender] = input;
                inputs[way.link()] = wider;
            }
        }

        void take(Tuple tuple) {
            TaskHost own = host;
            HostedChain running = chain;
            if (failed || closed || own == null) {
                return;
            }
            if (running == null) {
                sayLost(own, tuple);
                return;
            }
            guarded(own, running, () -> take(tuple, own, running));
        }

        /** Reports at every tick that the task was restarted; the watch bolt then ends this attempt of the job. */
        private static void sayLost(TaskHost own, Tuple tuple) {
            if (TupleUtils.isTick(tuple)) {
                own.sayOpened();
            }
        }

        private void take(Tuple tuple, TaskHost own, HostedChain running) throws Exception {
            Object value = tuple.getValue(0);
            if (value instanceof TupleValue item) {
                inTurn(tuple, item, own, running);
            } else if (value instanceof ControlMessage message) {
                running.order(HostedOrders.of(message.numbers()));
                running.turns();
            } else {
                tick(own, running);
            }
            if (called && !failed) {
                called = false;
                running.turns();
            }
        }

        /** Processes a tuple when all before it have come, unless they are acked, and come again in any order. */
        private void inTurn(Tuple tuple, TupleValue item, TaskHost own, HostedChain running) throws Exception {
            int input = inputs[item.link][tuple.getSourceTask()];
            if (acked || item.number == 0) {
                handle(tuple, item, own, running);
            } else if (item.number == arrived[input] + 1) {
                arrived[input]++;
                handle(tuple, item, own, running);
                if (!early.isEmpty()) {
                    takeEarly(input, own, running);
                }
            } else if (own.batched() && item.number > arrived[input]) {
                earlySinceNs = early.isEmpty() ? HostedPlan.nowNs() : earlySinceNs;
                early.put(new Place(input, item.number), new Early(tuple, item));
            } else {
                lost(tuple, own, running);
            }
        }

        private void takeEarly(int input, TaskHost own, HostedChain running) throws Exception {
            Early next = early.remove(new Place(input, arrived[input] + 1));
            while (next != null) {
                arrived[input]++;
                earlySinceNs = HostedPlan.nowNs();
                handle(next.tuple, next.item, own, running);
                next = early.remove(new Place(input, arrived[input] + 1));
            }
        }

        private void handle(Tuple tuple, TupleValue item, TaskHost own, HostedChain running) throws Exception {
            if (item.kind == TupleValue.NUDGE) {
                own.nudge();
            } else {
                settle(tuple, timed(tuple, item, running));
            }
        }

        private void lost(Tuple after, TaskHost own, HostedChain running) {
            failed = true;
            own.lost(after.getSourceComponent());
            running.abandon();
        }

        private void settle(Tuple tuple, HostedChain.Outcome outcome) {
            if (acked && outcome == HostedChain.Outcome.DONE) {
                collector.ack(tuple);
            } else if (acked && outcome == HostedChain.Outcome.FAILED) {
                collector.fail(tuple);
            } else if (acked) {
                unanswered.put(root, tuple);
            }
        }

        private HostedChain.Outcome timed(Tuple tuple, TupleValue item, HostedChain running) throws Exception {
            int input = inputs[item.link][tuple.getSourceTask()];
            awaitAnswers(running);
            anchor = acked ? tuple : null;
            boolean sampled = ++records % SAMPLED == 0;
            long beganNs = sampled ? HostedPlan.nowNs() : 0;
            HostedChain.Outcome outcome = take(input, item, running);
            if (sampled) {
                busyNs += (HostedPlan.nowNs() - beganNs) * SAMPLED;
            }
            anchor = null;
            return outcome;
        }

        /** Blocks while the chain accepts no records, so that its queue fills and upstream tasks wait too (back-pressure). */
        private void awaitAnswers(HostedChain running) throws Exception {
            ControlChannel orders = channel;
            while (running.waitsForAnswers()) {
                called = false;
                if (orders != null) {
                    running.order(orders.orders()); // new orders are queued behind the tuple at hand
                }
                running.turns();
                if (running.waitsForAnswers()) {
                    LockSupport.parkNanos(LONGEST_WAIT_NS);
                    if (Thread.currentThread().isInterrupted()) {
                        throw new InterruptedException();
                    }
                }
            }
        }

        /** Handles answers, and fires processing-time timers. */
        private boolean lookWhenIdle() {
            TaskHost own = host;
            HostedChain running = chain;
            if (failed || closed || own == null || running == null) {
                return false;
            }
            long dueNs = running.nextDueNs();
            if (called || (dueNs != 0 && dueNs - HostedPlan.nowNs() <= 0)) {
                called = false;
                guarded(own, running, running::turns);
            }
            return running.asynchronous();
        }

        @Override
        public void wakeUp() {
            called = true;
            LockSupport.unpark(thread);
        }

        @Override
        public void answered(long of, boolean again) {
            Tuple tuple = unanswered.remove(of);
            if (tuple != null) {
                settle(tuple, again ? HostedChain.Outcome.FAILED : HostedChain.Outcome.DONE);
            }
        }

        private interface Step {
            void run() throws Exception;
        }

        /** Runs a step; a failure ends the job, not the worker. */
        private void guarded(TaskHost own, HostedChain running, Step step) {
            try {
                step.run();
            } catch (Throwable thrown) {
                failed = true;
                if (!TaskHost.stopping(thrown)) {
                    own.failed(HostedPlan.failure(own.topology(), running.name(), thrown));
                }
                running.abandon();
            }
            if (closed) { // closed meanwhile; the step may have swallowed the interrupt
                failed = true;
                running.abandon();
                Thread.currentThread().interrupt();
            }
        }

        @SuppressWarnings("NullAway") // a link that leads here has a codec
        private HostedChain.Outcome take(int input, TupleValue item, HostedChain running) throws Exception {
            if (running.holds(input)) {
                held.add(new Held(input, item));
                return HostedChain.Outcome.DONE;
            }
            switch (item.kind) {
                case TupleValue.RECORD -> {
                    root++;
                    return running.record(input, item.value(codecs.get(item.link)), item.time, item.stamp, root);
                }
                case TupleValue.WATERMARK -> running.watermark(input, item.time);
                case TupleValue.BARRIER -> {
                    if (!running.barrier(input, item.time)) {
                        release(running);
                    }
                }
                default -> {
                    running.end(input, item.kind == TupleValue.CANCELLED_END);
                    release(running);
                }
            }
            return HostedChain.Outcome.DONE;
        }

        /** The barrier has passed: processes the buffered tuples, unless the next barrier blocks them. */
        private void release(HostedChain running) throws Exception {
            if (held.isEmpty()) {
                return;
            }
            List<Held> waiting = List.copyOf(held);
            held.clear();
            for (Held each : waiting) {
                awaitAnswers(running);
                take(each.input, each.item, running);
            }
        }

        private void tick(TaskHost own, HostedChain running) throws Exception {
            long nowNs = HostedPlan.nowNs();
            long wallNs = nowNs - sinceNs;
            busyNs = Math.min(busyNs, wallNs);
            running.spent(busyNs, wallNs - busyNs);
            busyNs = 0;
            sinceNs = nowNs;
            running.turns();
            if (!running.touched()) {
                own.sayOpened(); // again, in case the first message was lost
            }
            own.report();
            own.nudge();
            if (running.touched()) {
                own.count();
            }
            if (!early.isEmpty() && nowNs - earlySinceNs >= LONGEST_EARLY_NS) {
                lost(early.values().iterator().next().tuple, own, running);
            }
        }

        @Override
        public void send(int stormTask, String stream, TupleValue item) {
            HostedChain running = chain;
            Tuple of =
                    acked && running != null && running.asynchronous() ? unanswered.get(running.rootInHand()) : anchor;
            if (of == null) {
                collector.emitDirect(stormTask, stream, new Values(item));
            } else {
                collector.emitDirect(stormTask, stream, of, new Values(item));
            }
        }

        @Override
        public void report(ControlMessage message) {
            collector.emit(TaskHost.NOTES, new Values(message));
        }

        void close() {
            closed = true;
            HostedChain running = chain;
            boolean left = running == null || TaskHost.left(thread);
            if (running != null && left) {
                running.abandon();
            }
            ControlChannel own = channel;
            if (own != null) {
                if (!left) {
                    own.lingers(thread);
                }
                own.close();
            }
        }
    }
}
