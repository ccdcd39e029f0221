// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.random;

import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.PairFunction;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.api.topology.ConnectedKeyedStreams;
import io.thalweg.api.topology.IntervalJoinedStreams;
import io.thalweg.api.topology.KeyedJoin;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.StreamJoin;
import io.thalweg.api.topology.WindowJoinedStreams;
import io.thalweg.api.window.CoGroup;
import io.thalweg.api.window.WindowSpec;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Operators with two inputs of random topologies: the second is a flow whose records are made notes. */
final class RandomConnects {
    private static final SideOutput<Event> LATE = SideOutput.of("late", Event.class);
    private static final SideOutput<Note> LATE_NOTES = SideOutput.of("late notes", Note.class);

    private final Random random;
    private final Log log;
    private final Flows flows;
    private final RandomSteps steps;

    RandomConnects(Random random, Log log, Flows flows, RandomSteps steps) {
        this.random = random;
        this.log = log;
        this.flows = flows;
        this.steps = steps;
    }

    void next() {
        switch (random.nextInt(10)) {
            case 0 -> merge();
            case 1 -> counts();
            case 2, 3 -> join();
            case 4, 5 -> windowJoin();
            case 6 -> rules();
            case 7 -> ruled(flows.any(), flows.any());
            default -> keyed(flows.any(), flows.any());
        }
    }

    private String begin(String kind, Flow first, Flow second) {
        String name = log.name(kind);
        log.add("%s = %s of %s and %s", name, kind, first.name(), second.name());
        return name;
    }

    /** What may be asked of what comes of both. */
    private static Flow both(Flow first, Flow second) {
        return new Flow(
                first.stream(),
                first.name(),
                first.timed() && second.timed(),
                first.steady() && second.steady(),
                first.punctual() && second.punctual(),
                first.broadcast() || second.broadcast());
    }

    private void merge() {
        Flow first = steps.grouped(flows.any(), 1);
        Flow second = flows.any();
        String name = begin("merge", first, second);
        int way = random.nextInt(6);
        log.add("%s: second grouping %d", name, way);
        Stream<Note> notes = second.stream().map(Note::of);
        Stream<Note> grouped = switch (way) {
            case 0 -> notes.shuffle();
            case 1 -> notes.global();
            case 2 -> notes.keyBy(Note::pair).records();
            case 3 -> second.broadcast() ? notes : notes.broadcast();
            default -> notes;
        };
        Flow both = both(first, second);
        boolean timed = both.timed();
        boolean checks = !timed || both.steady();
        boolean punctual = both.punctual();
        Stream<Event> merged =
                first.stream().connect(grouped).process(() -> new TwoInputOperators.Merge(checks, timed, punctual));
        steps.placed(merged, name);
        Flow out = new Flow(merged, name, timed, both.steady(), punctual, both.broadcast() || way == 3);
        flows.add(out);
        steps.side(out, merged, name, Operators.ODD);
    }

    private void counts() {
        Flow first = flows.any();
        Flow second = flows.any();
        String name = begin("counts", first, second);
        Stream<Event> counts = first.stream()
                .global()
                .connect(second.stream().map(Note::of).global())
                .process(TwoInputOperators.Counts::new)
                .parallelism(1)
                .name(name);
        flows.add(both(first, second).unsteady().to(counts, name));
    }

    private void keyed(Flow first, Flow second) {
        String name = begin("connect", first, second);
        Stream<Note> notes = second.stream().map(Note::of);
        int key = random.nextInt(3);
        log.add("%s: key %d", name, key);
        Flow both = both(first, second);
        switch (key) {
            case 0 -> keyed(both, first.stream().keyBy(Event::key).connect(notes.keyBy(Note::owner)), name);
            case 1 -> keyed(both, first.stream().keyBy(Functions::few).connect(notes.keyBy(Note::few)), name);
            default -> keyed(both, first.stream().keyBy(Functions::pair).connect(notes.keyBy(Note::pair)), name);
        }
    }

