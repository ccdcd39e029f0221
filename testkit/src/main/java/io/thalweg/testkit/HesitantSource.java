// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.api.connector.WriteTarget;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Wraps a source so that it occasionally returns nothing, never twice in a row, without being at its end. */
record HesitantSource<T>(Source<T> source, long seed) implements Source<T> {
    @Override
    public String name() {
        return source.name();
    }

    @Override
    public Type<T> type() {
        return source.type();
    }

    @Override
    public List<String> splits(int parallelism) throws Exception {
        return source.splits(parallelism);
    }

    @Override
    public SplitReader<T> open(String split, SourceContext context) throws Exception {
        return new Reader<>(source.open(split, context), new Random(seed ^ split.hashCode()));
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
    public List<String> readOnce() {
        return source.readOnce();
    }

    @Override
    public boolean reads(WriteTarget place) {
        return source.reads(place);
    }

    private static final class Reader<T> implements SplitReader<T> {
        private final SplitReader<T> reader;
        private final Random random;
        private boolean hesitates;

        Reader(SplitReader<T> reader, Random random) {
            this.reader = reader;
            this.random = random;
        }

        @Override
        public @Nullable T poll() throws Exception {
            hesitates = !hesitates && random.nextInt(3) == 0;
            return hesitates ? null : reader.poll();
        }

        @Override
        public boolean finished() {
            return !hesitates && reader.finished();
        }

        @Override
        public long position() {
            return reader.position();
        }

        @Override
        public void seek(long position) throws Exception {
            reader.seek(position);
        }

        @Override
        public long line() {
            return reader.line();
        }

        @Override
        public long recordOffset() {
            return reader.recordOffset();
        }

        @Override
        public long nextDueNs() {
            return reader.nextDueNs();
        }

        @Override
        public void close() throws Exception {
            reader.close();
        }
    }
}
