// SPDX-License-Identifier: Apache-2.0
package io.thalweg.micro;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Sales in order of time, {@link #PER_MS} of them in a millisecond, of {@link #GROUPS} groups drawn at random. A text is the
 * same object each time, as a decoder gives it that remembers texts.
 */
record SaleSource(long count) implements Source<Sale> {
    static final int SHOPS = 250;
    static final int ITEMS = 340;
    static final int GROUPS = SHOPS * ITEMS;
    static final int PER_MS = 500;

    @Override
    public String name() {
        return "sales";
    }

    @Override
    public Type<Sale> type() {
        return Type.of(Sale.class);
    }

    @Override
    public List<String> splits(int parallelism) {
        return List.of("all");
    }

    @Override
    public SplitReader<Sale> open(String split, SourceContext context) {
        return new Reader(count);
    }

    static final class Reader implements SplitReader<Sale> {
        private final String[] shops = texts("shop", SHOPS);
        private final String[] items = texts("item", ITEMS);
        private final long end;
        private long next;
        private long random = 0x9E3779B97F4A7C15L;

        Reader(long end) {
            this.end = end;
        }

        private static String[] texts(String of, int count) {
            return IntStream.range(0, count)
                    .mapToObj(number -> of + "-" + (100_000 + number))
                    .toArray(String[]::new);
        }

        @Override
        public @Nullable Sale poll() {
            if (next == end) {
                return null;
            }
            random ^= random << 13;
            random ^= random >>> 7;
            random ^= random << 17;
            long x = random;
            int group = group();
            return new Sale(
                    next++ / PER_MS,
                    shops[group % SHOPS],
                    items[group / SHOPS],
                    (x & 0xf_ffff) / 64.0,
                    (x >>> 20) & 0xff);
        }

        /** Of the sale polled last. */
        int group() {
            return (int) (((random >>> 33) * GROUPS) >>> 31);
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
