// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.random;

import static io.thalweg.api.operator.Aggregates.named;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.Aggregate;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.operator.OrderFunction;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.api.operator.TimeToLive;
import io.thalweg.api.topology.AsyncStream;
import io.thalweg.api.topology.KeyedAsyncStream;
import io.thalweg.api.topology.KeyedStream;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.WindowedStream;
import io.thalweg.api.window.WindowResult;
import io.thalweg.api.window.WindowSpec;
import io.thalweg.testkit.FaultySource;
import io.thalweg.testkit.random.Functions.Entry;
import io.thalweg.testkit.random.Functions.Several;
import io.thalweg.testkit.random.Functions.Totals;
import io.thalweg.testkit.random.Functions.WithNulls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Operators of random topologies. Each step reads some of the flows and adds what comes of them. */
final class RandomSteps {
    private static final Type<Event> EVENT = Type.of(Event.class);
    private static final List<String> ROOMS = List.of("hall", "attic", "no");

    private final Random random;
    private final Log log;
    private final Flows flows;
    private final boolean ending;
    private long last;

    /** @param ending limits may end sources */
    RandomSteps(Random random, Log log, Flows flows, boolean ending) {
        this.ending = ending;
        this.random = random;
        this.log = log;
        this.flows = flows;
    }

    void next() {
        switch (random.nextInt(22)) {
            case 0, 1 -> simple();
            case 2 -> union();
            case 3 -> sorter();
            case 4 -> counter();
            case 5 -> join();
            case 6 -> distinct();
            case 7 -> running();
            case 8 -> keyedOperator();
            case 16 -> countWindow();
            case 17 -> partialWindow();
            case 18 -> limit();
            case 19 -> lookup();
            case 20 -> fading();
            case 21 -> direct();
            case 9, 10 -> new RandomConnects(random, log, flows, this).next();
            default -> window();
        }
    }

    private String begin(String kind, Flow flow) {
        String name = log.name(kind);
        log.add("%s = %s of %s", name, kind, flow.name());
        return name;
    }

    /** A time after all others, so also after those of earlier calls and of what comes of them. */
    long last() {
        last += Operators.FAR;
        return last;
    }

    /** A flow on its way to the next operator. */
    private Flow grouped(Flow flow) {
        return grouped(flow, 0);
    }

    /** @param first 0 to allow forward, which needs equal parallelism, and 1 not to */
    Flow grouped(Flow flow, int first) {
        int way = first + random.nextInt(10 - first);
        Stream<Event> stream = flow.stream();
        switch (way) {
            case 0 -> stream = stream.forward();
            case 1, 2 -> stream = stream.shuffle();
            case 3 -> stream = stream.localOrShuffle();
            case 4 -> stream = stream.global();
            case 5 -> stream = stream.keyBy(Event::key).records();
            case 9 -> stream = stream.partitionBy(Functions::taskOf);
            case 6 -> {
                if (!flow.broadcast()) {
                    log.add("%s: broadcast", flow.name());
                    return new Flow(
                            stream.broadcast(), flow.name(), flow.timed(), flow.steady(), flow.punctual(), true);
                }
            }
            default -> {
                return flow;
            }
        }
        log.add("%s: grouping %d", flow.name(), way);
        return flow.to(stream, flow.name());
    }

    /** Where an operator runs. */
    Stream<Event> placed(Stream<Event> stream, String name) {
        switch (random.nextInt(12)) {
            case 0 -> stream.isolate();
            case 1 -> stream.blocking();
            default -> {
                return stream.name(name);
            }
        }
        log.add("%s: apart", name);
        return stream.name(name);
    }

    private void simple() {
        Flow flow = grouped(flows.any());
        Stream<Event> stream = flow.stream();
        int kind = random.nextInt(7);
        String name = begin("simple" + kind, flow);
        Stream<Event> next = switch (kind) {
            case 0 -> stream.map(Functions::next);
            case 1 -> stream.map(Functions::picky);
            case 2 -> stream.filter(Functions::passes);
            case 3 -> stream.flatMap(Functions::several).as(Event.class);
            case 4 -> stream.flatMap(Functions::many).as(Event.class);
            case 5 -> stream.peek(Functions::look);
            default -> stream.map(Functions::next).map(Functions::picky).map(Functions::next);
        };
        flows.add(flow.to(placed(next, name), name));
    }

