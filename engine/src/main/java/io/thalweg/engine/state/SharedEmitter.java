// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import io.thalweg.api.operator.HeldRecord;
import io.thalweg.api.operator.NullValueException;
import io.thalweg.api.operator.OperatorContext;
import io.thalweg.api.operator.SharedOutput;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.engine.chain.Receiver;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What a user's operator emits to from its own threads. They put entries into a bounded queue, which the task's thread takes; what
 * the task's thread emits itself, within a call of the operator, goes on at once.
 */
final class SharedEmitter implements SharedOutput<Object> {
    /** The task, on its own thread. */
    interface Task {
        /** Holds the current record. */
        HeldRecord<Object> hold();

        /** Emits a record within a call of the operator, ahead of what is in the queue. */
        void emitNow(Emission emission);
    }

    /** For the task's thread to take, in this order. */
    sealed interface Entry permits Emission, Settled {}

    /**
     * A record to be emitted.
     *
     * @param also the others that it belongs to
     */
    record Emission(Receiver to, Object value, long time, long stamp, Held of, List<Held> also) implements Entry {}

    /**
     * A record that is no longer held.
     *
     * @param failed why it must be retried; null if it is done
     */
    record Settled(Held held, @Nullable String failed) implements Entry {}

    private static final String NO_REASON = "the operator gave no reason";

    private final String operator;
    private final Receiver next;
    private final Map<String, Receiver> sides;
    private final boolean timed;
    private final int capacity;
    private final Runnable wakeUp;
    private final Task task;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition room = lock.newCondition();

    /** Stands for the record that an emission belongs to where it belongs to none. */
    private final Held none = new Held(OperatorContext.NO_TIME, OperatorContext.NO_TIME, "", 0, 0, 0, 0, 0);

    // ---- guarded by the lock
    private final Deque<Entry> queue = new ArrayDeque<>();
    private boolean keptOpen;

    /** Written under the lock. */
    private volatile boolean closed;

    /** The task takes nothing more. */
    private boolean ended;

    // ---- others
    private volatile @Nullable Throwable failure;

    /** Threads that wait for room, or are about to. */
    private final AtomicInteger waiting = new AtomicInteger();

    /** The thread of the last call of the operator; written before {@link #calling}. */
    private @Nullable Thread caller;

    /**
     * The task is within a call of the operator, or between two calls of one turn: announcing it costs a fence, which waits until all
     * that the task has written is in its cache, so it is not done for each record.
     */
    private volatile boolean calling;

    /**
     * @param capacity as many records wait in the queue before a thread has to
     * @param wakeUp called by any thread when there is something to take
     */
    SharedEmitter(
            String operator,
            Receiver next,
            Map<String, Receiver> sides,
            boolean timed,
            int capacity,
            Runnable wakeUp,
            Task task) {
        this.operator = operator;
        this.next = next;
        this.sides = sides;
        this.timed = timed;
        this.capacity = capacity;
        this.wakeUp = wakeUp;
        this.task = task;
    }

    /** A record that the operator holds. */
    final class Held implements HeldRecord<Object> {
        final long time;
        final long stamp;
        final String split;
        final long offset;
        final long dueNs;
        final long root;

        /** The watermark that had arrived before the record. */
        final long watermark;

        /** Sum of its id and of the ids of what it emitted. For the task's thread. */
        long id;

        /** Guarded by the lock. */
        private boolean settled;

        Held(long time, long stamp, String split, long offset, long dueNs, long root, long id, long watermark) {
            this.time = time;
            this.stamp = stamp;
            this.split = split;
            this.offset = offset;
            this.dueNs = dueNs;
            this.root = root;
            this.id = id;
            this.watermark = watermark;
        }

        @Override
        public void emit(Object value) {
            send(next, value, time, stamp, this, List.of());
        }

        @Override
        public void emitAt(long at, Object value) {
            if (!timed || time == OperatorContext.NO_TIME) {
                throw new IllegalStateException("emitAt needs a record with an event time, and this one has none");
            }
            if (at < time) {
                throw new IllegalArgumentException(
                        "emitAt(" + at + ") is before the event time of the record, " + time);
            }
            send(next, value, at, Math.max(stamp, at - 1), this, List.of());
        }

        @Override
        public <S> void emit(SideOutput<S> side, S value) {
            send(sides.get(side.name()), value, time, stamp, this, List.of());
        }

        private SharedEmitter emitter() {
            return SharedEmitter.this;
        }

        @Override
        public void ack() {
            settle(null);
        }

        @Override
        @SuppressWarnings("NullAway") // such as the message of an exception that has none
        public void fail(String reason) {
            settle(reason == null ? NO_REASON : reason);
        }

        private void settle(@Nullable String failed) {
            boolean wakes;
            lock.lock();
            try {
                wakes = !settled && !ended && add(new Settled(this, failed));
                settled = true;
            } finally {
                lock.unlock();
            }
            wakeUp(wakes);
        }
    }

    @Override
    public void emit(Object value) {
        send(next, value, none.time, none.stamp, none, List.of());
    }

    @Override
    public void emitAt(long time, Object value) {
        throw new IllegalStateException(
                "operator '" + operator + "': emitAt needs a record that holds the watermark back;"
                        + " hold one with hold(), and emit through it");
    }

    @Override
    public <S> void emit(SideOutput<S> side, S value) {
        send(sides.get(side.name()), value, none.time, none.stamp, none, List.of());
    }

