// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.Operator;
import io.thalweg.api.operator.OperatorContext;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.WindowJoinedStreams;
import io.thalweg.api.window.CoGroup;
import io.thalweg.api.window.WindowSpec;
import io.thalweg.api.window.Windows;
import io.thalweg.testkit.FaultySource;
import io.thalweg.testkit.Outcome;
import io.thalweg.testkit.TestRunner;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rules of window joins and co-groups, for any runner: the result is that of plain lists. */
@SuppressWarnings("NullAway") // like user code without null checks
@Timeout(900)
public abstract class WindowJoinRulesContract {
    private static final long DISORDER_MS = 5;
    private static final long SEED = Long.getLong("thalweg.seed", 4711);
    private static final SideOutput<Call> LATE_CALLS = SideOutput.of("late calls", Call.class);
    private static final SideOutput<Fault> LATE_FAULTS = SideOutput.of("late faults", Fault.class);
    private static final int KEYS = 4;

    /** A way to run topologies; at a parallelism of more than one it tests more. */
    protected abstract TestRunner road();

    record Call(@Nullable Integer cell, long time, long number) implements Serializable {}

    record Fault(long number, long time, @Nullable Integer cell) implements Serializable {}

    private enum Kind {
        INNER(false, false),
        LEFT(true, false),
        RIGHT(false, true),
        FULL(true, true),
        CO_GROUP(true, true);

        final boolean left;
        final boolean right;

        Kind(boolean left, boolean right) {
            this.left = left;
            this.right = right;
        }
    }

    private final Random random = new Random(SEED);
    private final Topology topology = Topology.named("cells");

    /** Each list is a split. */
    private final List<List<Call>> calls = List.of(calls(100, 0), calls(60, 1_000));

    private final List<List<Fault>> faults = List.of(faults(70, 0), faults(50, 2_000));
    private final Stream<Call> callStream = callStream();
    private final Stream<Fault> faultStream = faultStream();

    /** By the name of the sink. */
    private final Map<String, List<Object>> expected = new LinkedHashMap<>();

    private long bad;
    private long late;