    private void union() {
        Flow a = grouped(flows.any(), 1);
        Flow b = grouped(flows.any(), 1);
        String name = log.name("union");
        log.add("%s = union of %s and %s", name, a.name(), b.name());
        flows.add(new Flow(
                placed(a.stream().union(b.stream()), name),
                name,
                a.timed() && b.timed(),
                a.steady() && b.steady(),
                a.punctual() && b.punctual(),
                a.broadcast() || b.broadcast()));
    }

    private void sorter() {
        Flow flow = grouped(flows.any());
        String name = begin("sorter", flow);
        boolean checks = !flow.timed() || flow.steady();
        boolean timed = flow.timed();
        boolean punctual = flow.punctual();
        Stream<Event> sorted = placed(
                flow.stream()
                        .process(() -> new Operators.Sorter(checks, timed, punctual))
                        .as(Event.class),
                name);
        flows.add(flow.to(sorted, name));
        side(flow, sorted, name, Operators.ODD);
    }

    void side(Flow flow, Stream<?> of, String name, SideOutput<Event> side) {
        if (random.nextBoolean()) {
            log.add("%s: side output %s", name, side.name());
            flows.add(flow.to(of.side(side), name + "/" + side.name()));
        }
    }

    private void direct() {
        Flow flow = grouped(flows.any(), 1);
        String name = begin("direct", flow);
        int tasks = 1 + random.nextInt(5);
        log.add("%s: to %d tasks", name, tasks);
        Stream<Event> arrived = flow.stream()
                .map(event -> Functions.sent(event, tasks))
                .direct()
                .process(Operators.Addressee::new)
                .parallelism(tasks);
        flows.add(flow.to(placed(arrived, name), name));
    }

    private void counter() {
        Flow flow = flows.any();
        String name = begin("counter", flow);
        Stream<Event> counted =
                flow.stream().global().process(Operators.Counter::new).parallelism(1);
        flows.add(flow.unsteady().to(counted.name(name), name));
    }

    /** What passes is the same whichever records it is of. */
    private void limit() {
        Flow flow = grouped(flows.any(), 1);
        String name = begin("limit", flow);
        long most = random.nextInt(4) == 0 ? random.nextInt(3) : random.nextInt(200);
        log.add("%s: %d", name, most);
        flows.add(flow.unsteady().to(placed(flow.stream().map(Functions::same).limit(most), name), name));
        if (!ending) {
            flows.toSink(flow);
        }
    }

    private void lookup() {
        if (random.nextInt(3) == 0) {
            keyedLookup();
            return;
        }
        Flow flow = grouped(flows.any(), 1);
        String name = begin("lookup", flow);
        AsyncStream<Event> async = flow.stream().async().concurrency(1 + random.nextInt(6));
        boolean ordered = random.nextBoolean();
        boolean cached = random.nextBoolean();
        log.add("%s: %s%s", name, ordered ? "ordered" : "unordered", cached ? ", cached" : "");
        async = ordered ? async : async.unordered();
        async = cached ? async.cache(Event::value, 1 + random.nextInt(20), Duration.ofDays(1)) : async;
        flows.add(flow.to(placed(async.join(Functions::lookUp, Functions::answered), name), name));
    }

    private void keyedLookup() {
        Flow flow = flows.any();
        String name = begin("keyed lookup", flow);
        boolean ordered = random.nextBoolean();
        log.add("%s: %s", name, ordered ? "ordered" : "unordered");
        KeyedAsyncStream<Long, Event> async =
                flow.stream().keyBy(Functions::few).async().concurrency(1 + random.nextInt(6));
        Stream<Event> asked = (ordered ? async : async.unordered())
                .process(Operators.Asking::new)
                .as(Event.class);
        flows.add(flow.unsteady().to(placed(asked, name), name));
    }