    private <K> void keyed(Flow both, ConnectedKeyedStreams<K, Event, Note> connected, String name) {
        boolean timed = both.timed();
        boolean bell = random.nextBoolean() && (!timed || (both.steady() && both.punctual()));
        log.add("%s: %s", name, bell ? "bell" : "balance");
        long end = steps.last();
        Stream<Event> stream = bell
                ? connected.process(() -> new TwoInputOperators.Bell<K>(timed)).as(Event.class)
                : connected.process(() -> new TwoInputOperators.Balance<K>(end)).as(Event.class);
        steps.placed(stream, name);
        Flow out = (timed ? both.with(true, true) : both).to(stream, name);
        flows.add(out);
        if (bell) {
            steps.side(out, stream, name, Operators.ODD);
        }
    }

    private void rules() {
        Flow first = flows.any();
        Flow second = flows.any();
        String name = begin("rules", first, second);
        Stream<Event> ruled =
                first.stream().withBroadcast(second.stream().map(Note::of)).process(TwoInputOperators.Rules::new);
        steps.placed(ruled, name);
        Flow both = both(first, second);
        Flow out = new Flow(ruled, name, both.timed(), false, false, true);
        flows.add(out);
        steps.side(out, ruled, name, Operators.ODD);
    }

    private void ruled(Flow first, Flow second) {
        String name = begin("ruled", first, second);
        boolean few = random.nextBoolean();
        log.add("%s: few keys %s", name, few);
        Stream<Note> notes = second.stream().map(Note::of);
        long end = steps.last();
        Stream<Event> ruled = few
                ? first.stream()
                        .keyBy(Functions::few)
                        .withBroadcast(notes)
                        .process(() -> new TwoInputOperators.Ruled<Long>(end))
                        .as(Event.class)
                : first.stream()
                        .keyBy(Event::key)
                        .withBroadcast(notes)
                        .process(() -> new TwoInputOperators.Ruled<String>(end))
                        .as(Event.class);
        steps.placed(ruled, name);
        Flow both = both(first, second);
        flows.add((both.timed() ? both.with(true, true) : both).to(ruled, name));
    }

    private void join() {
        Flow first = flows.any();
        Flow second = flows.any();
        if (!first.windowable() || !second.windowable()) {
            keyed(first, second);
            return;
        }
        String name = begin("interval-join", first, second);
        int key = random.nextInt(4);
        int lower = random.nextInt(30) - 15;
        int upper = lower + random.nextInt(4) * random.nextInt(8);
        log.add("%s: key %d, from %d to %d", name, key, lower, upper);
        IntervalJoinedStreams<Event, Note> near = byKey(first, second, key)
                .between(Duration.ofMillis(lower), Duration.ofMillis(upper))
                .lateLeftTo(LATE)
                .lateRightTo(LATE_NOTES);
        int kind = random.nextInt(4);
        log.add("%s: kind %d", name, kind);
        Pairing pairing = new Pairing(lower, upper);
        Stream<Event> joined = switch (kind) {
            case 0 -> near.inner(pairing);
            case 1 -> near.left(pairing);
            case 2 -> near.right(pairing);
            default -> near.full(pairing);
        };
        steps.placed(joined, name);
        flows.add(both(first, second).with(true, true).to(joined, name));
        late(first, second, joined, name);
    }

    private void late(Flow first, Flow second, Stream<Event> joined, String name) {
        steps.side(first, joined, name, LATE);
        if (random.nextBoolean()) {
            log.add("%s: side output %s", name, LATE_NOTES.name());
            flows.add(second.to(joined.side(LATE_NOTES).map(Note::event), name + "/" + LATE_NOTES.name()));
        }
    }

    private static KeyedJoin<?, Event, Note> byKey(Flow first, Flow second, int key) {
        StreamJoin<Event, Note> streams = first.stream().join(second.stream().map(Note::of));
        return switch (key) {
            case 0 -> streams.where(Event::key).equalTo(Note::owner);
            case 1 -> streams.where(Functions::pair).equalTo(Note::pair);
            default -> streams.where(Functions::fewOrNull).equalTo(Note::fewOrNull);
        };
    }

    private void windowJoin() {
        Flow first = flows.any();
        Flow second = flows.any();
        Flow both = both(first, second);
        boolean pairs = both.windowable() && random.nextBoolean();
        String name = begin(pairs ? "window-join" : "co-group", first, second);
        int key = random.nextInt(4);
        if (pairs) {
            pairs(first, second, byKey(first, second, key), name);
        } else {
            coGroup(first, second, byKey(first, second, key), name);
        }
    }

