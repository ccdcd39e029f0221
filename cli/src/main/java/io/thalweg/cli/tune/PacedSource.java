// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.tune;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.api.connector.StartContext;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The same records at a rate, from when the first one is polled; each is due at a time of its own, from which latency counts. */
final class PacedSource implements Source<Object> {
    private static final long serialVersionUID = 1L;

    private static final double NS = 1e9;

    private final Source<Object> source;
    private final double perSecond;
    private final AtomicInteger splitCount = new AtomicInteger(1);

    /** @param perSecond of all splits together; they share it evenly */
    PacedSource(Source<Object> source, double perSecond) {
        this.source = source;
        this.perSecond = perSecond;
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
        splitCount.set(Math.max(1, splits.size()));
        return splits;
    }

    @Override
    public SplitReader<Object> open(String split, SourceContext context) throws Exception {
        return new Reader(source.open(split, context), context, NS * splitCount.get() / perSecond);
    }

    @Override
    public boolean replayable() {
        return source.replayable();
    }

    @Override
    public boolean reusesRecords() {
        return source.reusesRecords();
    }

    @Override
    public boolean blocking() {
        return source.blocking();
    }

    private static final class Reader implements SplitReader<Object> {
        private final SplitReader<Object> records;
        private final SourceContext context;
        private final double nsPerRecord;
        private boolean begun;
        private boolean waits;
        private long startNs;
        private long nowNs;
        private long read;

        Reader(SplitReader<Object> records, SourceContext context, double nsPerRecord) {
            this.records = records;
            this.context = context;
            this.nsPerRecord = nsPerRecord;
        }

        @Override
        public @Nullable Object poll() throws Exception {
            if (!begun) {
                begun = true;
                nowNs = context.nowNs();
                startNs = nowNs;
            }
            long dueNs = nextDueNs();
            if (dueNs - nowNs > 0) {
                nowNs = context.nowNs(); // read only if what was known says no
            }
            waits = dueNs - nowNs > 0;
            Object record = waits ? null : records.poll();
            read += record == null ? 0 : 1;
            return record;
        }

        @Override
        public boolean finished() {
            return !waits && records.finished();
        }

        @Override
        public long nextDueNs() {
            return begun ? startNs + (long) (read * nsPerRecord) : 0;
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
        public void close() throws Exception {
            records.close();
        }
    }
}
