// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import io.thalweg.api.operator.OperatorContext;
import io.thalweg.api.operator.OperatorSupplier;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.api.operator.TickingOperator;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * An executor of a bolt, which may be in any process. It needs no runner that lets operators emit from threads of their own: what a
 * bolt's threads emit waits until the task calls again, which it does often.
 */
final class PortableBolt implements TickingOperator<SerializedTuple, SerializedTuple> {
    private static final Duration LOOK = Duration.ofMillis(20);
    private static final long NAP_NS = 1_000_000;
    private static final long MS_PER_S = 1_000;

    /** As many tuples of other threads may wait. */
    private static final int ROOM = 1024;

    /**
     * Makes the operator of each executor.
     *
     * @param ahead the components that the bolt sends to
     * @param tickSecs 0 if it asks for no ticks
     */
    record Supplier(PortableTopology topology, String component, List<String> ahead, int tickSecs)
            implements OperatorSupplier<PortableBolt> {
        @Override
        public PortableBolt get() {
            return new PortableBolt(this);
        }
    }

    private final Supplier its;
    private final Map<String, SideOutput<SerializedTuple>> sides = new HashMap<>();

    /** What was emitted outside of the task's calls. */
    private final Queue<SerializedTuple> brought = new ConcurrentLinkedQueue<>();

    private final AtomicInteger waiting = new AtomicInteger();

    /** The bolt is in a call, and may wait there for one of its threads: none of them waits for room then. */
    private volatile boolean called;

    private volatile boolean closed;
    private volatile @Nullable Throwable failure;
    private volatile @Nullable Thread own;

    /** Of the current call; null in between. For the task's thread. */
    private @Nullable Output<SerializedTuple> output;

    private @Nullable Packing packing;
    private @Nullable BoltExecutor bolts;
    private boolean joined;

    /** When the last tick was due; 0 before the first call. */
    private long tickedMs;

    private PortableBolt(Supplier its) {
        this.its = its;
        its.ahead.forEach(to -> sides.put(to, SerializedTuple.towards(to)));
    }

    static SideOutput<SerializedTuple> side(Map<String, SideOutput<SerializedTuple>> sides, SerializedTuple parcel) {
        SideOutput<SerializedTuple> side = sides.get(parcel.to());
        if (side == null) {
            throw new IllegalStateException("nothing leads to '" + parcel.to() + "'");
        }
        return side;
    }

    @Override
    public List<SideOutput<?>> sideOutputs() {
        return List.copyOf(sides.values());
    }

    @Override
    public Duration tickEvery() {
        return LOOK;
    }

    @Override
    public void open(OperatorContext context) {
        own = Thread.currentThread();
        Host host = its.topology.join();
        joined = true;
        Packing made = new Packing(host);
        packing = made;
        BoltExecutor all =
                new BoltExecutor(host, its.component, context.task(), message -> send(made, message), this::onFailure);
        bolts = all;
        all.prepare();
    }

    private static <T> T opened(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("not open");
        }
        return part;
    }

    @Override
    public void process(SerializedTuple parcel, Output<SerializedTuple> to) {
        BoltExecutor all = opened(bolts);
        Packing packed = opened(packing);
        call(to, () -> all.execute(parcel.place(), packed.unpack(parcel)));
    }

    @Override
    public void onTick(long time, Output<SerializedTuple> to) {
        tickedMs = tickedMs == 0 ? time - LOOK.toMillis() : tickedMs;
        long everyMs = its.tickSecs * MS_PER_S;
        if (everyMs == 0 || time - tickedMs < everyMs) {
            call(to, () -> {});
            return;
        }
        tickedMs += (time - tickedMs) / everyMs * everyMs; // those that are missed are left out
        BoltExecutor all = opened(bolts);
        call(to, () -> all.tick(its.tickSecs));
    }

    @Override
    public void finish(Output<SerializedTuple> to) {
        call(to, () -> {});
    }

    private void call(Output<SerializedTuple> to, Runnable body) {
        output = to;
        called = true;
        try {
            bring(to);
            body.run();
            bring(to);
        } finally {
            called = false;
            output = null;
        }
        Throwable failed = failure; // the bolt may have caught it
        if (failed instanceof Error error) {
            throw error;
        }
        if (failed != null) {
            throw failed instanceof RuntimeException thrown
                    ? thrown
                    : new IllegalStateException(failed.getMessage(), failed);
        }
    }

    private void bring(Output<SerializedTuple> to) {
        for (SerializedTuple next = brought.poll(); next != null; next = brought.poll()) {
            waiting.decrementAndGet();
            emit(to, next);
        }
    }

    private void emit(Output<SerializedTuple> to, SerializedTuple parcel) {
        called = false; // what waits now is this task, for room
        try {
            to.emit(side(sides, parcel), parcel);
        } finally {
            called = true;
        }
    }

    /** On any thread. */
    private void send(Packing with, DoorTuple message) {
        try {
            SerializedTuple parcel = with.pack(message);
            boolean here = Thread.currentThread() == own;
            Output<SerializedTuple> now = here ? output : null;
            if (now == null) {
                leave(parcel, here);
            } else {
                emit(now, parcel);
            }
        } catch (RuntimeException | Error e) {
            onFailure(e);
            throw e;
        }
    }

    private void leave(SerializedTuple parcel, boolean here) {
        while (!here
                && !called
                && !closed
                && waiting.get() >= ROOM
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(this, NAP_NS);
        }
        waiting.incrementAndGet();
        brought.add(parcel);
    }

    private void onFailure(Throwable thrown) {
        if (failure == null) {
            failure = thrown;
        }
    }

    @Override
    public void close() {
        closed = true;
        BoltExecutor all = bolts;
        try {
            if (all != null) {
                all.cleanup();
            }
        } finally {
            if (joined) {
                its.topology.leave();
            }
        }
    }
}
