// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.corpus;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The first records of a source, equally many of each split, so that two runs have the same input. */
record BoundedSource(Source<Object> source, long records, AtomicInteger splitCount) implements Source<Object> {
    BoundedSource(Source<Object> source, long records) {
        this(source, records, new AtomicInteger(1));
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
    public List<String> splits(int parallelism) throws Exception {
        List<String> splits = source.splits(parallelism);
        splitCount.set(Math.max(1, splits.size()));
        return splits;
    }

    @Override
    public SplitReader<Object> open(String split, SourceContext context) throws Exception {
        return new Reader(source.open(split, context), records / splitCount.get());
    }

    @Override
    public boolean replayable() {
        return source.replayable();
    }

    @Override
    public boolean reusesRecords() {
        return source.reusesRecords();
    }

    private static final class Reader implements SplitReader<Object> {
        private final SplitReader<Object> records;
        private final long most;
        private long read;

        Reader(SplitReader<Object> records, long most) {
            this.records = records;
            this.most = most;
        }

        @Override
        public @Nullable Object poll() throws Exception {
            Object record = read < most ? records.poll() : null;
            read += record == null ? 0 : 1;
            return record;
        }

        @Override
        public boolean finished() {
            return read >= most || records.finished();
        }

        @Override
        public long nextDueNs() {
            return records.nextDueNs();
        }

        @Override
        public long position() {
            return records.position();
        }

        @Override
        public void close() throws Exception {
            records.close();
        }
    }
}
