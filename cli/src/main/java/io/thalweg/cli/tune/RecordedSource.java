// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.tune;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.LiveReader;
import io.thalweg.api.connector.LiveSource;
import io.thalweg.api.connector.RecordBatch;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.api.connector.StartContext;
import io.thalweg.api.operator.BadRecordException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A source that keeps what it delivers. Runs only in this JVM, in which the tape is. */
class RecordedSource implements Source<Object> {
    private static final long serialVersionUID = 1L;

    private final Source<Object> source;

    @SuppressWarnings("serial") // never leaves this JVM
    final Tape tape;

    /** Where records go. Thread-safe. */
    interface Tape {
        /** There is a split, even if nothing comes from it. */
        void split(String split);

        /** Keeps a record, unless there is enough. */
        void keep(String split, Object value);

        /** A record could not be read, and is left out. */
        void bad();

        /** Nothing more is kept. */
        boolean enough();
    }

    private RecordedSource(Source<Object> source, Tape tape) {
        this.source = source;
        this.tape = tape;
    }

    static Source<Object> of(Source<Object> source, Tape tape) {
        return source instanceof LiveSource<Object> live ? new Live(live, tape) : new RecordedSource(source, tape);
    }

    @Override
    public String name() {
        return source.name();
    }

    @Override
    public Type<Object> type() {
        return source.type();
    }

    @Override
    public void awaitReady(StartContext context) throws Exception {
        source.awaitReady(context);
    }

    @Override
    public List<String> splits(int parallelism) throws Exception {
        List<String> splits = source.splits(parallelism);
        splits.forEach(tape::split);
        return splits;
    }

    @Override
    public SplitReader<Object> open(String split, SourceContext context) throws Exception {
        return new Reader(split, source.open(split, context), tape);
    }

    @Override
    public boolean reusesRecords() {
        return source.reusesRecords();
    }

    @Override
    public boolean blocking() {
        return source.blocking();
    }

    @Override
    public List<String> readOnce() {
        return source.readOnce();
    }

    private record Reader(String split, SplitReader<Object> records, Tape tape) implements SplitReader<Object> {
        @Override
        public @Nullable Object poll() throws Exception {
            Object value = tape.enough() ? null : records.poll();
            if (value != null) {
                tape.keep(split, value);
            }
            return value;
        }

        @Override
        public boolean finished() {
            return records.finished();
        }

        @Override
        public long position() {
            return records.position();
        }

        @Override
        public long line() {
            return records.line();
        }

        @Override
        public long recordOffset() {
            return records.recordOffset();
        }

        @Override
        public long nextDueNs() {
            return records.nextDueNs();
        }

        @Override
        public void close() throws Exception {
            records.close();
        }
    }

    /** Reads all splits of a task by one reader, as the source does, and passes batches on empty: nobody needs them. */
    private static final class Live extends RecordedSource implements LiveSource<Object> {
        private static final long serialVersionUID = 1L;

        private final LiveSource<Object> live;

        Live(LiveSource<Object> live, Tape tape) {
            super(live, tape);
            this.live = live;
        }

        @Override
        public LiveReader<Object> open(SourceContext context) throws Exception {
            return new Batches(live.open(context), tape);
        }

        @Override
        public SplitReader<Object> open(String split, SourceContext context) {
            return LiveSource.super.open(split, context);
        }

        @Override
        public Duration discovery() {
            return live.discovery();
        }

        @Override
        public int spread(String split) {
            return live.spread(split);
        }
    }

    private record Batches(LiveReader<Object> reader, Tape tape) implements LiveReader<Object> {
        @Override
        public void add(String split) throws Exception {
            reader.add(split);
        }

        @Override
        public void addFound(String split) throws Exception {
            reader.addFound(split);
        }

        @Override
        public List<RecordBatch<Object>> fetch(Duration atMost) throws Exception {
            List<RecordBatch<Object>> kept = new ArrayList<>();
            for (RecordBatch<Object> batch : reader.fetch(atMost)) {
                keep(batch);
                kept.add(RecordBatch.of(batch.split(), batch.position(), List.of(), batch.last()));
            }
            return kept;
        }

        private void keep(RecordBatch<Object> batch) throws Exception {
            boolean more = !tape.enough();
            while (more) {
                try {
                    Object value = batch.next();
                    more = value != null && !tape.enough();
                    if (value != null) {
                        tape.keep(batch.split(), value);
                    }
                } catch (BadRecordException e) {
                    tape.bad();
                }
            }
        }

        @Override
        public void wakeUp() {
            reader.wakeUp();
        }

        @Override
        public void pause(String split) throws Exception {
            reader.pause(split);
        }

        @Override
        public void resume(String split) throws Exception {
            reader.resume(split);
        }

        @Override
        public void close() throws Exception {
            reader.close();
        }
    }
}
