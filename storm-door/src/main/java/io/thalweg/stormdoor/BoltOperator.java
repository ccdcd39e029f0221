// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import io.thalweg.api.operator.OperatorContext;
import io.thalweg.api.operator.OperatorSupplier;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.SharedOutput;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.api.operator.ThreadedOperator;
import io.thalweg.api.operator.TickingOperator;
import io.thalweg.stormdoor.multilang.Multilang;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.storm.Config;
import org.apache.storm.Constants;
import org.apache.storm.hooks.ITaskHook;
import org.apache.storm.hooks.info.BoltExecuteInfo;
import org.apache.storm.task.IBolt;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.ShellBolt;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.MessageId;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An executor of a bolt, with its tasks: one task of the engine, on a thread of its own. */
class BoltOperator implements ThreadedOperator<Message, Message> {
    private static final Logger LOG = LoggerFactory.getLogger(BoltOperator.class);
    private static final long NS_PER_MS = 1_000_000;
    private static final long PATIENCE_SECONDS = 2;

    /** Makes the operator of each executor. */
    record Supplier(Handle handle, String component, int tickSecs) implements OperatorSupplier<BoltOperator> {
        @Override
        public BoltOperator get() {
            return tickSecs > 0 ? new Ticking(handle, component, tickSecs) : new BoltOperator(handle, component);
        }
    }

    private record Instance(int task, IBolt bolt, TopologyContext context, BoltCollector collector) {}

    private final Handle handle;
    private final String id;
    private final List<Instance> instances = new ArrayList<>();

    /** One call of the executor at a time, also where a thread of its own brings what leads back. */
    private final ReentrantLock lock =
            new ReentrantLock(true); // or the one that comes back at once keeps the others out

    private final Map<String, SideOutput<Message>> sides = new HashMap<>();

    /** Tuples that were executed and are neither acked nor failed. */
    private final AtomicLong open = new AtomicLong();

    /** A thread of the bolt's own emits: what it has not acked it may still be working on. */
    private volatile boolean threaded;

    private volatile @Nullable Thread own;
    private @Nullable SharedOutput<Message> shared;
    private @Nullable Counts counts;
    private @Nullable BackLane lane;
    private boolean debug;
    private int executor;

    /** Guarded by the lock. */
    private boolean closed;

    BoltOperator(Handle handle, String id) {
        this.handle = handle;
        this.id = id;
    }

    @Override
    public List<SideOutput<?>> sideOutputs() {
        List<SideOutput<?>> all = new ArrayList<>();
        handle.host().layout.ahead(id).forEach(to -> all.add(Message.towards(to)));
        return all;
    }

    @Override
    public void open(OperatorContext context) {
        executor = context.task();
    }

    @Override
    public void start(SharedOutput<Message> output) {
        Host host = handle.host();
        own = Thread.currentThread();
        shared = output;
        output.keepOpen();
        Thread.currentThread().setContextClassLoader(host.loader);
        Layout.Component component = host.layout.component(id);
        host.layout.ahead(id).forEach(to -> sides.put(to, Message.towards(to)));
        debug = Boolean.TRUE.equals(component.conf().get(Config.TOPOLOGY_DEBUG));
        Counts its = host.counts(id, executor);
        counts = its;
        Map<String, Object> executorData = new HashMap<>();
        for (int task : component.executors().get(executor)) {
            TopologyContext context = host.context(component, task, executorData);
            Outgoing outgoing =
                    new Outgoing(host, component, task, context, its, message -> emit(host, output, message));
            IBolt bolt = Multilang.bolt(
                    Components.bolt(host.layout, component, host.loader), component.conf(), host.python());
            BoltCollector collector = new BoltCollector(host, task, context, its, outgoing, open, debug);
            threaded |= bolt instanceof ShellBolt || bolt instanceof Multilang.Failing;
            if (bolt instanceof Multilang.Failing failing) {
                failing.onFailure(output::fail);
            }
            instances.add(new Instance(task, bolt, context, collector));
        }
        lock.lock();
        try {
            for (Instance each : instances) {
                each.bolt.prepare(component.conf(), each.context, new OutputCollector(each.collector));
            }
        } finally {
            lock.unlock();
        }
        BackLane back = host.backTo(id, executor);
        lane = back;
        if (back != null) {
            back.begin("thalweg-" + id + "-back", this::execute, output::fail);
        }
    }

