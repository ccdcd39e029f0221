// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import io.thalweg.api.connector.CheckpointedWriter;
import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.run.RunningJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A sink with two-phase commit in tasks that have trouble: one fails once, or one opens when others already write.
 * Works through serialization, within one JVM.
 */
public final class TroubledSink<T> implements Sink<T> {
    private static final long serialVersionUID = 1L;
    private static final long LATE_MS = 2_000;
    private static final int SOME = 25;

    /**
     * Limits the records that wait: on a busy machine a cluster takes minutes to start, and would need minutes to read
     * them all.
     */
    private static final int MOST_UNREAD = 1_000;

    private static final int MORE = 40;
    private static final Duration BETWEEN = Duration.ofMillis(5);

    private final Sink<T> sink;
    private final int failingTask;
    private final Moment moment;
    private final int lateTask;
    private final String id;
    private final transient @Nullable Troubles held;

    /** When a task fails: once it has committed twice. */
    public enum Moment {
        /** On its next record. */
        WRITE,
        /** Before its writer saves. */
        SAVE,
        /** When its writer has saved, so that the checkpoint is never complete. */
        SAVED,
        /** When the checkpoint is complete, before its writer commits. */
        COMMIT,
        /** When its writer has committed. */
        COMMITTED
    }

    private TroubledSink(Sink<T> sink, int failingTask, Moment moment, int lateTask) {
        this.sink = sink;
        this.failingTask = failingTask;
        this.moment = moment;
        this.lateTask = lateTask;
        held = new Troubles();
        id = Handles.register(held);
    }

    /** The task throws once, on the first record after its second commit. */
    public static <T> TroubledSink<T> failing(Sink<T> sink, int task) {
        return failing(sink, task, Moment.WRITE);
    }

    /** The task throws once, at this moment. */
    public static <T> TroubledSink<T> failing(Sink<T> sink, int task, Moment moment) {
        return new TroubledSink<>(sink, task, moment, -1);
    }

    /** The task opens when others have written a hundred records, or after two seconds. */
    public static <T> TroubledSink<T> late(Sink<T> sink, int task) {
        return new TroubledSink<>(sink, -1, Moment.WRITE, task);
    }

    /**
     * Adds records to the splits of a source until the trouble is over, then some more, and ends it.
     *
     * @return all of them
     * @throws AssertionError if the job ended before there was trouble
     */
    public List<String> feed(TestSource<String> source, int splits, RunningJob job) throws InterruptedException {
        List<String> all = new ArrayList<>();
        Troubles troubles = Objects.requireNonNull(held, "only the test that made it feeds");
        for (int after = 0; after < MORE; after += troubles.happened ? 1 : 0) {
            if (job.await(BETWEEN)) {
                throw new AssertionError("the job ended before its sink had trouble: "
                        + job.await().state());
            }
            for (int split = 0; split < splits && source.unread() < MOST_UNREAD; split++) {
                List<String> some = new ArrayList<>();
                for (int i = 0; i < SOME; i++) {
                    some.add("record " + (all.size() + i));
                }
                source.addTo(split, some);
                all.addAll(some);
            }
        }
        source.end();
        return all;
    }

    @Override
    public String name() {
        return sink.name();
    }

    @Override
    public int requiredParallelism() {
        return sink.requiredParallelism();
    }

    @Override
    public boolean immediate() {
        return sink.immediate();
    }

    @Override
    public boolean blocking() {
        return sink.blocking();
    }

    @Override
    public SinkWriter<T> open(SinkContext context) throws Exception {
        Troubles troubles = Handles.find(id, Troubles.class, "a TroubledSink");
        if (context.task() == lateTask) {
            troubles.awaitOthers();
        }
        Moment fails = context.task() == failingTask ? moment : null;
        return new Writer<>((CheckpointedWriter<T>) sink.open(context), troubles, fails);
    }

    private static final class Troubles {
        private volatile int written;
        private volatile boolean happened;

        private synchronized void written() {
            written++;
        }

        void awaitOthers() {
            for (long waited = 0; written < 100 && waited < LATE_MS; waited++) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
            happened = true;
        }
    }

    private static final class Writer<T> implements CheckpointedWriter<T> {
        private final CheckpointedWriter<T> writer;
        private final Troubles troubles;
        private final @Nullable Moment fails;
        private int commits;

        Writer(CheckpointedWriter<T> writer, Troubles troubles, @Nullable Moment fails) {
            this.writer = writer;
            this.troubles = troubles;
            this.fails = fails;
        }

        @Override
        public void write(T value) throws Exception {
            failAt(Moment.WRITE);
            writer.write(value);
            troubles.written();
        }

        private void failAt(Moment now) {
            if (fails == now && commits > 1 && !troubles.happened) {
                troubles.happened = true;
                throw new IllegalStateException("trouble on purpose");
            }
        }

        @Override
        public byte[] save(long checkpoint) throws Exception {
            failAt(Moment.SAVE);
            byte[] saved = writer.save(checkpoint);
            failAt(Moment.SAVED);
            return saved;
        }

        @Override
        public void commit(long checkpoint) throws Exception {
            failAt(Moment.COMMIT);
            writer.commit(checkpoint);
            commits++;
            failAt(Moment.COMMITTED);
        }

        @Override
        public void restore(List<byte[]> saved) throws Exception {
            writer.restore(saved);
        }

        @Override
        public void prepare() throws Exception {
            writer.prepare();
        }

        @Override
        public void finish() throws Exception {
            writer.finish();
        }

        @Override
        public void cancelled() throws Exception {
            writer.cancelled();
        }

        @Override
        public void close() throws Exception {
            writer.close();
        }
    }
}
