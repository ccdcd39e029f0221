// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.thalweg;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.api.connector.StartContext;
import io.thalweg.api.connector.WriteTarget;
import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Meters;
import io.thalweg.lab.driver.ReadMeter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A user's source, each of whose records is counted where it is read: alike on every engine. */
record MeteredSource(Source<Object> source, Cell cell) implements Source<Object> {
    @Override
    public String name() {
        return source.name();
    }

    @Override
    public String describe() {
        return source.describe();
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
        return source.splits(parallelism);
    }

    @Override
    public void checkSplits(List<String> splits) throws Exception {
        source.checkSplits(splits);
    }

    @Override
    public SplitReader<Object> open(String split, SourceContext context) throws Exception {
        return new Reader(source.open(split, context), Meters.of(cell).reader());
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

    @Override
    public boolean decodesInPieces() {
        return source.decodesInPieces();
    }

    @Override
    public boolean endless() {
        return source.endless();
    }

    @Override
    public List<String> readOnce() {
        return source.readOnce();
    }

    @Override
    public boolean reads(WriteTarget place) {
        return source.reads(place);
    }

    private static final class Reader implements SplitReader<Object> {
        private final SplitReader<Object> records;
        private final ReadMeter meter;

        Reader(SplitReader<Object> records, ReadMeter meter) {
            this.records = records;
            this.meter = meter;
        }

        @Override
        public @Nullable Object poll() throws Exception {
            Object record = records.poll();
            if (record != null) {
                meter.read(0);
            }
            return record;
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
        public void seek(long position) throws Exception {
            records.seek(position);
        }

        @Override
        public byte[] fingerprint() throws Exception {
            return records.fingerprint();
        }

        @Override
        public @Nullable String changed(byte[] fingerprint) throws Exception {
            return records.changed(fingerprint);
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
            try {
                records.close();
            } finally {
                meter.close();
            }
        }
    }
}
