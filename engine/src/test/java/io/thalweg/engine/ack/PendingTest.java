// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.ack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What becomes of records that fail, by a clock that the test moves. */
final class PendingTest {
    private static final long TIMEOUT_NS = 60_000_000_000L;
    private static final long[] NO_TIMES = {};

    private final Pending pending = new Pending(0, 100, TIMEOUT_NS, 0, () -> {});
    private final List<Pending.Entry> done = new ArrayList<>();
    private long nowNs = 5;
    private long ids = 1;

    private final Pending.Listener listener = new Pending.Listener() {
        @Override
        public void done(Pending.Entry record) {
            done.add(record);
        }

        @Override
        public void failed() {}

        @Override
        public void timedOut() {}

        @Override
        public void givenUp(Pending.Entry record, String operator, String reason) {}
    };

    private long send(Pending.Entry record) {
        return pending.send(record, ids++);
    }

    private Pending.Entry record(String value, long position) {
        return new Pending.Entry(value, 0, position, NO_TIMES, 0, 1, nowNs, nowNs);
    }

    /** Fails it, and gives what it waits before it is sent again, by looking each millisecond. */
    private Pending.Entry failed(long root) {
        pending.fail(root, "picky", "no");
        pending.look(nowNs, listener);
        long untilNs = pending.nextTimeoutNs();
        assertThat(pending.again(untilNs - 1)).isNull();
        nowNs = untilNs;
        return Objects.requireNonNull(pending.again(nowNs)).again(nowNs);
    }

    @Test
    void shouldWaitTwiceAsLongAfterEachFailure_upToABound() {
        Pending.Entry record = record("poison", 0);
        List<Long> waitsMs = new ArrayList<>();
        for (int failure = 1; failure <= 15; failure++) {
            long beganNs = nowNs;
            record = failed(send(record));
            waitsMs.add((nowNs - beganNs) / 1_000_000);
        }
        assertThat(waitsMs)
                .containsExactly(
                        10L, 20L, 40L, 80L, 160L, 320L, 640L, 1_280L, 2_560L, 5_120L, 10_240L, 20_480L, 30_000L,
                        30_000L, 30_000L);
        assertThat(record.times()).isEqualTo(16);
    }

    @Test
    void shouldLetOthersPassWhileOneWaits() {
        long poison = send(record("poison", 0));
        pending.fail(poison, "picky", "no");
        pending.look(nowNs, listener);
        for (int n = 1; n <= 500; n++) { // more than may be pending at a time
            assertThat(pending.room()).isPositive();
            long id = ids;
            pending.report(send(record("good " + n, n)), id, listener);
        }
        assertThat(done).hasSize(500);
        assertThat(pending.open()).isEqualTo(1);
        assertThat(Objects.requireNonNull(pending.oldest(0)).value())
                .as("what a checkpoint goes back to")
                .isEqualTo("poison");
    }

    @Test
    void shouldSendWhatTookTooLongAgainAtOnce() {
        send(record("slow", 0));
        pending.look(nowNs + TIMEOUT_NS, listener);
        assertThat(pending.again(nowNs + TIMEOUT_NS)).isNotNull();
    }

    /** A record that is on its way, as the test knows it. */
    private static final class Way {
        final Pending.Entry record;
        final Set<Long> ids = new HashSet<>();

        Way(Pending.Entry record, long id) {
            this.record = record;
            ids.add(id);
        }
    }

    /** Records that branch, are done in any order, fail and take too long, compared with sets of the ids that are open. */
    @Test
    void shouldKnowWhatIsOpen_whateverBecomesOfRecords() {
        long first = Long.getLong("thalweg.seed", new Random().nextLong());
        for (int round = 0; round < 100; round++) {
            long seed = first + round;
            try {
                compare(new Random(seed));
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }

    private void compare(Random random) {
        Pending all = new Pending(3, 40, TIMEOUT_NS, 0, () -> {});
        done.clear();
        Map<Long, Way> ways = new TreeMap<>();
        List<Pending.Entry> waiting = new ArrayList<>();
        Set<Pending.Entry> expected = Collections.newSetFromMap(new IdentityHashMap<>());
        long position = 0;
        for (int step = 0; step < 400; step++) {
            nowNs += random.nextInt(1_000_000);
            List<Long> roots = List.copyOf(ways.keySet());
            int what = random.nextInt(10);
            if (what < 4 && all.room() > 0) {
                Pending.Entry record =
                        new Pending.Entry("r", random.nextInt(3), position, NO_TIMES, position++, 1, nowNs, nowNs);
                ways.put(all.send(record, ids), new Way(record, ids++));
            } else if (what < 8 && !roots.isEmpty()) { // one of its records is done, and some came of it
                long root = roots.get(random.nextInt(roots.size()));
                Way way = ways.get(root);
                long id = List.copyOf(way.ids).get(random.nextInt(way.ids.size()));
                long changed = id;
                way.ids.remove(id);
                for (int more = random.nextInt(3) - 1; more > 0; more--) {
                    way.ids.add(ids);
                    changed ^= ids++;
                }
                if (way.ids.isEmpty()) {
                    ways.remove(root);
                    expected.add(way.record);
                }
                all.report(root, changed, listener);
            } else if (what == 8 && !roots.isEmpty()) {
                long root = roots.get(random.nextInt(roots.size()));
                all.fail(root, "picky", "no");
                all.look(nowNs, listener);
                waiting.add(ways.remove(root).record);
                ways.values().removeIf(way -> nowNs - way.record.sentNs() >= TIMEOUT_NS && waiting.add(way.record));
                all.report(root, 1, listener); // what still comes of it counts for nothing
            } else {
                nowNs += random.nextInt(60) * 1_000_000_000L;
                all.look(nowNs, listener);
                ways.values().removeIf(way -> nowNs - way.record.sentNs() >= TIMEOUT_NS && waiting.add(way.record));
                for (Pending.Entry next = all.again(nowNs); next != null; next = all.again(nowNs)) {
                    assertThat(waiting.remove(next)).isTrue();
                    Pending.Entry again = next.again(nowNs);
                    ways.put(all.send(again, ids), new Way(again, ids++));
                }
            }
            List<Pending.Entry> open = new ArrayList<>(waiting);
            ways.values().forEach(way -> open.add(way.record));
            assertThat(all.open()).isEqualTo(open.size());
            assertThat(all.reached())
                    .isEqualTo(open.stream()
                            .mapToLong(Pending.Entry::reached)
                            .min()
                            .orElse(Long.MAX_VALUE));
            for (int split = 0; split < 3; split++) {
                int of = split;
                Pending.Entry oldest = all.oldest(split);
                assertThat(oldest == null ? -1 : oldest.position())
                        .isEqualTo(open.stream()
                                .filter(each -> each.split() == of)
                                .mapToLong(Pending.Entry::position)
                                .min()
                                .orElse(-1));
            }
            assertThat(done).allMatch(expected::contains).hasSameSizeAs(expected);
        }
    }
}
