// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A source that is fed by the test that made it, record by record, until the test ends it. Works with any number of
 * threads and through serialization, within one JVM. Replayable.
 *
 * <pre>{@code
 * TestSource<String> lines = TestSource.of(String.class);
 * CollectSink<String> errors = CollectSink.of(String.class);
 * topology.from(lines).filter(line -> line.contains("ERROR")).to(errors);
 * lines.add("ok", "ERROR").end();
 * }</pre>
 *
 * @param <T> records
 */
public final class TestSource<T> implements Source<T> {
    private static final long serialVersionUID = 1L;

    private final Type<T> type;
    private final int splits;
    private final String id;
    private transient @Nullable Feed held;

    private TestSource(Type<T> type, int splits) {
        this.type = type;
        this.splits = splits;
        held = new Feed(splits);
        id = Handles.register(held);
    }

    /** A source of records of a class, with one split. */
    public static <T> TestSource<T> of(Class<T> type) {
        return of(Type.of(type));
    }

    /** A source of records of a generic type, with one split. */
    public static <T> TestSource<T> of(Type<T> type) {
        return of(type, 1);
    }

    /** A source with splits numbered from 0, each of which has a watermark of its own. */
    public static <T> TestSource<T> of(Type<T> type, int splits) {
        if (splits < 1) {
            throw new IllegalArgumentException("a test source needs a split, not " + splits);
        }
        return new TestSource<>(type, splits);
    }

    /** Appends records to split 0. */
    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    public final TestSource<T> add(T... records) {
        return addTo(0, List.of(records));
    }

    /** Appends records to a split. */
    public TestSource<T> addTo(int split, List<T> records) {
        feed().add(split, records);
        return this;
    }

    /** Ends all splits after the records that they have now. */
    public TestSource<T> end() {
        for (int split = 0; split < splits; split++) {
            end(split);
        }
        return this;
    }

    /** Ends one split after the records that it has now. */
    public TestSource<T> end(int split) {
        feed().end(split);
        return this;
    }

    /** True until all splits were ended and read. */
    boolean hasMore() {
        return feed().hasMore();
    }

    /** True if records wait that a task is to read: none that has closed its split, as behind a limit that is reached. */
    boolean waits() {
        return feed().waits();
    }

    /** The number of records that were added and not yet read. */
    long unread() {
        return feed().unread();
    }

    @Override
    public String name() {
        return "test";
    }

    @Override
    public Type<T> type() {
        return type;
    }

    @Override
    public boolean replayable() {
        return true;
    }

    @Override
    public List<String> splits(int parallelism) {
        return IntStream.range(0, splits).mapToObj(Integer::toString).toList();
    }

    @Override
    public SplitReader<T> open(String split, SourceContext context) {
        Feed from = feed();
        int number = Integer.parseInt(split);
        from.open(number, true);
        return new Reader<>(from, number);
    }

    private Feed feed() {
        Feed known = held;
        if (known == null) {
            known = Handles.find(id, Feed.class, "a TestSource of " + type);
            held = known;
        }
        return known;
    }

    private static final class Reader<T> implements SplitReader<T> {
        private final Feed feed;
        private final int split;
        private int next;

        Reader(Feed feed, int split) {
            this.feed = feed;
            this.split = split;
        }

        @Override
        @SuppressWarnings("unchecked") // the feed gets only T
        public @Nullable T poll() {
            Object record = feed.get(split, next);
            if (record != null) {
                next++;
            }
            return (T) record;
        }

        @Override
        public boolean finished() {
            return feed.endsAt(split, next);
        }

        @Override
        public long position() {
            return next;
        }

        @Override
        public void seek(long position) {
            next = Math.toIntExact(position);
        }

        @Override
        public long recordOffset() {
            return next - 1L;
        }

        @Override
        public void close() {
            feed.open(split, false);
        }
    }

    /** The records of all splits. Any thread may call. */
    private static final class Feed {
        private final List<List<Object>> records = new ArrayList<>();
        private final boolean[] ended;
        private final int[] read;
        private final boolean[] closed;

        Feed(int splits) {
            ended = new boolean[splits];
            read = new int[splits];
            closed = new boolean[splits];
            IntStream.range(0, splits).forEach(split -> records.add(new ArrayList<>()));
        }

        synchronized void add(int split, List<?> more) {
            if (ended[split]) {
                throw new IllegalStateException("split " + split + " of the test source was ended before");
            }
            records.get(split).addAll(more);
        }

        synchronized void end(int split) {
            ended[split] = true;
        }

        synchronized @Nullable Object get(int split, int index) {
            if (index >= records.get(split).size()) {
                return null;
            }
            read[split] = Math.max(read[split], index + 1);
            return records.get(split).get(index);
        }

        synchronized boolean endsAt(int split, int index) {
            return ended[split] && index >= records.get(split).size();
        }

        synchronized long unread() {
            return IntStream.range(0, ended.length)
                    .map(split -> records.get(split).size() - read[split])
                    .sum();
        }

        synchronized void open(int split, boolean now) {
            closed[split] = !now;
        }

        synchronized boolean waits() {
            return IntStream.range(0, closed.length)
                    .anyMatch(split ->
                            !closed[split] && read[split] < records.get(split).size());
        }

        synchronized boolean hasMore() {
            return IntStream.range(0, ended.length).anyMatch(split -> !ended[split]) || unread() > 0;
        }
    }
}
