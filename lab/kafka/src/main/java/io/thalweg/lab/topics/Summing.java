// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.topics;

import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import java.io.Serializable;
import java.util.concurrent.atomic.AtomicLong;

/** A sink that adds up what it gets, and drops it. One run at a time uses the sums. */
record Summing<T>(Part<T> records, Part<T> sum) implements Sink<T> {
    /** A number that is taken from a record. */
    interface Part<T> extends Serializable {
        long of(T record);
    }

    private static final AtomicLong RECORDS = new AtomicLong();
    private static final AtomicLong SUM = new AtomicLong();
    private static final AtomicLong STEADY_NS = new AtomicLong();

    /** Of one number for each record. */
    static <T> Summing<T> each(Part<T> sum) {
        return new Summing<>(record -> 1, sum);
    }

    static void reset() {
        RECORDS.set(0);
        SUM.set(0);
        STEADY_NS.set(0);
    }

    /** What all tasks have seen since {@link #reset}, once they have finished. */
    static Figures seen(long ns) {
        return new Figures(RECORDS.get(), SUM.get(), ns, STEADY_NS.get());
    }

    @Override
    public String name() {
        return "sum";
    }

    @Override
    public SinkWriter<T> open(SinkContext context) {
        return new Writer<>(this);
    }

    private static final class Writer<T> implements SinkWriter<T> {
        private final Summing<T> sink;
        private long records;
        private long sum;
        private long firstNs;

        Writer(Summing<T> sink) {
            this.sink = sink;
        }

        @Override
        public void write(T record) {
            if (records == 0) {
                firstNs = System.nanoTime();
            }
            records += sink.records.of(record);
            sum += sink.sum.of(record);
        }

        @Override
        public void finish() {
            RECORDS.addAndGet(records);
            SUM.addAndGet(sum);
            STEADY_NS.set(System.nanoTime() - firstNs);
        }
    }
}
