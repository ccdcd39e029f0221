// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.topology.IntervalJoinedStreams;
import io.thalweg.api.topology.KeyedJoin;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.CoGroup;
import io.thalweg.api.window.Windows;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.Job;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.RunSettings;
import java.io.Serializable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Joins of two streams in jobs that go on from a checkpoint with another number of tasks. */
@Timeout(300)
final class JoinRestoreTest {
    private static final long CALLS = 2_000;
    private static final long BILLS = 1_500;
    private static final long KEYS = 37;

    private static final long LOWER = -60;
    private static final long UPPER = 25;
    private static final long SIZE = 200;
    private static final long STEP = 50;
    private static final long GAP = 20;

    @TempDir
    Path folder;

    /** Records come in another order than their times have, but by less than the sources allow. */
    record Call(long number, long user, long at) implements Serializable {
        static Call of(long i) {
            return new Call(i, i % KEYS, i + i % 3 * 5);
        }
    }

    record Bill(long number, long user, long at) implements Serializable {
        static Bill of(long i) {
            return new Bill(i, i * 11 % KEYS, i * 4 / 3 - i % 2 * 7);
        }
    }

    private static void define(Topology topology, CollectSink<String> sink) {
        Stream<Call> calls = topology.from(Sources.generate(CALLS, Call::of).splitInto(3))
                .name("calls")
                .eventTime(Call::at, Duration.ofMillis(20));
        Stream<Bill> bills = topology.from(Sources.generate(BILLS, Bill::of).splitInto(2))
                .name("bills")
                .eventTime(Bill::at, Duration.ofMillis(20));
        KeyedJoin<Long, Call, Bill> join = calls.join(bills).where(Call::user).equalTo(Bill::user);
        Stream<String> near = join.between(Duration.ofMillis(LOWER), Duration.ofMillis(UPPER))
                .full((call, bill) -> "near " + pair(call, bill))
                .name("near");
        Stream<String> sliding = join.window(Windows.sliding(Duration.ofMillis(SIZE), Duration.ofMillis(STEP)))
                .left((call, bill) -> "sliding " + pair(call, bill))
                .name("sliding");
        Stream<String> sessions = join.window(Windows.session(Duration.ofMillis(GAP)))
                .coGroup(group -> List.of(session(group)))
                .as(String.class)
                .name("sessions");
        near.union(List.of(sliding, sessions)).to(sink).parallelism(1);
    }

    private static String pair(@Nullable Call call, @Nullable Bill bill) {
        return (call == null ? "-" : call.number()) + " " + (bill == null ? "-" : bill.number());
    }

    private static String session(CoGroup<Long, Call, Bill> group) {
        return "session of " + group.key() + " from " + group.start() + " to " + group.end() + ": "
                + group.left().stream().map(Call::number).sorted().toList() + " "
                + group.right().stream().map(Bill::number).sorted().toList();
    }

    private static List<String> expected() {
        List<String> expected = new ArrayList<>();
        for (long user = 0; user < KEYS; user++) {
            long key = user;
            List<Call> calls = LongStream.range(0, CALLS)
                    .mapToObj(Call::of)
                    .filter(call -> call.user() == key)
                    .toList();
            List<Bill> bills = LongStream.range(0, BILLS)
                    .mapToObj(Bill::of)
                    .filter(bill -> bill.user() == key)
                    .toList();
            near(calls, bills, expected);
            sliding(calls, bills, expected);
            sessions(key, calls, bills, expected);
        }
        return expected;
    }

    private static void near(List<Call> calls, List<Bill> bills, List<String> expected) {
        for (Call call : calls) {
            List<Bill> partners =
                    bills.stream().filter(bill -> areNear(call, bill)).toList();
            partners.forEach(bill -> expected.add("near " + pair(call, bill)));
            if (partners.isEmpty()) {
                expected.add("near " + pair(call, null));
            }
        }
        bills.stream()
                .filter(bill -> calls.stream().noneMatch(call -> areNear(call, bill)))
                .forEach(bill -> expected.add("near " + pair(null, bill)));
    }

    private static boolean areNear(Call call, Bill bill) {
        long later = bill.at() - call.at();
        return LOWER <= later && later <= UPPER;
    }

    private static void sliding(List<Call> calls, List<Bill> bills, List<String> expected) {
        for (long start = -SIZE - STEP; start < 2 * CALLS; start += STEP) {
            long from = start;
            List<Bill> partners = bills.stream()
                    .filter(bill -> from <= bill.at() && bill.at() < from + SIZE)
                    .toList();
            for (Call call : calls) {
                if (from <= call.at() && call.at() < from + SIZE) {
                    partners.forEach(bill -> expected.add("sliding " + pair(call, bill)));
                    if (partners.isEmpty()) {
                        expected.add("sliding " + pair(call, null));
                    }
                }
            }
        }
    }

    private static void sessions(long key, List<Call> calls, List<Bill> bills, List<String> expected) {
        List<Object> all = new ArrayList<>(calls);
        all.addAll(bills);
        all.sort(Comparator.comparingLong(JoinRestoreTest::at));
        List<Call> left = new ArrayList<>();
        List<Bill> right = new ArrayList<>();
        long start = at(all.get(0));
        for (int i = 0; i < all.size(); i++) {
            Object each = all.get(i);
            if (each instanceof Call call) {
                left.add(call);
            } else {
                right.add((Bill) each);
            }
            if (i + 1 == all.size() || at(all.get(i + 1)) > at(each) + GAP) {
                expected.add(session(new CoGroup<>(key, start, at(each) + GAP, left, right)));
                left.clear();
                right.clear();
                start = i + 1 == all.size() ? start : at(all.get(i + 1));
            }
        }
    }

