// SPDX-License-Identifier: Apache-2.0
package io.thalweg.micro;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Events, by reference: made anew for each poll, or handed out again and again from a store of them.
 *
 * @param anew false for the store: no allocation, so that what is measured is the hand-over alone
 */
record EventSource(long count, boolean anew) implements Source<Event> {
    private static final int STORED = 1 << 12;

    @Override
    public String name() {
        return "events";
    }

    @Override
    public Type<Event> type() {
        return Type.of(Event.class);
    }

    @Override
    public List<String> splits(int parallelism) {
        return List.of("all");
    }

    @Override
    public SplitReader<Event> open(String split, SourceContext context) {
        return anew ? new Maker(count) : new Store(count);
    }

    /** The sum of all values. */
    static long sum(long count, boolean anew) {
        if (anew) {
            return count * (count - 1) / 2;
        }
        long rounds = count / STORED;
        long rest = count % STORED;
        return rounds * (STORED * (STORED - 1L) / 2) + rest * (rest - 1) / 2;
    }

    static final class Maker implements SplitReader<Event> {
        private final long end;
        private long next;

        Maker(long end) {
            this.end = end;
        }

        @Override
        public @Nullable Event poll() {
            return next == end ? null : new Event(next++);
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

    static final class Store implements SplitReader<Event> {
        private final Event[] events = new Event[STORED];
        private final long end;
        private long next;

        Store(long end) {
            this.end = end;
            for (int i = 0; i < STORED; i++) {
                events[i] = new Event(i);
            }
        }

        @Override
        public @Nullable Event poll() {
            return next == end ? null : events[(int) next++ & (STORED - 1)];
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
