// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.random;

import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.PairFunction;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.api.topology.ConnectedKeyedStreams;
import io.thalweg.api.topology.IntervalJoinedStreams;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.StreamJoin;
import java.time.Duration;
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
        switch (random.nextInt(6)) {
            case 0 -> merge();
            case 1 -> counts();
            case 2, 3 -> join();
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
        StreamJoin<Event, Note> streams = first.stream().join(second.stream().map(Note::of));
        IntervalJoinedStreams<Event, Note> near = between(
                        streams, key, Duration.ofMillis(lower), Duration.ofMillis(upper))
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
        steps.side(first, joined, name, LATE);
        if (random.nextBoolean()) {
            log.add("%s: side output %s", name, LATE_NOTES.name());
            flows.add(second.to(joined.side(LATE_NOTES).map(Note::event), name + "/" + LATE_NOTES.name()));
        }
    }

    private static IntervalJoinedStreams<Event, Note> between(
            StreamJoin<Event, Note> streams, int key, Duration lower, Duration upper) {
        return switch (key) {
            case 0 -> streams.where(Event::key).equalTo(Note::owner).between(lower, upper);
            case 1 -> streams.where(Functions::pair).equalTo(Note::pair).between(lower, upper);
            default ->
                streams.where(Functions::fewOrNull).equalTo(Note::fewOrNull).between(lower, upper);
        };
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
