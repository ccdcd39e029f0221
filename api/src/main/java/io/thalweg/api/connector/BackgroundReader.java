// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import io.thalweg.api.codec.Codec;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.ConnectionReports;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Reads a split of a {@linkplain Source#blocking() blocking} source on a thread of its own and passes what it finds to the task,
 * without ever blocking it. For engines; all public methods are called by the task's thread. A job that ends does not wait for the
 * reading thread: {@link #close} interrupts it, and if its read never returns all the same, it ends with the process.
 */
public final class BackgroundReader implements ConfirmedReader<Object> {
    private static final int MOST_AHEAD = 1_024;

    /** If a split takes this long to open, the user gets a warning. */
    private static final long OPENING_NS = 5_000_000_000L;

    /** A source that is declared as blocking but returns nothing is polled again after this time. */
    private static final long AGAIN_NS = 1_000_000;

    /** Opens the split. */
    @FunctionalInterface
    public interface Opener {
        /**
         * Opens the split at its position; called on the reading thread.
         *
         * @param context reports bad records in their order, and wakes the reading thread
         * @throws Exception ends the reader; the task's next poll throws it
         */
        SplitReader<Object> open(SourceContext context) throws Exception;
    }

    /** A record, a bad record, or an exception of a poll, with its position. */
    private record Item(
            @Nullable Object value,
            @Nullable BadRecord bad,
            @Nullable Exception thrown,
            long position,
            long recordOffset,
            long line) {
        static Item at(SplitReader<?> reader, @Nullable Object value, @Nullable Exception thrown) {
            return new Item(value, null, thrown, reader.position(), reader.recordOffset(), reader.line());
        }
    }

    private final Thread thread;
    private final Opener opener;
    private final @Nullable Codec<Object> copies;
    private final SourceContext context;
    private volatile @Nullable SplitReader<Object> reading;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Guarded by the lock.
    private List<Item> ahead = new ArrayList<>();
    /** The position at which the split was opened. */
    private @Nullable Item opened;

    private byte[] fingerprint;

    private @Nullable Throwable failure;
    private boolean ended;
    private boolean closed;

    /** The thread opens the split or reads it, which {@link #close} interrupts. */
    private boolean interruptible = true;

    /** The reader has called {@code wakeUp}. */
    private boolean woken;

    // The task's own.
    private boolean begun;
    private final long madeNs;
    private boolean warned;
    private List<Item> taken = List.of();
    private int next;
    private Item last;
    private boolean finished;

    /**
     * Starts the reading thread, which opens the split.
     *
     * @param name of the thread
     * @param opener opens the split
     * @param copies the codec to copy records with; null if they need no copy
     * @param context of the task
     * @param at position at which the split is opened; {@link Fetcher#NOT_BEGUN} for where the source begins
     */
    public BackgroundReader(
            String name, Opener opener, @Nullable Codec<Object> copies, SourceContext context, SavedPosition at) {
        last = new Item(null, null, null, at.position(), at.position(), 0);
        fingerprint = at.fingerprint();
        this.opener = opener;
        this.copies = copies;
        this.context = context;
        madeNs = context.nowNs();
        thread = new Thread(this::readAll, name);
        thread.setDaemon(true);
        thread.start();
    }

    // ---- the task's side

    /** Returns nothing until the opening position is known, so that the position of each record is known. */
    @Override
    public @Nullable Object poll() throws Exception {
        if (!begun && begin()) {
            return null;
        }
        while (next < taken.size() || take()) {
            Item item = taken.get(next++);
            if (item.bad != null) {
                context.bad(item.bad); // the position of a bad record is not the one to continue from
                continue;
            }
            last = item;
            if (item.thrown != null) {
                throw item.thrown;
            }
            return item.value;
        }
        return null;
    }

    /** True while the opening position is not known, or was not before this call; the task is woken for what has arrived since. */
    private boolean begin() {
        lock.lock();
        try {
            begun = opened != null;
            if (opened != null) {
                last = opened;
                context.wakeUp();
            }
            if (!begun && !ended && !warned && context.nowNs() - madeNs > OPENING_NS) {
                warned = true;
                context.warn("it waits for its input to open, which for a named pipe is when somebody writes to it");
            }
            return begun || !ended;
        } finally {
            lock.unlock();
        }
    }

    private boolean take() throws Exception {
        lock.lock();
        try {
            boolean any = !ahead.isEmpty();
            if (any) {
                taken = ahead;
                next = 0;
                ahead = new ArrayList<>();
                changed.signalAll();
            } else if (failure instanceof Exception exception) {
                throw exception;
            } else if (failure instanceof Error error) {
                throw error;
            } else {
                finished = ended;
            }
            return any;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean finished() {
        return finished;
    }

    @Override
    public long position() {
        return last.position;
    }

    @Override
    public long recordOffset() {
        return last.recordOffset;
    }

    @Override
    public long line() {
        return last.line;
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
            if (interruptible) {
                thread.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void confirm(long position) throws Exception {
        if (reading instanceof ConfirmedReader<?> reader) {
            reader.confirm(position);
        }
    }

    /** The fingerprint may be of records that the task has not taken yet. */
    @Override
    public byte[] fingerprint() {
        lock.lock();
        try {
            return fingerprint;
        } finally {
            lock.unlock();
        }
    }

    /** True if the reader wants confirmations. Until the split is open, it is not known, and false. */
    public boolean wantsToKnow() {
        return reading instanceof ConfirmedReader<?>;
    }

    // ---- the reading thread's side

    private void readAll() {
        Throwable thrown = null;
        try {
            SplitReader<Object> reader = opener.open(new Context());
            try {
                reading = reader;
                tell(Item.at(reader, null, null));
                readOn(reader);
                awaitClose(reader);
            } finally {
                beUninterrupted();
                reader.close();
            }
        } catch (Throwable e) {
            thrown = e;
        }
        lock.lock();
        try {
            failure = thrown;
            ended = true;
        } finally {
            lock.unlock();
        }
        context.wakeUp();
    }

    /** From here on the reader is only closed. */
    private void beUninterrupted() {
        lock.lock();
        try {
            interruptible = false;
        } finally {
            lock.unlock();
        }
        Thread.interrupted();
    }

    private void tell(Item openedAt) {
        lock.lock();
        try {
            opened = openedAt;
        } finally {
            lock.unlock();
        }
        context.wakeUp();
    }

    /** Keeps the reader open after its last record, so that records can still be confirmed. */
    private void awaitClose(SplitReader<Object> reader) throws InterruptedException {
        beUninterrupted();
        lock.lock();
        try {
            ended = true;
            context.wakeUp();
            while (reader instanceof ConfirmedReader<?> && !closed) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    private void readOn(SplitReader<Object> reader) throws Exception {
        boolean goOn = true;
        int unknown = 0;
        while (goOn) {
            try {
                Object value = reader.poll();
                unknown++;
                if (value == null || unknown >= MOST_AHEAD) {
                    know(reader);
                    unknown = 0;
                }
                if (value != null) {
                    goOn = hand(Item.at(reader, copies == null ? value : copies.copy(value), null));
                } else {
                    goOn = !reader.finished() && rest();
                }
            } catch (InterruptedException e) {
                throw e;
            } catch (Exception e) {
                goOn = hand(Item.at(reader, null, e)) && e instanceof BadRecordException;
            }
        }
    }

    private void know(SplitReader<Object> reader) throws Exception {
        if (context.checkpoints()) {
            byte[] now = reader.fingerprint();
            lock.lock();
            try {
                fingerprint = now;
            } finally {
                lock.unlock();
            }
        }
    }

    /** Hands over an item, waiting for room; false once the task has closed. */
    private boolean hand(Item item) throws InterruptedException {
        boolean first;
        lock.lock();
        try {
            while (ahead.size() >= MOST_AHEAD && !closed) {
                changed.await();
            }
            first = ahead.isEmpty();
            ahead.add(item);
            if (closed) {
                return false;
            }
        } finally {
            lock.unlock();
        }
        if (first) {
            context.wakeUp();
        }
        return true;
    }

    private boolean rest() throws InterruptedException {
        lock.lock();
        try {
            long leftNs = AGAIN_NS;
            while (leftNs > 0 && !closed && !woken) {
                leftNs = changed.awaitNanos(leftNs);
            }
            woken = false;
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    private final class Context implements SourceContext {
        @Override
        public String operator() {
            return context.operator();
        }

        @Override
        public void bad(BadRecord record) {
            try {
                hand(new Item(null, record, null, record.offset(), record.offset(), record.line()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public long nowNs() {
            return context.nowNs();
        }

        @Override
        public boolean checkpoints() {
            return context.checkpoints();
        }

        @Override
        public void wakeUp() {
            lock.lock();
            try {
                woken = true;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void warn(String message) {
            context.warn(message);
        }

        @Override
        public ConnectionReports connections() {
            return context.connections();
        }
    }
}
