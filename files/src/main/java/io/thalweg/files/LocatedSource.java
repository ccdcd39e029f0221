// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.api.connector.WriteTarget;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What another source of files reads, with the places. */
record LocatedSource<T>(Source<T> source) implements Source<Located<T>> {
    @Override
    public String name() {
        return source.name();
    }

    @Override
    public Type<Located<T>> type() {
        return Type.of(Located.class, source.type());
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
    public SplitReader<Located<T>> open(String split, SourceContext context) throws Exception {
        return new Reader<>(split, source.open(split, context));
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
    public boolean decodesInPieces() {
        return source.decodesInPieces();
    }

    @Override
    public boolean blocking() {
        return source.blocking();
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

    private record Reader<T>(String split, SplitReader<T> reader) implements SplitReader<Located<T>> {
        @Override
        public @Nullable Located<T> poll() throws Exception {
            T value = reader.poll();
            return value == null ? null : new Located<>(split, reader.line(), reader.recordOffset(), value);
        }

        @Override
        public boolean finished() {
            return reader.finished();
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
        public byte[] fingerprint() throws Exception {
            return reader.fingerprint();
        }

        @Override
        public @Nullable String changed(byte[] fingerprint) throws Exception {
            return reader.changed(fingerprint);
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
