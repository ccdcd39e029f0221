// SPDX-License-Identifier: Apache-2.0
package io.thalweg.micro;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Events in order of time, {@link #PER_MS} of them in a millisecond, over {@link #KEYS} keys by turns drawn at random. */
record MeasuredSource(long count) implements Source<Measured> {
    static final int KEYS = 10_000;
    static final int PER_MS = 500;

    @Override
    public String name() {
        return "measured";
    }

    @Override
    public Type<Measured> type() {
        return Type.of(Measured.class);
    }

    @Override
    public List<String> splits(int parallelism) {
        return List.of("all");
    }

    @Override
    public SplitReader<Measured> open(String split, SourceContext context) {
        return new Reader(count);
    }

    static final class Reader implements SplitReader<Measured> {
        private final long end;
        private long next;
        private long random = 0x9E3779B97F4A7C15L;

        Reader(long end) {
            this.end = end;
        }

        @Override
        public @Nullable Measured poll() {
            if (next == end) {
                return null;
            }
            random ^= random << 13;
            random ^= random >>> 7;
            random ^= random << 17;
            long x = random;
            int key = (int) (((x >>> 33) * KEYS) >>> 31);
            return new Measured(
                    next++ / PER_MS,
                    key % 10,
                    key / 10 % 10,
                    key / 100 % 10,
                    key / 1_000,
                    key & 7,
                    key ^ 0x5555,
                    x & 0xffff,
                    (x >>> 16) & 0xfff,
                    (x >>> 28) & 0xff,
                    1);
        }

        @Override
        public boolean finished() {
            return next == end;
        }

        @Override
        public long position() {
            return next;
        }
    }
}
