// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.source;

import io.thalweg.api.codec.Codec;
import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.SavedPosition;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.ConnectionReports;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads a split of a blocking source on a thread of its own, so that the task never blocks. When the job ends, it does
 * not wait for that thread.
 */
final class BackgroundReader implements SplitReader<Object> {
    private static final int RECORDS_AHEAD = 1_024;
    private static final long LOOK_AGAIN_NS = 1_000_000;

    /** Opens a split at its position. Called on the reading thread. */
    @FunctionalInterface
    interface Opener {
        SplitReader<Object> open(Split split, SourceContext context) throws Exception;
    }

    /**
     * A record, the end, or a failure, and the position of the reader after it.
     *
     * @param fingerprint taken from the reader periodically; null if not this time
     */
    private record Found(
            @Nullable Object value,
            @Nullable Throwable failure,
            long position,
            long line,
            long offset,
            byte @Nullable [] fingerprint) {}

    private final ArrayBlockingQueue<Object> found = new ArrayBlockingQueue<>(RECORDS_AHEAD);
    private final Thread thread;
    private final Consumer<BadRecord> bad;
    private Found last;
    private byte[] fingerprint;
    private boolean ended;

    private BackgroundReader(Runner runner, @Nullable SavedPosition begin, Consumer<BadRecord> bad) {
        this.bad = bad;
        long position = begin == null ? 0 : begin.position();
        fingerprint = begin == null ? new byte[0] : begin.fingerprint();
        last = new Found(null, null, position, 0, position, null);
        thread = new Thread(() -> runner.run(found), "thalweg-source-" + runner.split.name());
        thread.setDaemon(true);
        thread.start();
    }

    static BackgroundReader start(
            Split split, Opener opener, @Nullable Codec<Object> copies, SourceContext task, Consumer<BadRecord> bad) {
        return new BackgroundReader(new Runner(split, opener, copies, task), split.at(), bad);
    }

    /** The code of the thread. */
    private record Runner(
            Split split, Opener opener, @Nullable Codec<Object> copies, SourceContext task) {
        void run(ArrayBlockingQueue<Object> into) {
            try {
                read(into);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // the job is over
            } catch (Throwable thrown) {
                tell(thrown, into);
            }
            task.wakeUp();
        }

        private static void tell(Throwable thrown, ArrayBlockingQueue<Object> into) {
            try {
                into.put(new Found(null, thrown, 0, 0, 0, null));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // the job is over
            }
        }

        private void read(ArrayBlockingQueue<Object> into) throws Exception {
            SplitReader<Object> reader = opener.open(split, new Context(into, task, Thread.currentThread()));
            try {
                int unknown = 0;
                while (!Thread.currentThread().isInterrupted()) {
                    Object value;
                    try {
                        value = reader.poll();
                    } catch (BadRecordException e) {
                        into.put(BadRecord.of(split.name(), reader.line(), reader.recordOffset(), e));
                        continue;
                    }
                    if (value == null && !reader.finished()) {
                        LockSupport.parkNanos(LOOK_AGAIN_NS);
                        continue;
                    }
                    Object kept = value == null || copies == null ? value : copies.copy(value);
                    boolean ask = task.checkpoints() && unknown++ % RECORDS_AHEAD == 0;
                    into.put(new Found(
                            kept,
                            null,
                            reader.position(),
                            reader.line(),
                            reader.recordOffset(),
                            ask ? reader.fingerprint() : null));
                    if (value == null) {
                        return;
                    }
                    if (into.size() == 1) { // the task takes all there are before it waits
                        task.wakeUp();
                    }
                }
            } finally {
                reader.close();
            }
        }
    }

    private record Context(ArrayBlockingQueue<Object> into, SourceContext task, Thread reading)
            implements SourceContext {
        @Override
        public void bad(BadRecord record) {
            try {
                into.put(record);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public long nowNs() {
            return task.nowNs();
        }

        @Override
        public boolean checkpoints() {
            return task.checkpoints();
        }

        @Override
        public void wakeUp() {
            LockSupport.unpark(reading);
        }

        @Override
        public ConnectionReports connections() {
            return task.connections();
        }
    }

    @Override
    public @Nullable Object poll() throws Exception {
        while (true) {
            Object next = found.poll();
            if (next instanceof BadRecord record) {
                bad.accept(record);
            } else if (next instanceof Found record) {
                if (record.failure() instanceof Exception exception) {
                    throw exception;
                }
                if (record.failure() instanceof Error error) {
                    throw error;
                }
                last = record;
                fingerprint = record.fingerprint() == null ? fingerprint : record.fingerprint();
                ended = record.value() == null;
                return record.value();
            } else {
                return null;
            }
        }
    }

    @Override
    public boolean finished() {
        return ended;
    }

    @Override
    public long position() {
        return last.position();
    }

    @Override
    public byte[] fingerprint() {
        return fingerprint;
    }

    @Override
    public long line() {
        return last.line();
    }

    @Override
    public long recordOffset() {
        return last.offset();
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
