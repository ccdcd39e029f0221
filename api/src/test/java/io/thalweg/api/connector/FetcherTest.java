// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.Type;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a fetcher fetches, and when it does not. */
@Timeout(60)
final class FetcherTest {
    private static final class Broken implements LiveSource<String> {
        @Override
        public String name() {
            return "broken";
        }

        @Override
        public Type<String> type() {
            return Type.of(String.class);
        }

        @Override
        public List<String> splits(int parallelism) {
            return List.of();
        }

        @Override
        public LiveReader<String> open(SourceContext context) {
            throw new ConnectorException("no broker at host:1");
        }
    }

    @Test
    void shouldSayThatTheReaderFailed_alsoWithoutSplits() throws Exception {
        CountDownLatch woken = new CountDownLatch(1);
        SourceContext context = new SourceContext() {
            @Override
            public void bad(BadRecord record) {}

            @Override
            public long nowNs() {
                return 0;
            }

            @Override
            public void wakeUp() {
                woken.countDown();
            }
        };
        try (Fetcher<String> fetcher =
                new Fetcher<>("test", new Broken(), new Fetcher.Share(List.of(), 0, 1, false), context)) {
            assertThat(woken.await(1, TimeUnit.MINUTES)).isTrue();
            assertThatThrownBy(fetcher::found)
                    .isInstanceOf(ConnectorException.class)
                    .hasMessage("no broker at host:1");
        }
    }

    /** Lists what the test says, and has no records. */
    private static final class Growing implements LiveSource<String> {
        private final transient Set<String> splits = ConcurrentHashMap.newKeySet();

        /** So often it does not say yet whose a split is. */
        private final transient AtomicInteger refusals = new AtomicInteger();

        /** Three times: what the second look has found is known then. */
        private final transient CountDownLatch looks = new CountDownLatch(3);

        @Override
        public String name() {
            return "growing";
        }

        @Override
        public Type<String> type() {
            return Type.of(String.class);
        }

        @Override
        public List<String> splits(int parallelism) {
            looks.countDown();
            return List.copyOf(splits);
        }

        @Override
        public int spread(String split) {
            if (refusals.getAndDecrement() > 0) {
                throw new ConnectorException("it has no number yet");
            }
            return 0;
        }

        @Override
        public Duration discovery() {
            return Duration.ofNanos(1);
        }

        @Override
        public LiveReader<String> open(SourceContext context) {
            return new Stepped(Long.MAX_VALUE);
        }
    }

    /** Time goes on whenever it is asked for. */
    private static SourceContext ticking(Runnable wakeUp) {
        AtomicLong ticks = new AtomicLong();
        return new SourceContext() {
            @Override
            public void bad(BadRecord record) {}

            @Override
            public long nowNs() {
                return ticks.incrementAndGet();
            }

            @Override
            public void wakeUp() {
                wakeUp.run();
            }
        };
    }

    /** Nobody would ever read them. */
    @Test
    void shouldFindSplitsLater_ifTheSourceFailsWhileTheyAreLookedAt() throws Exception {
        Growing source = new Growing();
        source.refusals.set(1);
        source.splits.addAll(List.of("a", "b"));
        try (Fetcher<String> fetcher =
                new Fetcher<>("test", source, new Fetcher.Share(List.of(), 0, 1, false), ticking(() -> {}))) {
            assertThat(source.looks.await(1, TimeUnit.MINUTES)).isTrue();

            assertThat(fetcher.found()).containsExactlyInAnyOrder("a", "b");
        }
    }

    /** A task that is still going through the answer would open it, and open it again with the next answer. */
    @Test
    void shouldFindASplitOnce_ifItAppearsRightAfterTheTaskAsked() throws Exception {
        Growing source = new Growing();
        CountDownLatch woken = new CountDownLatch(1);
        try (Fetcher<String> fetcher =
                new Fetcher<>("test", source, new Fetcher.Share(List.of(), 0, 1, false), ticking(woken::countDown))) {
            List<String> before = fetcher.found();
            source.splits.add("a");
            assertThat(woken.await(1, TimeUnit.MINUTES)).isTrue();

            assertThat(before).isEmpty();
            assertThat(fetcher.found()).containsExactly("a");
            assertThat(fetcher.found()).isEmpty();
        }
    }