    private static long at(Object either) {
        return either instanceof Call call ? call.at() : ((Bill) either).at();
    }

    /** Stopped, then killed on the way, and each time started with another number of tasks. */
    @ParameterizedTest
    @ValueSource(strings = {"1 2 4", "4 2 1", "2 3 1", "3 1 4"})
    void shouldComeToTheSame_withMoreTasksOrFewer(String parallelisms) throws Exception {
        String[] each = parallelisms.split(" ");
        CollectSink<String> sink = CollectSink.of(String.class);
        for (int run = 0; run < each.length; run++) {
            boolean last = run == each.length - 1;
            sink = CollectSink.of(String.class);
            Topology topology = Topology.named("joins");
            define(topology, sink);
            Job job = new EmbeddedRunner(settings(Integer.parseInt(each[run]))).start(topology.graph());
            for (int step = 0; !last && step < 40; step++) {
                if (step == 20) {
                    job.checkpoint();
                }
                job.step();
            }
            if (!last && run == 0) {
                job.cancel();
            } else if (!last) {
                job.kill();
            }
            while (job.step()) {
                // to the end
            }
            assertThat(job.stats().state())
                    .isEqualTo(last ? JobState.FINISHED : run == 0 ? JobState.CANCELLED : JobState.FAILED);
        }
        assertThat(sink.records().stream().sorted().toList())
                .isEqualTo(expected().stream().sorted().toList());
    }

    /** An inner join keeps records without knowing whether they had a partner. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldRefuseRecordsThatWaitInAJoinOfAnotherKind(boolean outerFirst) throws Exception {
        runOn(calls -> outerFirst ? calls.left(JoinRestoreTest::pair) : calls.inner(JoinRestoreTest::pair), 30);

        assertThatThrownBy(() -> runOn(
                        calls -> outerFirst ? calls.inner(JoinRestoreTest::pair) : calls.left(JoinRestoreTest::pair),
                        Integer.MAX_VALUE))
                .message()
                .contains(
                        "state 'state left",
                        "' of operator 'near': the operator does not declare it any more; it declares [left")
                .contains("--discard-state 'near'")
                .doesNotContain("\n");
    }

    /** Records that were dropped would be missing in wider bounds. */
    @Test
    void shouldRefuseRecordsThatWaitInAJoinOfOtherBounds() throws Exception {
        run(
                calls -> calls.between(Duration.ofMillis(LOWER), Duration.ofMillis(UPPER))
                        .inner(JoinRestoreTest::pair),
                30);

        assertThatThrownBy(() -> run(
                        calls -> calls.between(Duration.ofMillis(LOWER), Duration.ofMillis(UPPER + 1_000))
                                .inner(JoinRestoreTest::pair),
                        Integer.MAX_VALUE))
                .message()
                .contains("of operator 'near': the operator does not declare it any more")
                .contains("left, for right " + Duration.ofMillis(LOWER) + " to " + Duration.ofMillis(UPPER)
                        + " from left'")
                .contains("left, for right " + Duration.ofMillis(LOWER) + " to " + Duration.ofMillis(UPPER + 1_000)
                        + " from left")
                .contains("--discard-state 'near'");
    }

    @Test
    void shouldRefuseRecordsThatWaitInAJoinOfOtherWindows() throws Exception {
        run(calls -> calls.window(Windows.tumbling(Duration.ofHours(1))).inner(JoinRestoreTest::pair), 30);

        assertThatThrownBy(() -> run(
                        calls -> calls.window(Windows.tumbling(Duration.ofHours(2)))
                                .inner(JoinRestoreTest::pair),
                        Integer.MAX_VALUE))
                .message()
                .contains("of operator 'near': the operator does not declare it any more")
                .contains("left, in tumbling 3600000 ms'")
                .contains("left, in tumbling 7200000 ms")
                .contains("--discard-state 'near'");
    }

    private void runOn(Function<IntervalJoinedStreams<Call, Bill>, Stream<String>> kind, int steps) throws Exception {
        run(calls -> kind.apply(calls.between(Duration.ofMillis(LOWER), Duration.ofMillis(UPPER))), steps);
    }

    private void run(Function<KeyedJoin<Long, Call, Bill>, Stream<String>> kind, int steps) throws Exception {
        Topology topology = Topology.named("joins");
        Stream<Call> calls = topology.from(Sources.generate(CALLS, Call::of))
                .name("calls")
                .eventTime(Call::at, Duration.ofMillis(20));
        Stream<Bill> bills = topology.from(Sources.generate(BILLS, Bill::of))
                .name("bills")
                .eventTime(Bill::at, Duration.ofMillis(20));
        kind.apply(calls.join(bills).where(Call::user).equalTo(Bill::user))
                .name("near")
                .to(CollectSink.of(String.class));
        Job job = new EmbeddedRunner(settings(2)).start(topology.graph());
        boolean runs = true;
        for (int step = 0; runs && step < steps; step++) {
            runs = job.step();
        }
        job.cancel();
        while (job.step()) {
            // to the end
        }
        job.await();
    }

    private RunSettings settings(int parallelism) {
        return RunSettings.defaults()
                .withParallelism(parallelism)
                .withThreads(0)
                .withSteps(10, 2, 16)
                .withGuarantee(
                        Guarantee.EXACTLY_ONCE, CheckpointSettings.in(folder).restoringLatest());
    }
}