    /** State with a time to live; if the records may be late, one that is longer than any run. */
    private void fading() {
        Flow flow = flows.any();
        String name = begin("fading", flow);
        boolean timed = flow.windowable() && flow.punctual();
        long liveMs = 1L + random.nextInt(20);
        long afterMs = 1L + random.nextInt(20);
        if (timed) {
            log.add("%s: lives %d ms, looks after %d", name, liveMs, afterMs);
            Stream<Event> counted = flow.stream()
                    .keyBy(Functions::moment)
                    .process(() -> new Operators.Fading(liveMs, afterMs))
                    .as(Event.class);
            flows.add(flow.with(true, true).to(placed(counted, name), name));
            return;
        }
        TimeToLive live = TimeToLive.ofProcessingTime(Duration.ofDays(1));
        Stream<Event> numbered = flow.stream()
                .keyBy(Functions::few)
                .process(() -> new Operators.Numbering<Long>(live))
                .as(Event.class);
        flows.add(flow.unsteady().to(placed(numbered, name), name));
    }

    private void join() {
        Flow flow = grouped(flows.any());
        String name = begin("join", flow);
        Stream<Event> joined = random.nextBoolean()
                ? flow.stream().join(rows(), Functions::numberOf, Functions::fewOrNull, Functions::joined)
                : flow.stream()
                        .join(
                                Sources.generate(3, index -> new Entry(index, "row " + index))
                                        .splitInto(2),
                                Entry::number,
                                Functions::few,
                                Functions::joinedOrNull);
        flows.add(flow.to(placed(joined, name), name));
    }

    /** Rows of a table: bad ones among them, without a key, whose key is bad, and several of one key. */
    private FaultySource<Entry> rows() {
        List<@Nullable Entry> rows = new ArrayList<>();
        for (int i = random.nextInt(12); i > 0; i--) {
            int number = random.nextInt(7);
            rows.add(number == 6 ? null : new Entry(number == 5 ? null : (long) number, ROOMS.get(random.nextInt(3))));
        }
        log.add("table of %s", rows);
        return new FaultySource<>(Type.of(Entry.class), rows);
    }

    private void distinct() {
        Flow flow = flows.any();
        String name = begin("distinct", flow);
        Stream<Event> ones = flow.stream().map(Functions::one);
        Stream<Event> distinct =
                random.nextBoolean() ? ones.distinct() : ones.keyBy(Event::key).distinct();
        flows.add(flow.unsteady().to(placed(distinct, name), name));
    }

    private void running() {
        Flow flow = flows.any();
        String name = begin("running", flow);
        Stream<Event> stream = switch (random.nextInt(3)) {
            case 0 ->
                flow.stream()
                        .keyBy(Functions::few)
                        .aggregate(Aggregates.<Event>count())
                        .map(Functions::ofKeyed);
            case 1 ->
                flow.stream()
                        .map(Functions::one)
                        .keyBy(Event::key)
                        .aggregate(Mixed.aggregate())
                        .map(Functions::ofKeyed);
            default ->
                flow.stream()
                        .map(Functions::one)
                        .keyBy(Event::key)
                        .reduce(Functions::sum)
                        .map(Functions::counted);
        };
        flows.add(flow.unsteady().to(stream.name(name), name));
    }

    private void keyedOperator() {
        Flow flow = flows.any();
        String name = begin("operator", flow);
        int key = random.nextInt(3);
        log.add("%s: key %d", name, key);
        Stream<Event> made = switch (key) {
            case 0 -> keyedOperator(flow, flow.stream().keyBy(Event::key), name);
            case 1 -> keyedOperator(flow, flow.stream().keyBy(Functions::few), name);
            default -> keyedOperator(flow, flow.stream().keyBy(Functions::pair), name);
        };
        placed(made, name);
    }

    private <K> Stream<Event> keyedOperator(Flow flow, KeyedStream<K, Event> keyed, String name) {
        int kind = random.nextInt(3);
        log.add("%s: kind %d", name, kind);
        boolean alarms = flow.timed() ? flow.steady() && flow.punctual() : true;
        if (kind == 0 && alarms) {
            boolean timed = flow.timed();
            Stream<Event> stream =
                    keyed.process(() -> new Operators.Alarm<K>(timed)).as(Event.class);
            flows.add((timed ? flow.with(true, true) : flow).to(stream, name));
            side(flow, stream, name, Operators.ODD);
            return stream;
        }
        if (kind == 1) {
            Stream<Event> stream =
                    keyed.process(() -> new Operators.Numbering<K>(null)).as(Event.class);
            flows.add(flow.unsteady().to(stream, name));
            return stream;
        }
        long end = last();
        Stream<Event> stream = keyed.process(() -> new Operators.Total<K>(end)).as(Event.class);
        flows.add((flow.timed() ? flow.with(true, true) : flow).to(stream, name));
        return stream;
    }

