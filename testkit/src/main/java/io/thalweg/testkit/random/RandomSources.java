// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.random;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.operator.Operator;
import io.thalweg.api.operator.Output;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.WindowResult;
import io.thalweg.api.window.Windows;
import io.thalweg.testkit.TestSource;
import io.thalweg.testkit.random.ReusingSource.Sheet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Sources of random topologies: how many splits, how far out of order, what their records are. */
final class RandomSources {
    private static final List<String> KEYS = List.of("a", "b", "c", "d", "e", "f", "g");

    private final Random random;
    private final Topology topology;
    private final Log log;
    private final List<Object> held;

    /** @param held takes what must not be let go of while the topology may run */
    RandomSources(Random random, Topology topology, Log log, List<Object> held) {
        this.random = random;
        this.topology = topology;
        this.log = log;
        this.held = held;
    }

    Flow next() {
        String name = log.name("in");
        return switch (random.nextInt(6)) {
            case 0 -> generated(name);
            case 1 -> reusing(name);
            default -> given(name);
        };
    }

    /** Records of each split in the order in which they are read. */
    private List<List<Event>> records(int splits, int disorder) {
        List<List<Event>> all = new ArrayList<>();
        int keys = 1 + random.nextInt(KEYS.size());
        for (int split = 0; split < splits; split++) {
            List<Event> events = new ArrayList<>();
            int count = random.nextInt(5) == 0 ? 0 : random.nextInt(60);
            long time = random.nextInt(100) - 50L;
            for (int i = 0; i < count; i++) {
                time += random.nextInt(random.nextInt(8) == 0 ? 60 : 5);
                String key = KEYS.get(random.nextInt(keys));
                events.add(new Event(key, time - (long) random.nextInt(disorder + 1), random.nextInt(100)));
            }
            all.add(events);
        }
        return all;
    }

    private Flow given(String name) {
        int splits = 1 + random.nextInt(4);
        int disorder = random.nextInt(3) * 10;
        TestSource<Event> source = TestSource.of(Type.of(Event.class), splits);
        held.add(source);
        List<List<Event>> records = records(splits, disorder);
        for (int split = 0; split < splits; split++) {
            source.addTo(split, records.get(split));
        }
        log.add("%s: %d splits of %s records, disorder %d", name, splits, sizes(records), disorder);
        return withTime(parallel(topology.from(source.end()).name(name), name), name, disorder);
    }

    private static List<Integer> sizes(List<List<Event>> records) {
        return records.stream().map(List::size).toList();
    }

    private Flow generated(String name) {
        int count = random.nextInt(120);
        int splits = 1 + random.nextInt(3);
        long salt = random.nextInt(1_000);
        log.add("%s: %d records generated in %d splits", name, count, splits);
        Stream<Event> stream = topology.from(Sources.generate(count, Type.of(Event.class), index -> made(index, salt))
                        .splitInto(splits))
                .name(name);
        return withTime(parallel(stream, name), name, 4);
    }

    private static Event made(long index, long salt) {
        long mixed = ((index + salt) * 0x9E3779B97F4A7C15L) >>> 33;
        return new Event(KEYS.get((int) (mixed % KEYS.size())), 2 * index - mixed % 5, mixed % 100);
    }

    private <T> Stream<T> parallel(Stream<T> stream, String name) {
        if (random.nextInt(4) == 0) {
            int parallelism = 1 + random.nextInt(3);
            log.add("%s: parallelism %d", name, parallelism);
            return stream.parallelism(parallelism);
        }
        return stream;
    }

    private Flow withTime(Stream<Event> source, String name, int disorder) {
        Flow flow = new Flow(source, name, false, false, false, false);
        int spread = disorder;
        if (random.nextInt(4) == 0) {
            flow = flow.to(flow.stream().flatMap(Functions::scattered).as(Event.class), flow.name());
            log.add("%s: flatMap scattered", name);
            spread += Functions.SCATTER;
        } else if (random.nextInt(4) == 0) {
            flow = flow.to(flow.stream().filter(Functions::passes), flow.name());
            log.add("%s: filter", name);
        }
        if (random.nextInt(6) == 0) {
            return flow;
        }
        int bound = random.nextInt(3) == 0 ? 0 : random.nextInt(2 * spread + 1);
        String timed = log.name("timed");
        log.add("%s = %s: event time, bound %d", timed, name, bound);
        boolean everyRecord = random.nextBoolean();
        Stream<Event> stream = everyRecord
                ? flow.stream().eventTime(Event::time, Duration.ofMillis(bound))
                : flow.stream().eventTime(Functions::timeOrNull, Duration.ofMillis(bound));
        return new Flow(stream.name(timed), timed, true, true, bound >= spread, false);
    }

    // ---- objects that are refilled

    private Flow reusing(String name) {
        int splits = 1 + random.nextInt(3);
        int disorder = random.nextInt(3) * 10;
        List<List<Event>> records = records(splits, disorder);
        log.add("%s: %d splits of %s reused records, disorder %d", name, splits, sizes(records), disorder);
        Stream<Sheet> stream =
                parallel(topology.from(new ReusingSource(records)).name(name), name);
        if (random.nextBoolean()) {
            log.add("%s: filter", name);
            stream = stream.filter(Sheet::passes);
        }
        stream = stream.eventTime(Sheet::timeOfEvent, Duration.ofMillis(disorder));
        return new Flow(read(stream, name), name, true, true, true, false);
    }

    private Stream<Event> read(Stream<Sheet> stream, String name) {
        int way = random.nextInt(7);
        log.add("%s: reused objects go way %d", name, way);
        return switch (way) {
            case 0 -> stream.map(Sheet::event);
            case 1 -> stream.shuffle().map(Sheet::event);
            case 2 ->
                stream.union(stream, stream.filter(Sheet::passes).isolate()).map(Sheet::event);
            case 3 -> stream.shuffle().process(Twice::new).map(Sheet::event);
            case 4 -> stream.process(Twice::new).shuffle().map(Sheet::event);
            case 5 ->
                stream.keyBy(Sheet::keyOfEvent)
                        .window(Windows.tumbling(Duration.ofMillis(20)))
                        .aggregate(Aggregates.list(Type.of(Sheet.class)))
                        .map(RandomSources::ofSheets);
            default ->
                stream.keyBy(Sheet::keyOfEvent)
                        .window(Windows.session(Duration.ofMillis(7)))
                        .aggregate(Aggregates.list(Type.of(Sheet.class)))
                        .map(RandomSources::ofSheets);
        };
    }

    private static Event ofSheets(WindowResult<String, List<Sheet>> result) {
        List<Event> events = new ArrayList<>();
        result.value().forEach(sheet -> events.add(sheet.event()));
        return new Event(result.key(), result.end() - 1, Functions.number(events) ^ result.start());
    }

    /** Emits each record twice, and holds on to what it was handed to see that it stays as it is. */
    private static final class Twice implements Operator<Sheet, Sheet> {
        private final List<Sheet> handed = new ArrayList<>();
        private final List<Event> copies = new ArrayList<>();

        @Override
        public void process(Sheet sheet, Output<Sheet> output) {
            handed.add(sheet);
            copies.add(sheet.event());
            for (int i = 0; i < handed.size(); i++) {
                if (!handed.get(i).event().equals(copies.get(i))) {
                    throw new IllegalStateException("a record was changed after it had been handed over");
                }
            }
            output.emit(sheet);
            output.emit(sheet);
        }
    }
}