    /** Hands over what the test says, one step after the other. */
    private static final class Stepped implements LiveSource<String>, LiveReader<String> {
        private static final long serialVersionUID = 1L;

        private final long readAheadBytes;
        private final transient SynchronousQueue<List<RecordBatch<String>>> handed = new SynchronousQueue<>();
        private final transient Semaphore asked = new Semaphore(0);
        private final transient Set<String> paused = ConcurrentHashMap.newKeySet();
        private transient volatile boolean closing;

        Stepped(long readAheadBytes) {
            this.readAheadBytes = readAheadBytes;
        }

        @Override
        public String name() {
            return "stepped";
        }

        @Override
        public Type<String> type() {
            return Type.of(String.class);
        }

        @Override
        public List<String> splits(int parallelism) {
            return List.of();
        }

        @Override
        public long readAheadBytes() {
            return readAheadBytes;
        }

        @Override
        public LiveReader<String> open(SourceContext context) {
            return this;
        }

        @Override
        public void add(String split) {}

        @Override
        public List<RecordBatch<String>> fetch(Duration atMost) throws InterruptedException {
            asked.release();
            return handed.take();
        }

        /** Until this returns, the fetcher has taken these, and done what the task wanted before. */
        @SafeVarargs
        @SuppressWarnings("varargs") // only read
        final void step(RecordBatch<String>... batches) throws InterruptedException {
            asked.acquire();
            handed.put(List.of(batches));
            asked.acquire();
            asked.release();
        }

