// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.LiveReader;
import io.thalweg.api.connector.LiveSource;
import io.thalweg.api.connector.RecordBatch;
import io.thalweg.api.connector.SourceContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A source that is fed by the test that made it, in the manner of a message broker: one reader per task, splits that
 * appear while the job runs, batches of at most three records. Works with any number of threads and through
 * serialization, within one JVM. Replayable.
 *
 * @param <T> records
 */
public final class LiveTestSource<T> implements LiveSource<T> {
    private static final long serialVersionUID = 1L;

    private static final int BATCH_RECORDS = 3;

    private final Type<T> type;
    private final Duration discovery;
    private final String id;
    private transient @Nullable Broker held;

    private LiveTestSource(Type<T> type, Duration discovery, String id, @Nullable Broker held) {
        this.type = type;
        this.discovery = discovery;
        this.id = id;
        this.held = held;
    }

    /** A source of records of a class, without splits. */
    public static <T> LiveTestSource<T> of(Class<T> type) {
        Broker broker = new Broker();
        return new LiveTestSource<>(Type.of(type), Duration.ZERO, Handles.register(broker), broker);
    }

    /** Sets how often new splits are looked for. */
    public LiveTestSource<T> discoverEvery(Duration interval) {
        return new LiveTestSource<>(type, interval, id, held);
    }

    /** Appends records to a split, which is created if it does not exist. */
    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    public final LiveTestSource<T> add(String split, T... records) {
        broker().change(all -> {
            all.split(split).records.addAll(List.of(records));
            return true;
        });
        return this;
    }

    /** Ends all splits after the records that they have now. */
    public LiveTestSource<T> end() {
        broker().change(all -> {
            all.splits.values().forEach(split -> split.ended = true);
            return true;
        });
        return this;
    }

    /** Makes every fetch from now on fail. */
    public void fail(String message) {
        broker().change(all -> {
            all.failure = message;
            return true;
        });
    }

    /** Makes it fail to name its splits from now on, or no longer if the message is null. */
    public void failToList(@Nullable String message) {
        broker().change(all -> {
            all.unlisted = message;
            return true;
        });
    }

    /** Waits until it has failed to name its splits so often. */
    public void awaitUnlisted(int times) throws InterruptedException {
        broker().await(all -> all.timesUnlisted >= times, "its splits could not be listed");
    }

    /** Waits until everything before this position of the split was confirmed. */
    public void awaitConfirmed(String split, long position) throws InterruptedException {
        broker().await(all -> all.split(split).confirmed >= position, split + " is confirmed up to " + position);
    }

    /** Waits until the split is paused by backpressure. */
    public void awaitPaused(String split) throws InterruptedException {
        broker().await(all -> all.split(split).paused, split + " is paused");
    }

    /** The number of records of the split that readers have returned, including repeated ones. */
    public long fetched(String split) {
        return broker().get(all -> all.split(split).fetched);
    }

    /** How the split was passed to readers, in order: {@code add}, {@code addFound}, {@code addAt 3}. */
    public List<String> given(String split) {
        return broker().get(all -> List.copyOf(all.split(split).given));
    }

    /** The number of readers that were opened. */
    public int readers() {
        return broker().get(all -> all.readers);
    }

    @Override
    public String name() {
        return "live test";
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
        return broker().names();
    }

    @Override
    public Duration discovery() {
        return discovery;
    }

    @Override
    public LiveReader<T> open(SourceContext context) {
        Broker all = broker();
        all.change(each -> {
            each.readers++;
            return true;
        });
        return new Reader<>(all);
    }

    private Broker broker() {
        Broker known = held;
        if (known == null) {
            known = Handles.find(id, Broker.class, "a LiveTestSource of " + type);
            held = known;
        }
        return known;
    }

    /** Guarded by the broker. */
    private static final class Split {
        final List<Object> records = new ArrayList<>();
        final List<String> given = new ArrayList<>();
        boolean ended;
        boolean paused;
        long confirmed;
        long fetched;
    }

