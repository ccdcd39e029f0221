// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.engine.HostedChain;
import io.thalweg.engine.HostedOrders;
import io.thalweg.engine.HostedPlan;
import io.thalweg.run.AckSettings;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Values;
import org.jspecify.annotations.Nullable;

/** A spout that runs a chain with a source. In a job that is acked it keeps each tuple until its tree is complete. */
final class ChainSpout extends BaseRichSpout {
    private static final long serialVersionUID = 1L;
    private static final long PULSE_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long REPORT_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private final JobDescriptor descriptor;
    private final int part;
    private final int maxPending;
    private final List<String> streams;
    private transient @Nullable Task task;

    /**
     * @param maxPending maximum number of pending tuples; 0 if tuples are not acked
     * @param streams to which it sends records
     */
    ChainSpout(JobDescriptor descriptor, int part, int maxPending, List<String> streams) {
        this.descriptor = descriptor;
        this.part = part;
        this.maxPending = maxPending;
        this.streams = List.copyOf(streams);
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        Wiring.declare(streams, declarer);
    }

    @Override
    public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector collector) {
        task = new Task(descriptor, part, maxPending, conf, context, collector);
    }

    @Override
    public void nextTuple() {
        Task running = task;
        if (running != null) {
            running.next();
        }
    }

    @Override
    public void ack(Object id) {
        Task running = task;
        if (running != null) {
            running.done((Long) id);
        }
    }

    @Override
    public void fail(Object id) {
        Task running = task;
        if (running != null) {
            running.again((Long) id);
        }
    }

    @Override
    public void close() {
        Task running = task;
        if (running != null) {
            running.close();
        }
    }

    /** A tuple that was sent, and how often it has failed since. */
    private record Sent(int stormTask, String stream, TupleValue item, int failures) {
        Sent failed() {
            return new Sent(stormTask, stream, item, failures + 1);
        }
    }

    /** A tuple that failed, until it is sent again. */
    private record Waiting(long id, long untilNs) implements Comparable<Waiting> {
        @Override
        public int compareTo(Waiting other) {
            return Long.signum(untilNs - other.untilNs);
        }
    }

    /** The state of the spout in its worker, which is not serialized. */
    private static final class Task implements TaskHost.Exit {
        private final SpoutOutputCollector collector;
        private final int maxPending;
        private final int step;
        private final Map<Long, Sent> pending = new HashMap<>();
        private final PriorityQueue<Waiting> waiting = new PriorityQueue<>();
        private final Deque<Sent> ends = new ArrayDeque<>();
        private final List<ControlMessage> early = new ArrayList<>();
        private @Nullable TaskHost host;

        /** Null in a task that Storm has restarted: it would read its input again, and its state is lost. */
        private @Nullable HostedChain chain;

        private @Nullable ControlChannel channel;
        private boolean failed;
        private long sent;
        private long acked;
        private long failures;
        private long pulsedNs;
        private long reportedNs;
        private long busyNs;
        private long sinceNs;

        /** The executor thread of this spout. */
        private final Thread thread = Thread.currentThread();

        private volatile boolean closed;

        Task(
                JobDescriptor descriptor,
                int part,
                int maxPending,
                Map<String, Object> conf,
                TopologyContext context,
                SpoutOutputCollector collector) {
            this.collector = collector;
            this.maxPending = maxPending;
            step = descriptor.settings().stepRecords();
            try {
                ControlChannel own = ControlChannel.of(descriptor, conf);
                channel = own;
                HostedPlan plan = TaskHost.plan(descriptor, own.loader());
                TaskHost made = new TaskHost(plan, plan.parts().get(part), conf, context, this);
                host = made;
                if (!own.orders().opened()) {
                    chain = made.chain(plan, descriptor, HostedOrders.first(descriptor.last()));
                }
            } catch (Throwable thrown) {
                early.add(Wiring.failed(descriptor, part, context, thrown));
                failed = true;
            }
            sinceNs = HostedPlan.nowNs();
        }

        void next() {
            early.forEach(this::report);
            early.clear();
            TaskHost own = host;
            HostedChain running = chain;
            ControlChannel orders = channel;
            if (failed || closed || own == null || orders == null) {
                return;
            }
            if (running == null) {
                sayLost(own);
                return;
            }
            try {
                run(own, running, orders);
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

        /** Reports repeatedly that the task was restarted; the watch bolt then ends this attempt of the job. */
        private void sayLost(TaskHost own) {
            long nowNs = HostedPlan.nowNs();
            if (nowNs - pulsedNs >= PULSE_NS) {
                pulsedNs = nowNs;
                own.sayOpened();
            }
        }

        private void run(TaskHost own, HostedChain running, ControlChannel orders) throws Exception {
            HostedOrders now = orders.orders();
            running.order(now);
            long beganNs = HostedPlan.nowNs();
            boolean room = maxPending == 0 || pending.isEmpty() || pending.size() + step <= maxPending;
            boolean busy = room && running.turn();
            sendAgain();
            if (!ends.isEmpty() && pending.isEmpty()) {
                own.acks(0, acked, failures);
                ends.forEach(end -> collector.emitDirect(end.stormTask, end.stream, new Values(end.item)));
                ends.clear();
            }
            if (!busy) {
                own.nudge();
            }
            long nowNs = HostedPlan.nowNs();
            busyNs += busy ? nowNs - beganNs : 0;
            if (nowNs - pulsedNs >= PULSE_NS) {
                pulsedNs = nowNs;
                if (now.started()) {
                    own.count();
                }
                if (now.started() || !own.isOpen()) {
                    own.pulse();
                } else {
                    own.sayOpened(); // again, in case the first message was lost
                }
            }
            if (nowNs - reportedNs >= REPORT_NS) {
                report(own, running, nowNs);
            }
        }

        private void report(TaskHost own, HostedChain running, long nowNs) {
            reportedNs = nowNs;
            running.spent(busyNs, Math.max(0, nowNs - sinceNs - busyNs));
            sinceNs = nowNs;
            busyNs = 0;
            own.report();
            if (maxPending > 0) {
                own.acks(pending.size(), acked, failures);
            }
        }

        @Override
        public void send(int stormTask, String stream, TupleValue item) {
            if (maxPending == 0) {
                collector.emitDirect(stormTask, stream, new Values(item));
            } else if (item.kind == TupleValue.RECORD) {
                long id = sent++;
                pending.put(id, new Sent(stormTask, stream, item, 0));
                collector.emitDirect(stormTask, stream, new Values(item), id);
            } else if (item.kind == TupleValue.END || item.kind == TupleValue.CANCELLED_END) {
                ends.add(new Sent(stormTask, stream, item, 0)); // sent after all retries
            } else {
                collector.emitDirect(stormTask, stream, new Values(item));
            }
        }

        @Override
        public void report(ControlMessage message) {
            collector.emit(TaskHost.NOTES, new Values(message));
        }

        void done(long id) {
            acked++;
            pending.remove(id);
        }

        void again(long id) {
            failures++;
            Sent record = pending.get(id);
            if (record != null) {
                Sent again = record.failed();
                pending.put(id, again);
                long waitNs = AckSettings.wait(again.failures()).toNanos();
                waiting.add(new Waiting(id, HostedPlan.nowNs() + waitNs));
            }
        }

        private void sendAgain() {
            while (!waiting.isEmpty() && waiting.peek().untilNs() - HostedPlan.nowNs() <= 0) {
                long id = waiting.remove().id();
                Sent record = pending.get(id);
                if (record == null) {
                    continue;
                }
                collector.emitDirect(record.stormTask, record.stream, new Values(record.item), id);
            }
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