    // ---- windows

    /** All records of a key are equal, so that it does not matter which of them a window holds. */
    private void countWindow() {
        Flow flow = flows.any();
        String name = begin("count window", flow);
        WindowSpec spec = new WindowSpec.Count(1 + random.nextInt(9), 1 + random.nextInt(9));
        log.add("%s: %s", name, spec);
        Stream<Event> ones = flow.stream().map(Functions::one);
        Stream<Event> results = random.nextBoolean()
                ? ones.keyBy(Event::key).window(spec).aggregate(several()).map(Functions::ofWindow)
                : ones.window(spec).aggregate(Aggregates.<Event>count()).map(Functions::ofWindow);
        flows.add(flow.with(false, true).to(placed(results, name), name));
    }

    private void partialWindow() {
        Flow flow = flows.any();
        String name = begin("partial window", flow);
        long size = 1L + random.nextInt(40);
        WindowSpec spec = flow.windowable() && random.nextInt(4) > 0
                ? new WindowSpec.Aligned(size, size)
                : new WindowSpec.Whole();
        int parts = 1 + random.nextInt(4);
        log.add("%s: %s, %d parts", name, spec, parts);
        Flow out = flow.with(spec.needsEventTime(), true);
        WindowedStream<Long, Event> windowed =
                flow.stream().partialKeyBy(Functions::few, parts).window(spec);
        Stream<Event> results = random.nextBoolean()
                ? windowed.aggregate(several()).name(name).map(Functions::ofWindow)
                : windowed.aggregate(Aggregates.list(EVENT)).name(name).map(Functions::ofWindow);
        flows.add(out.to(results, name));
    }

    private void window() {
        Flow flow = flows.any();
        String name = begin("window", flow);
        WindowSpec spec = spec(flow);
        int key = random.nextInt(4);
        log.add("%s: %s, key %d", name, spec, key);
        switch (key) {
            case 0 -> window(flow, flow.stream().window(spec), spec, name);
            case 1 -> window(flow, flow.stream().keyBy(Functions::few).window(spec), spec, name);
            case 2 -> window(flow, flow.stream().keyBy(Functions::pair).window(spec), spec, name);
            default -> window(flow, flow.stream().keyBy(Event::key).window(spec), spec, name);
        }
    }

    WindowSpec spec(Flow flow) {
        int kind = random.nextInt(7);
        if (!flow.windowable() || kind == 0) {
            return new WindowSpec.Whole();
        }
        long size = 1L + random.nextInt(40);
        return switch (kind) {
            case 1, 2 -> new WindowSpec.Aligned(size, size);
            case 3, 4 -> new WindowSpec.Aligned(size, 1 + random.nextInt(40));
            default -> new WindowSpec.Session(1 + random.nextInt(12));
        };
    }

    private <K> void window(Flow flow, WindowedStream<K, Event> windowed, WindowSpec spec, String name) {
        boolean whole = !spec.needsEventTime();
        long lateness = whole || random.nextInt(3) > 0 ? 0 : random.nextInt(30);
        SideOutput<Event> late = SideOutput.of("late", Event.class);
        windowed.allowedLateness(Duration.ofMillis(lateness)).lateTo(late);
        log.add("%s: lateness %d", name, lateness);
        if (lateness == 0) {
            Flow out = flow.with(!whole, true);
            Stream<Event> results = aggregated(windowed, flow, out, name);
            flows.add(out.to(results, name));
            return;
        }
        if (random.nextBoolean()) {
            updated(flow, windowed.aggregate(several()), name, late);
        } else {
            log.add("%s: mixed", name);
            updated(flow, windowed.aggregate(Mixed.aggregate()), name, late);
        }
    }