    /** The messages of the test. Any thread may call. */
    private static final class Broker {
        private static final long PATIENCE_NS = TimeUnit.MINUTES.toNanos(5);

        final Map<String, Split> splits = new TreeMap<>();
        int readers;

        @Nullable String failure;

        @Nullable String unlisted;

        int timesUnlisted;

        synchronized Split split(String name) {
            return splits.computeIfAbsent(name, unknown -> new Split());
        }

        synchronized List<String> names() {
            String message = unlisted;
            if (message != null) {
                timesUnlisted++;
                notifyAll();
                throw new ConnectorException(message);
            }
            return List.copyOf(splits.keySet());
        }

        synchronized void change(Predicate<Broker> change) {
            if (change.test(this)) {
                notifyAll();
            }
        }

        synchronized <R> R get(Function<Broker, R> what) {
            return what.apply(this);
        }

        synchronized void await(Predicate<Broker> holds, String what) throws InterruptedException {
            long left = PATIENCE_NS / TimeUnit.MILLISECONDS.toNanos(10);
            while (!holds.test(this)) {
                wait(10);
                if (left-- == 0) {
                    throw new AssertionError("waited too long until " + what);
                }
            }
        }
    }

    private static final class Reader<T> implements LiveReader<T> {
        private final Broker broker;
        private final Map<String, Integer> next = new HashMap<>();
        /** Splits whose start position the reader does not know yet. */
        private final List<String> unknown = new ArrayList<>();

        private boolean woken;
        private boolean closed;

        Reader(Broker broker) {
            this.broker = broker;
        }

        @Override
        public void add(String split) {
            begin(split, 0, "add");
        }

        @Override
        public void addFound(String split) {
            begin(split, 0, "addFound");
        }

        @Override
        public void addAt(String split, long position) {
            begin(split, (int) position, "addAt " + position);
        }

        private void begin(String split, int position, String how) {
            synchronized (broker) {
                broker.split(split).given.add(how);
                next.put(split, position);
                unknown.add(split);
            }
        }

        @Override
        public List<RecordBatch<T>> fetch(Duration atMost) throws InterruptedException {
            synchronized (broker) {
                List<RecordBatch<T>> batches = now();
                if (batches.isEmpty() && !woken && broker.failure == null) {
                    broker.wait(Math.max(1, atMost.toMillis()));
                    batches = now();
                }
                woken = false;
                if (broker.failure != null) {
                    throw new ConnectorException(broker.failure);
                }
                return batches;
            }
        }

        @SuppressWarnings("unchecked") // the broker gets only T
        private List<RecordBatch<T>> now() {
            List<RecordBatch<T>> batches = new ArrayList<>();
            for (String name : List.copyOf(next.keySet())) {
                Split split = broker.split(name);
                int from = next.getOrDefault(name, 0);
                int to = Math.min(split.records.size(), from + BATCH_RECORDS);
                boolean last = split.ended && to == split.records.size();
                if (unknown.remove(name) || ((to > from || last) && !split.paused)) {
                    batches.add(RecordBatch.of(name, from, (List<T>) split.records.subList(from, to), last));
                    split.fetched += to - from;
                    next.put(name, to);
                    if (last) {
                        next.remove(name);
                    }
                }
            }
            return batches;
        }

        @Override
        public void wakeUp() {
            synchronized (broker) {
                woken = true;
                broker.notifyAll();
            }
        }

        @Override
        public void pause(String split) {
            broker.change(all -> all.split(split).paused = true);
        }

        @Override
        public void resume(String split) {
            broker.change(all -> {
                all.split(split).paused = false;
                return true;
            });
        }

        @Override
        public void confirm(String split, long position) {
            broker.change(all -> {
                Split of = all.split(split);
                if (closed || position < of.confirmed || position > of.records.size()) {
                    all.failure = "position " + position + " of " + split + " was confirmed after " + of.confirmed;
                }
                of.confirmed = position;
                return true;
            });
        }

        @Override
        public void close() {
            synchronized (broker) {
                closed = true;
                next.keySet().forEach(split -> broker.split(split).paused = false);
            }
        }
    }
}