    private void emit(Host host, SharedOutput<Message> output, Message message) {
        SideOutput<Message> side = sides.get(message.to());
        if (!threaded && Thread.currentThread() != own) {
            threaded = true;
        }
        if (side == null) {
            throw new IllegalStateException(
                    "'" + id + "' sends to '" + message.to() + "', which does not read from it");
        }
        try {
            output.emit(side, message);
        } catch (IllegalStateException e) {
            // To a thread of the bolt's that comes after the end it is no error: ShellBolt's would end the process.
            if (Thread.currentThread() == own && !host.stopping() && !host.ended()) {
                throw e;
            }
            host.drop();
        }
    }

    @Override
    public void process(Message message, Output<Message> output) {
        execute(message);
    }

    private void execute(Message message) {
        Instance instance = instances.get(message.place());
        if (lane == null) { // no other thread than the task's calls the bolt
            execute(instance, message.tuple(), true);
            return;
        }
        lock.lock();
        try {
            if (closed) { // it came back after the end
                handle.host().drop();
            } else {
                execute(instance, message.tuple(), true);
            }
        } finally {
            lock.unlock();
        }
    }

    private void execute(Instance instance, DoorTuple tuple, boolean counted) {
        if (debug) {
            LOG.info("Processing received TUPLE: {} for TASK: {}", tuple, instance.task);
        }
        long begunNs = handle.host().nowNs();
        tuple.begunNs = begunNs;
        if (counted) {
            open.incrementAndGet();
        }
        instance.bolt.execute(tuple);
        handle.host().checkState();
        long tookNs = handle.host().nowNs() - begunNs;
        Counts its = counts;
        if (counted && its != null) {
            its.executed.setOpaque(its.executed.getPlain() + 1); // one call at a time
            its.execute.addAlone(tookNs);
        }
        if (!instance.context.getHooks().isEmpty()) {
            new BoltExecuteInfo(tuple, instance.task, tookNs / NS_PER_MS).applyOn(instance.context);
        }
    }

    /** Each task gets a tick. */
    void tick(int everySecs) {
        lock.lock();
        try {
            for (Instance each : instances) {
                execute(
                        each,
                        new DoorTuple(
                                handle.host().context(),
                                List.of(everySecs),
                                Constants.SYSTEM_COMPONENT_ID,
                                (int) Constants.SYSTEM_TASK_ID,
                                Constants.SYSTEM_TICK_STREAM_ID,
                                MessageId.makeUnanchored()),
                        false);
            }
        } finally {
            lock.unlock();
        }
    }

    /** All input has ended. Threads of the bolt's get as much time for it as what is pending has. */
    @Override
    public void finish(Output<Message> output) {
        SharedOutput<Message> its = shared;
        Host host = handle.host();
        if (its == null || !threaded || open.get() <= 0) {
            endOutput(its);
        } else {
            Host.daemon(
                            () -> {
                                while (open.get() > 0 && !host.stopOverdue() && !host.ended()) {
                                    LockSupport.parkNanos(this, NS_PER_MS);
                                }
                                endOutput(its);
                            },
                            "thalweg-" + id + "-end")
                    .start();
        }
    }

    private static void endOutput(@Nullable SharedOutput<Message> output) {
        if (output != null) {
            output.close();
        }
    }

    @Override
    public void close() {
        BackLane its = lane;
        if (its != null) {
            its.close();
        }
        if (!lockToClose()) {
            LOG.warn("'{}' is not cleaned up: a call of it does not come back", id);
            return;
        }
        try {
            closed = true;
            for (Instance each : instances) {
                each.collector.end();
                each.bolt.cleanup();
                each.context.getHooks().forEach(ITaskHook::cleanup);
            }
        } finally {
            lock.unlock();
        }
    }

    /** The thread that brings what leads back may be in a call. */
    private boolean lockToClose() {
        try {
            return lock.tryLock(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return lock.tryLock();
        }
    }

    /** A bolt that asks for ticks. */
    static final class Ticking extends BoltOperator implements TickingOperator<Message, Message> {
        private final int everySecs;

        Ticking(Handle handle, String id, int everySecs) {
            super(handle, id);
            this.everySecs = everySecs;
        }

        @Override
        public Duration tickEvery() {
            return Duration.ofSeconds(everySecs);
        }

        @Override
        public void onTick(long time, Output<Message> output) {
            tick(everySecs);
        }
    }
}