    private void pairs(Flow first, Flow second, KeyedJoin<?, Event, Note> keyed, String name) {
        int size = 1 + random.nextInt(30);
        int kind = random.nextInt(4);
        log.add("%s: size %d, kind %d", name, size, kind);
        WindowJoinedStreams<?, Event, Note> windowed = keyed.window(new WindowSpec.Aligned(size, size))
                .lateLeftTo(LATE)
                .lateRightTo(LATE_NOTES);
        SameWindow pairing = new SameWindow(size);
        Stream<Event> joined = switch (kind) {
            case 0 -> windowed.inner(pairing);
            case 1 -> windowed.left(pairing);
            case 2 -> windowed.right(pairing);
            default -> windowed.full(pairing);
        };
        steps.placed(joined, name);
        flows.add(both(first, second).with(true, true).to(joined, name));
        late(first, second, joined, name);
    }

    private <K> void coGroup(Flow first, Flow second, KeyedJoin<K, Event, Note> keyed, String name) {
        Flow both = both(first, second);
        WindowSpec spec = steps.spec(both);
        log.add("%s: %s", name, spec);
        boolean timed = spec.needsEventTime();
        Stream<Event> grouped = keyed.window(spec)
                .lateLeftTo(LATE)
                .lateRightTo(LATE_NOTES)
                .<Event>coGroup(group -> totals(group, timed))
                .as(Event.class);
        steps.placed(grouped, name);
        flows.add(both.with(timed, true).to(grouped, name));
        if (timed) {
            late(first, second, grouped, name);
        }
    }

    private static List<Event> totals(CoGroup<?, Event, Note> group, boolean timed) {
        long value = group.left().stream().mapToLong(Event::value).sum() * 7
                + group.right().stream().mapToLong(Note::number).sum()
                + group.left().size();
        if (Math.floorMod(value, 13L) == 5) {
            throw new BadRecordException("a group of 5 modulo 13", String.valueOf(value));
        }
        Event total = new Event(String.valueOf(group.key()), timed ? group.end() - 1 : 0, value);
        return Math.floorMod(value, 3L) == 0
                ? List.of()
                : List.of(total, total.withValue(group.right().size()));
    }

    /** A result whose own time is the last one of its window. */
    private record SameWindow(long size) implements PairFunction<@Nullable Event, @Nullable Note, Event> {
        @Override
        public @Nullable Event apply(@Nullable Event event, @Nullable Note note) {
            Event one = event != null ? event : note != null ? note.event() : null;
            if (one == null) {
                throw new IllegalStateException("a pair of nothing");
            }
            long value = one.value() * 5 + (event != null && note != null ? note.number() : 0);
            if (Math.floorMod(value, 11L) == 3) {
                throw new BadRecordException("a pair of 3 modulo 11", one.toString());
            }
            Event last = one.withTime((Math.floorDiv(one.time(), size) + 1) * size - 1)
                    .withValue(value);
            return Math.floorMod(value, 4L) == 1 ? last : null;
        }
    }

    /**
     * A result whose own time is the event time that the join gives it. Many pairs have none, so that joins of joins stay small.
     */
    private record Pairing(long lower, long upper) implements PairFunction<@Nullable Event, @Nullable Note, Event> {
        @Override
        public @Nullable Event apply(@Nullable Event event, @Nullable Note note) {
            if (event == null || note == null) {
                return event == null ? ofNote(note) : event.withTime(event.time() + Math.max(0, upper));
            }
            long value = event.value() * 7 + note.number();
            if (Math.floorMod(value, 11L) == 5) {
                throw new BadRecordException("a pair of 5 modulo 11", event.toString());
            }
            Event both = new Event(event.key(), Math.max(event.time(), note.at()), value);
            return Math.floorMod(value, 4L) == 1 ? both : null;
        }

        private Event ofNote(@Nullable Note note) {
            if (note == null) {
                throw new IllegalStateException("a pair of nothing");
            }
            return new Event(note.owner(), note.at() + Math.max(0, -lower), note.number());
        }
    }
}