        @Override
        public void wakeUp() {
            if (closing) {
                try {
                    handed.put(List.of());
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        @Override
        public void pause(String split) {
            assertThat(paused.add(split)).as("paused once").isTrue();
        }

        @Override
        public void resume(String split) {
            assertThat(paused.remove(split)).as("paused before").isTrue();
        }
    }

    /** One record, which needs so much memory. */
    private static final class Sized implements RecordBatch<String> {
        private final String split;
        private final long bytes;
        private boolean read;

        Sized(String split, long bytes) {
            this.split = split;
            this.bytes = bytes;
        }

        @Override
        public String split() {
            return split;
        }

        @Override
        public @Nullable String next() {
            if (read) {
                return null;
            }
            read = true;
            return split;
        }

        @Override
        public long position() {
            return read ? 1 : 0;
        }

        @Override
        public long bytes() {
            return bytes;
        }
    }

    private static final SourceContext CONTEXT = new SourceContext() {
        @Override
        public void bad(BadRecord record) {}

        @Override
        public long nowNs() {
            return 0;
        }
    };

    /** All that waits of a split. */
    private static int readAll(SplitReader<String> split) throws Exception {
        int records = 0;
        for (int nothing = 0; nothing < 2; ) { // the first batch is only looked at
            if (split.poll() == null) {
                nothing++;
            } else {
                records++;
            }
        }
        return records;
    }

    private static Map<String, SplitReader<String>> begin(Fetcher<String> fetcher, String... splits) {
        Map<String, SplitReader<String>> all = new TreeMap<>();
        for (String split : splits) {
            all.put(split, fetcher.read(split, null, reader -> reader.add(split)));
        }
        return all;
    }

    /** A job that is restored a second time would read on in another input without a word. */
    @Test
    void shouldSaveTheFingerprintThatItWasGiven_untilItHasRead() throws Exception {
        SplitReader<String> reader = new Growing().open("a", CONTEXT);
        try {
            reader.changed(new byte[] {7});
            reader.seek(5);

            SavedPosition again = SavedPosition.of(reader);
            assertThat(again.position()).isEqualTo(5);
            assertThat(again.fingerprint()).containsExactly(7);
        } finally {
            reader.close();
        }
    }

    @Test
    void shouldPauseSplitsOfWhichItHoldsSomething_untilHalfOfTheBytesAreRead() throws Exception {
        Stepped stepped = new Stepped(100);
        try (Fetcher<String> fetcher = new Fetcher<>("test", stepped, null, CONTEXT)) {
            Map<String, SplitReader<String>> all = begin(fetcher, "a", "b", "c");
            stepped.step();
            stepped.step(new Sized("a", 60));
            assertThat(stepped.paused).isEmpty();
            stepped.step(new Sized("b", 40));
            assertThat(stepped.paused).as("c has brought nothing yet").containsExactlyInAnyOrder("a", "b");
            stepped.step(new Sized("c", 30));
            assertThat(stepped.paused).containsExactlyInAnyOrder("a", "b", "c");

            assertThat(readAll(all.get("a"))).isEqualTo(1);
            stepped.step();
            assertThat(stepped.paused).as("70 bytes are held").containsExactlyInAnyOrder("b", "c");
            assertThat(readAll(all.get("c"))).isEqualTo(1);
            stepped.step();
            assertThat(stepped.paused).as("40 bytes are held").isEmpty();
            stepped.closing = true;
        }
    }

    /** It would go on while it counts as paused: nothing would pause it then, whatever it brings. */
    @Test
    void shouldNotResumeASplitThatWasPausedAgain_sinceTheTaskAsked() throws Exception {
        Stepped stepped = new Stepped(100);
        try (Fetcher<String> fetcher = new Fetcher<>("test", stepped, null, CONTEXT)) {
            Map<String, SplitReader<String>> all = begin(fetcher, "a", "b", "c");
            stepped.step();
            stepped.step(new Sized("a", 60));
            stepped.step(new Sized("b", 40));
            assertThat(stepped.paused).containsExactlyInAnyOrder("a", "b");

            assertThat(readAll(all.get("a")))
                    .isEqualTo(1); // both may go on, which the reader hears after the next batch
            stepped.step(new Sized("c", 100));

            assertThat(stepped.paused).as("140 bytes are held").containsExactlyInAnyOrder("b", "c");
            assertThat(readAll(all.get("c"))).isEqualTo(1);
            stepped.step();
            assertThat(stepped.paused).as("40 bytes are held").isEmpty();
            stepped.closing = true;
        }
    }

    @Test
    void shouldCountABatchUntilItsLastRecordWasRead() throws Exception {
        Stepped stepped = new Stepped(10);
        try (Fetcher<String> fetcher = new Fetcher<>("test", stepped, null, CONTEXT)) {
            SplitReader<String> split = begin(fetcher, "a").get("a");
            stepped.step(new Sized("a", 10));
            assertThat(split.poll()).isNull();
            assertThat(split.poll()).isEqualTo("a");
            stepped.step();
            assertThat(stepped.paused).containsExactly("a");
            assertThat(split.poll()).isNull();
            stepped.step();
            assertThat(stepped.paused).isEmpty();
            stepped.closing = true;
        }
    }

    /** Splits that are not paused bring batches of any size, and the task reads in any order. */
    @Test
    void shouldHoldNoMoreThanTheLimitAndABatchOfEachSplit_andStarveNone() throws Exception {
        for (long seed = 0; seed < 40; seed++) {
            Random random = new Random(seed);
            Stepped stepped = new Stepped(1 + random.nextInt(300));
            String[] names = {"a", "b", "c", "d", "e"};
            Map<String, Long> held = new TreeMap<>();
            long largest = 0;
            try (Fetcher<String> fetcher = new Fetcher<>("test", stepped, null, CONTEXT)) {
                Map<String, SplitReader<String>> all = begin(fetcher, names);
                stepped.step();
                for (int i = 0; i < 60; i++) {
                    String split = names[random.nextInt(names.length)];
                    if (random.nextBoolean()) {
                        readAll(all.get(split));
                        held.remove(split);
                        stepped.step();
                    } else if (!stepped.paused.contains(split)) {
                        long bytes = random.nextInt(100);
                        largest = Math.max(largest, bytes);
                        held.merge(split, bytes, Long::sum);
                        stepped.step(new Sized(split, bytes));
                    }
                    assertThat(held.values().stream().mapToLong(each -> each).sum())
                            .as("seed %d", seed)
                            .isLessThanOrEqualTo(stepped.readAheadBytes + names.length * largest);
                    assertThat(stepped.paused).as("seed %d", seed).isSubsetOf(held.keySet());
                }
                stepped.closing = true;
            }
        }
    }
}
