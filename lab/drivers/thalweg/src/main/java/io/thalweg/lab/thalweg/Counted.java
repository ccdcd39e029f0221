// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.thalweg;

import io.thalweg.api.connector.CheckpointedWriter;
import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Meters;
import io.thalweg.lab.driver.SinkMeter;
import java.io.IOException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** A sink that counts, and drops what it counted; at each checkpoint if the cell {@link Cell#commits}. */
record Counted<T>(Cell cell, Counter<T> counter) implements Sink<T> {
    interface Counter<T> extends Serializable {
        void count(T value, SinkMeter meter);
    }

    @Override
    public String name() {
        return "count";
    }

    @Override
    public boolean immediate() {
        return !cell.commits();
    }

    @Override
    public SinkWriter<T> open(SinkContext context) {
        SinkMeter meter = Meters.of(cell).sink();
        return cell.commits() ? new Committing<>(cell, counter, meter) : new Counting<>(counter, meter);
    }

    /** In a worker of a cluster, which outlives the run, the meter must be closed. */
    private record Counting<T>(Counter<T> counter, SinkMeter meter) implements SinkWriter<T> {
        @Override
        public void write(T value) {
            counter.count(value, meter);
        }

        @Override
        public void close() {
            meter.close();
        }
    }

    /** What it took in counts when the next checkpoint is complete. */
    private static final class Committing<T> implements CheckpointedWriter<T> {
        private final Cell cell;
        private final Counter<T> counter;
        private final SinkMeter meter;

        /** Prepared and not committed yet, by checkpoint. */
        private final NavigableMap<Long, String> prepared = new TreeMap<>();

        Committing(Cell cell, Counter<T> counter, SinkMeter meter) {
            this.cell = cell;
            this.counter = counter;
            this.meter = meter;
        }

        @Override
        public void write(T value) {
            counter.count(value, meter);
        }

        @Override
        public byte[] save(long checkpoint) {
            prepared.put(checkpoint == 0 ? Long.MAX_VALUE : checkpoint, meter.prepare());
            return String.join("\n", prepared.values()).getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public void commit(long checkpoint) throws IOException {
            Map<Long, String> complete = prepared.headMap(checkpoint, true);
            commit(complete.values());
            complete.clear();
        }

        @Override
        public void restore(List<byte[]> saved) throws IOException {
            for (byte[] each : saved) {
                commit(new String(each, StandardCharsets.UTF_8).lines().toList());
            }
        }

        @Override
        public void finish() throws IOException {
            commit(prepared.values());
            prepared.clear();
        }

        private void commit(Collection<String> names) throws IOException {
            for (String each : names) {
                SinkMeter.commit(cell, each);
            }
        }
    }
}
