// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.random;

import io.thalweg.api.topology.ConnectedKeyedStreams;
import io.thalweg.api.topology.Stream;
import java.util.Random;

/** Operators with two inputs of random topologies: the second is a flow whose records are made notes. */
final class RandomConnects {
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
        switch (random.nextInt(4)) {
            case 0 -> merge();
            case 1 -> counts();
            default -> keyed();
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

    private void keyed() {
        Flow first = flows.any();
        Flow second = flows.any();
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
}