    private <K, R> void updated(Flow flow, Stream<WindowResult<K, R>> results, String name, SideOutput<Event> late) {
        results.name(name);
        // which of several results of a window counts is known as long as the results of one task keep their order
        results.map(Functions::rowOf).to(Sinks.discard()).name(RandomTopology.SETTLED + name);
        side(flow, results, name, late);
    }

    private <K> Stream<Event> aggregated(WindowedStream<K, Event> windowed, Flow flow, Flow out, String name) {
        int kind = random.nextInt(18);
        log.add("%s: aggregate %d", name, kind);
        SideOutput<Event> late = SideOutput.of("late", Event.class);
        if (kind == 11) {
            return windowed.<Event>apply(result -> List.of(Functions.ofWindow(result), Functions.ofWindow(result)))
                    .as(Event.class)
                    .name(name);
        }
        Stream<Event> results = switch (kind) {
            case 0 -> results(flow, out, windowed.aggregate(Aggregates.count()), name, late);
            case 1 -> results(flow, out, windowed.aggregate(Aggregates.sum(Event::value)), name, late);
            case 2 -> results(flow, out, windowed.aggregate(Aggregates.max(Functions::valueOrNull)), name, late);
            case 3 -> results(flow, out, windowed.aggregate(Aggregates.mean(Functions::valueOrNull)), name, late);
            case 4 -> results(flow, out, windowed.aggregate(Aggregates.distinct(Functions::valueOrNull)), name, late);
            case 5 -> results(flow, out, windowed.aggregate(Aggregates.top(3, EVENT, Event::order)), name, late);
            case 6 -> results(flow, out, windowed.aggregate(Aggregates.list(EVENT)), name, late);
            case 7 -> results(flow, out, windowed.reduce(Functions::sum), name, late);
            case 8 -> results(flow, out, windowed.aggregate(Aggregates.sumOfLongs(Functions::valueOrNull)), name, late);
            case 9 -> results(flow, out, windowed.aggregate(Aggregates.sumDouble(Functions::half)), name, late);
            case 10 -> results(flow, out, windowed.aggregate(totals()), name, late);
            case 12 -> results(flow, out, windowed.aggregate(Aggregates.min(Functions::rarely)), name, late);
            case 13 -> results(flow, out, windowed.aggregate(withNulls()), name, late);
            case 14 ->
                results(
                        flow,
                        out,
                        windowed.aggregate(Aggregates.top(
                                3,
                                EVENT,
                                OrderFunction.by(Functions::rarely)
                                        .thenBy(Event::value)
                                        .thenBy(Event::time)
                                        .thenBy(Event::key))),
                        name,
                        late);
            case 15 -> results(flow, out, windowed.aggregate(Aggregates.min(Mixed::strange)), name, late);
            case 16 -> results(flow, out, windowed.aggregate(Mixed.aggregate()), name, late);
            default -> results(flow, out, windowed.aggregate(several()), name, late);
        };
        return placed(results, name + "+");
    }

    private static Aggregate<Event, ?, Totals> totals() {
        return Aggregates.into(
                Totals.class, Aggregates.sum(Event::value), Aggregates.count(), Aggregates.sum(Event::value));
    }

    private static Aggregate<Event, ?, WithNulls> withNulls() {
        return Aggregates.into(
                WithNulls.class,
                named("latest", Aggregates.max(Functions::rarely, Comparator.<Long>reverseOrder())),
                named("known", Aggregates.countNonNull(Functions::rarely)),
                named("mean", Aggregates.mean(Functions::rarely)),
                named("sum", Aggregates.sumOfLongs(Functions::rarely)));
    }

    private static Aggregate<Event, ?, Several> several() {
        return Aggregates.into(
                Several.class,
                Aggregates.count(),
                Aggregates.sum(Event::value),
                Aggregates.min(Functions::valueOrNull),
                Aggregates.max(Functions::valueOrNull),
                Aggregates.mean(Functions::valueOrNull));
    }

    private <K, R> Stream<Event> results(
            Flow flow, Flow out, Stream<WindowResult<K, R>> results, String name, SideOutput<Event> late) {
        results.name(name);
        if (out.timed()) {
            side(flow, results, name, late);
        }
        return results.map(Functions::ofWindow);
    }
}
