// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.thalweg;

import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.api.connector.StartContext;
import io.thalweg.api.connector.WriteTarget;
import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Meters;
import io.thalweg.lab.driver.SinkMeter;
import java.util.List;

/** A sink, each of whose records is counted when it was written. In jobs without checkpoints. */
record MeteredSink(Sink<Object> sink, Cell cell) implements Sink<Object> {
    @Override
    public String name() {
        return sink.name();
    }

    @Override
    public String describe() {
        return sink.describe();
    }

    @Override
    public void awaitReady(StartContext context) throws Exception {
        sink.awaitReady(context);
    }

    @Override
    public SinkWriter<Object> open(SinkContext context) throws Exception {
        return new Writer(sink.open(context), Meters.of(cell).sink());
    }

    @Override
    public List<WriteTarget> writes() {
        return sink.writes();
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

    private static final class Writer implements SinkWriter<Object> {
        private final SinkWriter<Object> writer;
        private final SinkMeter meter;

        Writer(SinkWriter<Object> writer, SinkMeter meter) {
            this.writer = writer;
            this.meter = meter;
        }

        @Override
        public void write(Object value) throws Exception {
            writer.write(value);
            meter.received(0);
        }

        @Override
        public long dueMs() {
            return writer.dueMs();
        }

        @Override
        public void onClock(long epochMs) throws Exception {
            writer.onClock(epochMs);
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
            try {
                writer.close();
            } finally {
                meter.close();
            }
        }
    }
}