    @Override
    public void emit(Collection<? extends HeldRecord<Object>> anchors, Object value) {
        send(next, value, anchors);
    }

    @Override
    public <S> void emit(SideOutput<S> side, Collection<? extends HeldRecord<Object>> anchors, S value) {
        send(sides.get(side.name()), value, anchors);
    }

    /** The time is that of the latest: then nothing of it is before any of them. */
    private void send(@Nullable Receiver to, Object value, Collection<? extends HeldRecord<Object>> anchors) {
        List<Held> all = new ArrayList<>();
        long time = none.time;
        long stamp = none.stamp;
        for (HeldRecord<Object> each : anchors) {
            Held held = own(each);
            if (!all.contains(held)) {
                all.add(held);
                time = Math.max(time, held.time);
                stamp = Math.max(stamp, held.stamp);
            }
        }
        Held first = all.isEmpty() ? none : all.remove(0);
        send(to, value, time, stamp, first, all);
    }

    private Held own(HeldRecord<Object> record) {
        if (record instanceof SharedEmitter.Held held && held.emitter() == this) {
            return held;
        }
        throw new IllegalArgumentException(
                "operator '" + operator
                        + "' emits a record that is to belong to one that another task holds; anchor it to records of this task");
    }

    @Override
    public HeldRecord<Object> hold() {
        if (!isCaller()) {
            throw notInProcess(operator);
        }
        return task.hold();
    }

    static IllegalStateException notInProcess(String operator) {
        return new IllegalStateException("operator '" + operator
                + "': hold() holds the record that process was called with; call it there, on the same thread");
    }

    /** @param to null if nobody reads that side output */
    @SuppressWarnings("NullAway") // a user's operator may be written without it
    private void send(@Nullable Receiver to, Object value, long time, long stamp, Held of, List<Held> also) {
        if (value == null) {
            throw NullValueException.ofEmit();
        }
        boolean now = isCaller();
        Emission emission = new Emission(to == null ? nobody -> {} : to, value, time, stamp, of, also);
        if (now && of == none && also.isEmpty()) { // which is never settled, so the lock guards nothing here
            check(of);
            task.emitNow(emission);
            return;
        }
        boolean wakes = false;
        lock.lock();
        try {
            check(of);
            also.forEach(this::check);
            if (!now) {
                awaitRoom();
                check(of);
                also.forEach(this::check);
                wakes = add(emission);
            }
        } finally {
            lock.unlock();
        }
        if (now) {
            task.emitNow(emission);
        } else {
            wakeUp(wakes);
        }
    }

    private void check(Held of) {
        if (closed) {
            throw new IllegalStateException("operator '" + operator
                    + "' emits after its output was closed; a job ends when all input has, unless the operator holds a record or"
                    + " has called keepOpen()");
        }
        if (of.settled) {
            throw new IllegalStateException("operator '" + operator
                    + "' emits through a record that it has acked or failed; emit before ack()");
        }
    }

    /** The task does not take from the queue while it calls the operator. */
    private void awaitRoom() {
        if (queue.size() < capacity) {
            return;
        }
        waiting.incrementAndGet(); // before looking at the caller: either we see the call, or it sees that we wait
        try {
            while (queue.size() >= capacity && !calling && !closed) {
                room.await();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(
                    "operator '" + operator + "': the thread was interrupted while it waited for room to emit", e);
        } finally {
            waiting.decrementAndGet();
        }
    }

    /** True if the task must be woken, when the lock is free again. */
    private boolean add(Entry entry) {
        boolean first = queue.isEmpty();
        queue.add(entry);
        return first;
    }

    private void wakeUp(boolean needed) {
        if (needed) {
            wakeUp.run();
        }
    }

    @Override
    public void keepOpen() {
        lock.lock();
        try {
            keptOpen = true;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            room.signalAll();
        } finally {
            lock.unlock();
        }
        wakeUp.run();
    }

    @Override
    @SuppressWarnings("NullAway") // a user's operator may be written without it
    public void fail(Throwable cause) {
        Throwable known = cause == null ? new IllegalStateException(NO_REASON) : cause;
        lock.lock();
        try {
            failure = failure == null ? known : failure;
        } finally {
            lock.unlock();
        }
        wakeUp.run();
    }

    // ---- for the task's thread

    @Nullable Throwable failure() {
        return failure;
    }

    private boolean isCaller() {
        return calling && caller == Thread.currentThread();
    }

    /** A call of the operator begins. */
    void enter() {
        if (calling) {
            return;
        }
        caller = Thread.currentThread();
        calling = true;
        if (waiting.get() > 0) {
            signal();
        }
    }

    /** No call of the operator follows in this turn, or none soon. */
    void leave() {
        if (calling) {
            calling = false;
        }
    }

    private void signal() {
        lock.lock();
        try {
            room.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Moves all that is in the queue. */
    void take(Deque<Entry> into) {
        lock.lock();
        try {
            into.addAll(queue);
            queue.clear();
            room.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** All input has ended, and no record is held: closes unless the queue is not empty, or something is still to come. */
    boolean endIfDone() {
        lock.lock();
        try {
            if (!queue.isEmpty() || (keptOpen && !closed)) {
                return false;
            }
            end();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Nothing more may be emitted; what is in the queue may still be taken. */
    void end() {
        lock.lock();
        try {
            closed = true;
            ended = true;
            room.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