    private List<Call> calls(int count, long from) {
        List<Call> made = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            made.add(new Call(cell(), time(i), from + i));
        }
        return made;
    }

    private List<Fault> faults(int count, long from) {
        List<Fault> made = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            made.add(new Fault(from + i, time(i), cell()));
        }
        return made;
    }

    private @Nullable Integer cell() {
        int cell = random.nextInt(KEYS + 1);
        return cell == KEYS ? null : Integer.valueOf(cell);
    }

    /** Some are late, with pauses here and there. Some are before 1970. */
    private long time(int i) {
        return i * 2L + i / 20 * 9L - 40 - (random.nextInt(8) == 0 ? 25 : random.nextInt(12));
    }

    private Stream<Call> callStream() {
        List<Stream<Call>> streams = new ArrayList<>();
        calls.forEach(split -> streams.add(topology.from(new FaultySource<>(Type.of(Call.class), split))
                .eventTime(Call::time, Duration.ofMillis(DISORDER_MS))));
        return streams.get(0).union(streams.get(1));
    }

    private Stream<Fault> faultStream() {
        List<Stream<Fault>> streams = new ArrayList<>();
        faults.forEach(split -> streams.add(topology.from(new FaultySource<>(Type.of(Fault.class), split))
                .eventTime(Fault::time, Duration.ofMillis(DISORDER_MS))));
        return streams.get(0).union(streams.get(1));
    }

    private static @Nullable Integer cellOf(Call call) {
        if (call.number() % 53 == 7) {
            throw new BadRecordException("its key cannot be read", String.valueOf(call.number()));
        }
        return call.cell();
    }

    private static @Nullable String pair(@Nullable Call call, @Nullable Fault fault) {
        long one = call == null ? -1 : call.number();
        long other = fault == null ? -1 : fault.number();
        if ((one + other) % 199 == 6) {
            throw new BadRecordException("the pair is bad", one + " " + other);
        }
        return (one + other) % 17 == 3 ? null : one + " " + other;
    }

    /** What is the same whatever order records of the same time came in. */
    private static List<String> all(CoGroup<Integer, Call, Fault> group) {
        List<Long> one = group.left().stream().map(Call::number).sorted().toList();
        List<Long> other = group.right().stream().map(Fault::number).sorted().toList();
        boolean timed = group.end() != Long.MAX_VALUE;
        if (timed) {
            assertThat(group.left()).isSortedAccordingTo(Comparator.comparingLong(Call::time));
            assertThat(group.right()).isSortedAccordingTo(Comparator.comparingLong(Fault::time));
        }
        if (one.size() == 3 && other.isEmpty()) {
            throw new BadRecordException("three calls and no fault", one.toString());
        }
        String text = group.key() + " from " + group.start() + " to " + group.end() + ": " + one;
        return one.size() == 1 ? List.of() : List.of(text, other.toString());
    }

    /** Says at what event time a record comes. */
    static final class AtTime implements Operator<String, String> {
        private OperatorContext context;

        @Override
        public void open(OperatorContext opened) {
            context = opened;
        }

        @Override
        public void process(String text, Output<String> output) {
            long time = context.eventTime();
            output.emit(text + (time == OperatorContext.NO_TIME ? "" : " at " + time));
        }
    }

    /** All in one job, because starting one takes a while on some runners. */
    @Test
    void shouldComeToWhatIsExpected() throws Exception {
        Duration ten = Duration.ofMillis(10);
        join(Kind.INNER, Windows.tumbling(ten), tumbling(10, 10));
        join(Kind.LEFT, Windows.tumbling(Duration.ofMillis(7)), tumbling(7, 7));
        join(Kind.FULL, Windows.sliding(ten, Duration.ofMillis(4)), tumbling(10, 4));
        join(Kind.RIGHT, Windows.sliding(Duration.ofMillis(6), ten), tumbling(6, 10));
        join(Kind.CO_GROUP, Windows.sliding(ten, Duration.ofMillis(5)), tumbling(10, 5));
        join(Kind.FULL, Windows.session(Duration.ofMillis(3)), rows -> sessions(rows, 3));
        join(Kind.CO_GROUP, Windows.session(Duration.ofMillis(5)), rows -> sessions(rows, 5));
        join(Kind.LEFT, Windows.whole(), WindowJoinRulesContract::whole);
        join(Kind.CO_GROUP, Windows.whole(), WindowJoinRulesContract::whole);

        Outcome outcome = road().run(topology.graph());

        expected.forEach((sink, records) ->
                assertThat(outcome.sink(sink)).as(sink).containsExactlyInAnyOrderElementsOf(records));
        assertThat(outcome.bad()).isEqualTo(bad);
        assertThat(outcome.late()).isEqualTo(late);
    }

    private void join(Kind kind, WindowSpec window, Cut cut) {
        WindowJoinedStreams<Integer, Call, Fault> windowed = callStream
                .join(faultStream)
                .where(WindowJoinRulesContract::cellOf)
                .equalTo(Fault::cell)
                .window(window)
                .lateLeftTo(LATE_CALLS)
                .lateRightTo(LATE_FAULTS);
        Stream<String> joined = switch (kind) {
            case INNER -> windowed.inner(WindowJoinRulesContract::pair);
            case LEFT -> windowed.left(WindowJoinRulesContract::pair);
            case RIGHT -> windowed.right(WindowJoinRulesContract::pair);
            case FULL -> windowed.full(WindowJoinRulesContract::pair);
            case CO_GROUP -> windowed.coGroup(WindowJoinRulesContract::all);
        };
        String name = kind + " " + window;
        joined.name(name);
        joined.process(AtTime::new).to(Sinks.discard()).name(name + " results");
        if (window.needsEventTime()) {
            joined.keyBy(text -> 0)
                    .window(Windows.tumbling(Duration.ofMillis(10)))
                    .aggregate(Aggregates.count())
                    .map(count -> count.start() + ": " + count.value())
                    .to(Sinks.discard())
                    .name(name + " windows");
        }
        joined.side(LATE_CALLS).to(Sinks.discard()).name(name + " late calls");
        joined.side(LATE_FAULTS).to(Sinks.discard()).name(name + " late faults");
        expect(kind, window.needsEventTime(), cut, name);
    }

    // ---- plain lists

    /** A record of either stream. */
    private record Row(@Nullable Call call, @Nullable Fault fault, long time, long stamp) {}

    private record Pane(long start, long end, List<Row> rows) {}

    private interface Cut {
        List<Pane> panes(List<Row> rows);
    }

    private static Cut tumbling(long size, long step) {
        return rows -> {
            List<Pane> panes = new ArrayList<>();
            for (long start = -20 * step; start < 400; start += step) {
                long from = start;
                List<Row> in = rows.stream()
                        .filter(row -> from <= row.time() && row.time() < from + size && row.stamp() < from + size - 1)
                        .toList();
                if (!in.isEmpty()) {
                    panes.add(new Pane(start, start + size, in));
                }
            }
            return panes;
        };
    }

    private static List<Pane> sessions(List<Row> rows, long gap) {
        List<Pane> panes = new ArrayList<>();
        for (Row row :
                rows.stream().sorted(Comparator.comparingLong(Row::stamp)).toList()) {
            if (row.time() + gap - 1 <= row.stamp()) {
                continue;
            }
            List<Row> together = new ArrayList<>(List.of(row));
            panes.removeIf(pane -> {
                boolean meets =
                        pane.end() - 1 > row.stamp() && pane.start() - gap <= row.time() && row.time() <= pane.end();
                if (meets) {
                    together.addAll(pane.rows());
                }
                return meets;
            });
            long first = together.stream().mapToLong(Row::time).min().orElseThrow();
            long last = together.stream().mapToLong(Row::time).max().orElseThrow();
            panes.add(new Pane(first, last + gap, together));
        }
        return panes;
    }

    private static List<Pane> whole(List<Row> rows) {
        return rows.isEmpty() ? List.of() : List.of(new Pane(Long.MIN_VALUE, Long.MAX_VALUE, rows));
    }

    private void expect(Kind kind, boolean timed, Cut cut, String name) {
        Map<Integer, List<Row>> rows = new HashMap<>();
        List<Row> keyless = new ArrayList<>();
        List<Object> lateCalls = new ArrayList<>();
        List<Object> lateFaults = new ArrayList<>();
        for (List<Call> split : calls) {
            long reached = Long.MIN_VALUE;
            for (Call call : split) {
                Row row = new Row(call, null, call.time(), reached);
                if (call.number() % 53 == 7) {
                    bad++;
                } else if (isLate(row, cut)) {
                    lateCalls.add(call);
                } else {
                    (call.cell() == null ? keyless : rows.computeIfAbsent(call.cell(), cell -> new ArrayList<>()))
                            .add(row);
                }
                reached = Math.max(reached, call.time() - DISORDER_MS - 1);
            }
        }
        for (List<Fault> split : faults) {
            long reached = Long.MIN_VALUE;
            for (Fault fault : split) {
                Row row = new Row(null, fault, fault.time(), reached);
                if (isLate(row, cut)) {
                    lateFaults.add(fault);
                } else {
                    (fault.cell() == null ? keyless : rows.computeIfAbsent(fault.cell(), cell -> new ArrayList<>()))
                            .add(row);
                }
                reached = Math.max(reached, fault.time() - DISORDER_MS - 1);
            }
        }
        late += lateCalls.size() + lateFaults.size();
        expected.put(name + " late calls", lateCalls);
        expected.put(name + " late faults", lateFaults);
        assertThat(lateCalls.size() + lateFaults.size()).as(name).isGreaterThanOrEqualTo(timed ? 1 : 0);
        List<Object> results = new ArrayList<>();
        Map<Long, Long> windows = new HashMap<>();
        rows.forEach((cell, all) -> cut.panes(all).forEach(pane -> results(kind, timed, cell, pane, results, windows)));
        keyless.forEach(
                row -> cut.panes(List.of(row)).forEach(pane -> results(kind, timed, null, pane, results, windows)));
        assertThat(results).as(name).hasSizeGreaterThan(5);
        expected.put(name + " results", results);
        if (timed) {
            List<Object> counts = new ArrayList<>();
            windows.forEach((start, count) -> counts.add(start + ": " + count));
            expected.put(name + " windows", counts);
        }
    }

    /** No window holds it, but one would if it had come before all others. */
    private static boolean isLate(Row row, Cut cut) {
        Row first = new Row(row.call(), row.fault(), row.time(), Long.MIN_VALUE);
        return cut.panes(List.of(row)).isEmpty() && !cut.panes(List.of(first)).isEmpty();
    }

    private void results(
            Kind kind,
            boolean timed,
            @Nullable Integer cell,
            Pane pane,
            List<Object> results,
            Map<Long, Long> windows) {
        List<Call> left = new ArrayList<>();
        List<Fault> right = new ArrayList<>();
        pane.rows().stream()
                .sorted(Comparator.comparingLong(timed ? Row::time : row -> 0))
                .forEach(row -> {
                    if (row.call() != null) {
                        left.add(row.call());
                    } else {
                        right.add(row.fault());
                    }
                });
        List<String> texts = new ArrayList<>();
        if (kind == Kind.CO_GROUP) {
            made(() -> texts.addAll(all(new CoGroup<>(cell, pane.start(), pane.end(), left, right))));
        } else {
            if (right.isEmpty() && kind.left) {
                right.add(null);
            } else if (left.isEmpty() && kind.right) {
                left.add(null);
            }
            left.forEach(call -> right.forEach(fault -> made(() -> texts.add(pair(call, fault)))));
        }
        texts.stream().filter(Predicate.not(text -> text == null)).forEach(text -> {
            results.add(timed ? text + " at " + (pane.end() - 1) : text);
            windows.merge(Math.floorDiv(pane.end() - 1, 10) * 10, 1L, Long::sum);
        });
    }

    private void made(Runnable result) {
        try {
            result.run();
        } catch (BadRecordException e) {
            bad++;
        }
    }
}
