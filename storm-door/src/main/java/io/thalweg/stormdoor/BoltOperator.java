// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import io.thalweg.api.operator.OperatorContext;
import io.thalweg.api.operator.OperatorSupplier;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.SharedOutput;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.api.operator.ThreadedOperator;
import io.thalweg.api.operator.TickingOperator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An executor of a bolt, with its tasks: one task of the engine, on a thread of its own. */
class BoltOperator implements ThreadedOperator<DoorTuple, DoorTuple> {
    private static final Logger LOG = LoggerFactory.getLogger(BoltOperator.class);
    private static final long NS_PER_MS = 1_000_000;
    private static final long PATIENCE_SECONDS = 2;

    /** Makes the operator of each executor. */
    record Supplier(HostHandle handle, String component, int tickSecs) implements OperatorSupplier<BoltOperator> {
        @Override
        public BoltOperator get() {
            return tickSecs > 0 ? new Ticking(handle, component, tickSecs) : new BoltOperator(handle, component);
        }
    }

    private final HostHandle handle;
    private final String id;
    private @Nullable ExecutorThread thread;

    /** One call of the executor at a time, also where a thread of its own brings what leads back. */
    private final ReentrantLock lock =
            new ReentrantLock(true); // or the one that comes back at once keeps the others out

    /** Another thread than the task's emits: what the bolt has not acked it may still be working on. */
    private volatile boolean threaded;

    /** A thread of the bolt's own does, not just the one that brings what leads back. */
    private volatile boolean ownThreads;

    private @Nullable SharedOutput<DoorTuple> shared;
    private @Nullable BoltExecutor bolts;
    private @Nullable FeedbackQueue lane;
    private int executor;

    /** Guarded by the lock. */
    private boolean closed;

    BoltOperator(HostHandle handle, String id) {
        this.handle = handle;
        this.id = id;
    }

    @Override
    public List<SideOutput<?>> sideOutputs() {
        List<SideOutput<?>> all = new ArrayList<>();
        handle.host().layout.ahead(id).forEach(to -> all.add(DoorTuple.towards(to)));
        return all;
    }

    @Override
    public void open(OperatorContext context) {
        executor = context.task();
    }

    @Override
    public void start(SharedOutput<DoorTuple> output) {
        Host host = handle.host();
        ExecutorThread own = new ExecutorThread(host);
        own.enter();
        thread = own;
        shared = output;
        host.failBy(output::fail);
        output.keepOpen();
        BoltExecutor its =
                new BoltExecutor(host, id, executor, message -> emit(host, own, output, message), output::fail);
        bolts = its;
        if (its.threaded()) {
            onOwnThread(host);
        }
        lock.lock();
        try {
            its.prepare();
        } finally {
            lock.unlock();
        }
        FeedbackQueue back = host.backTo(id, executor);
        lane = back;
        if (back != null) {
            back.begin("thalweg-" + id + "-back", message -> executeBack(back, message), output::fail);
        }
    }

    private void onOwnThread(Host host) {
        threaded = true;
        ownThreads = true;
        host.hasOwnThreads(id);
    }

    private void emit(Host host, ExecutorThread own, SharedOutput<DoorTuple> output, DoorTuple message) {
        if (!ownThreads && !own.isCurrent()) {
            if (lock.isHeldByCurrentThread()) {
                threaded = true;
            } else {
                onOwnThread(host);
            }
        }
        try {
            output.emit(message.to.side(), message);
        } catch (IllegalStateException e) {
            // To a thread of the bolt's that comes after the end it is no error: ShellBolt's would end the process.
            if (own.isCurrent() && !host.stopping() && !host.ended()) {
                throw e;
            }
            host.drop();
        }
    }

    @Override
    public void process(DoorTuple message, Output<DoorTuple> output) {
        try {
            enter();
            execute(message);
        } catch (RuntimeException e) {
            if (!handle.host().wasInterrupted(e)) {
                throw e;
            }
        }
    }

    private BoltExecutor bolts() {
        BoltExecutor its = bolts;
        if (its == null) {
            throw new IllegalStateException("'" + id + "' was not started");
        }
        return its;
    }

    /** Before each call by the task's thread. */
    private void enter() {
        ExecutorThread own = thread;
        if (own != null && own.enter() && lane == null) {
            bolts().begin();
        }
    }

    private void execute(DoorTuple message) {
        if (lane == null) { // no other thread than the task's calls the bolt
            bolts().execute(message.to.number(), message);
            return;
        }
        lock.lock();
        try {
            bolts().execute(message.to.number(), message);
        } finally {
            lock.unlock();
        }
    }

    /** On the thread that brings what leads back, which may come after the end. */
    private void executeBack(FeedbackQueue from, DoorTuple message) {
        lock.lock();
        try {
            if (!closed) { // or it is left, and counts with what is in the queue
                from.delivered();
                bolts().execute(message.to.number(), message);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Each task gets a tick. */
    void tick(int everySecs) {
        enter();
        lock.lock();
        try {
            bolts().tick(everySecs);
        } catch (RuntimeException e) {
            if (!handle.host().wasInterrupted(e)) {
                throw e;
            }
        } finally {
            lock.unlock();
        }
    }

    /** All input has ended. Threads of the bolt's get as much time for it as what is pending has. */
    @Override
    public void finish(Output<DoorTuple> output) {
        SharedOutput<DoorTuple> its = shared;
        Host host = handle.host();
        BoltExecutor all = bolts;
        if (its == null || all == null || !threaded || all.open() <= 0) {
            endOutput(its);
        } else {
            Host.daemon(
                            () -> {
                                while (all.open() > 0 && !host.stopOverdue() && !host.ended()) {
                                    LockSupport.parkNanos(this, NS_PER_MS);
                                }
                                endOutput(its);
                            },
                            "thalweg-" + id + "-end")
                    .start();
        }
    }

    private static void endOutput(@Nullable SharedOutput<DoorTuple> output) {
        if (output != null) {
            output.close();
        }
    }

    @Override
    public void close() {
        ExecutorThread own = thread;
        if (own != null) {
            own.leave();
        }
        FeedbackQueue its = lane;
        if (its != null) {
            its.close();
        }
        if (!lockToClose()) {
            LOG.warn("'{}' is not cleaned up: a call of it does not come back", id);
            return;
        }
        try {
            closed = true;
            BoltExecutor all = bolts;
            if (all != null) {
                all.cleanup();
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
    static final class Ticking extends BoltOperator implements TickingOperator<DoorTuple, DoorTuple> {
        private final int everySecs;

        Ticking(HostHandle handle, String id, int everySecs) {
            super(handle, id);
            this.everySecs = everySecs;
        }

        @Override
        public Duration tickEvery() {
            return Duration.ofSeconds(everySecs);
        }

        @Override
        public void onTick(long time, Output<DoorTuple> output) {
            tick(everySecs);
        }
    }
}
