// SPDX-License-Identifier: Apache-2.0
package io.thalweg.micro;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Bids in the order of their event times, a thousand in each millisecond; the keys come in turns, or without a pattern. */
record BidSource(long count, int keys, boolean inTurns) implements Source<BidSource.Bid> {
    private static final int EACH_MS = 1_000;

    record Bid(long timeMs, long key, long number) {}

    @Override
    public String name() {
        return "bids";
    }

    @Override
    public Type<Bid> type() {
        return Type.of(Bid.class);
    }

    @Override
    public List<String> splits(int parallelism) {
        return List.of("all");
    }

    @Override
    public SplitReader<Bid> open(String split, SourceContext context) {
        return new Reader(count, keys, inTurns);
    }

    static Bid bid(long number, int keys, boolean inTurns) {
        long z = (number + 1) * 0x9E3779B97F4A7C15L; // mixed as SplittableRandom mixes
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        long spread = (z ^ (z >>> 27)) >>> 32;
        return new Bid(number / EACH_MS, inTurns ? number % keys : (spread * keys) >>> 32, number);
    }

    static final class Reader implements SplitReader<Bid> {
        private final long end;
        private final int keys;
        private final boolean inTurns;
        private long next;

        Reader(long end, int keys, boolean inTurns) {
            this.end = end;
            this.keys = keys;
            this.inTurns = inTurns;
        }

        @Override
        public @Nullable Bid poll() {
            return next == end ? null : bid(next++, keys, inTurns);
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
