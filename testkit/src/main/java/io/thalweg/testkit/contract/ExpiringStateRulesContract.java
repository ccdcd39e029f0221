// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.KeyedAsyncContext;
import io.thalweg.api.operator.KeyedAsyncOperator;
import io.thalweg.api.operator.KeyedContext;
import io.thalweg.api.operator.KeyedOperator;
import io.thalweg.api.operator.ListState;
import io.thalweg.api.operator.MapState;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.TimeToLive;
import io.thalweg.api.operator.ValueState;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.testkit.TestRunner;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is seen of state with a time to live, on any runner: what was written less than that before, counted by hand. */
@Timeout(900)
public abstract class ExpiringStateRulesContract {
    private static final long SEED = Long.getLong("thalweg.seed", 815);
    private static final int KEYS = 3;
    private static final int FIELDS = 4;
    private static final long LIVE_MS = 40;
    private static final long BOUND_MS = 15;
    private static final long DAY_MS = 86_400_000;

    /** A way to run topologies; at a parallelism of more than one it tests more. */
    protected abstract TestRunner road();

    record Reading(int number, long time) implements Serializable {
        int key() {
            return number % KEYS;
        }
    }

    private static final List<Reading> READINGS = readings();

    private final Topology topology = Topology.named("expiring");

    /** Of one split, so that each key has its records in this order. Some are older than the bound allows. */
    private static List<Reading> readings() {
        Random random = new Random(SEED);
        List<Reading> readings = new ArrayList<>();
        long time = 1_000;
        for (int i = 0; i < 600; i++) {
            time += random.nextInt(20) == 0 ? random.nextInt(100) : random.nextInt(5);
            readings.add(new Reading(random.nextInt(1_000), time - random.nextInt(30)));
        }
        return readings;
    }

    private Stream<Reading> stream() {
        return topology.from(Sources.generate(READINGS.size(), i -> READINGS.get((int) i)))
                .name("readings");
    }

    /** Emits what it sees, and then writes to one of three states. */
    static final class Seer implements KeyedOperator<Integer, Reading, String> {
        private final TimeToLive live;
        private @Nullable ValueState<Integer> last;
        private @Nullable ListState<Integer> all;
        private @Nullable MapState<Integer, Integer> newest;

        Seer(TimeToLive live) {
            this.live = live;
        }

        @Override
        public void open(KeyedContext context) {
            last = context.state("last", Type.of(Integer.class), live);
            all = context.listState("all", Type.of(Integer.class), live);
            newest = context.mapState("newest", Type.of(Integer.class), Type.of(Integer.class), live);
        }

        @Override
        public void process(Integer key, Reading reading, Output<String> output) {
            ValueState<Integer> value = opened(last);
            ListState<Integer> list = opened(all);
            MapState<Integer, Integer> map = opened(newest);
            List<Integer> listed = new ArrayList<>();
            list.forEach(listed::add);
            Map<Integer, Integer> mapped = new TreeMap<>();
            map.forEach(each -> mapped.put(each.getKey(), each.getValue()));
            int field = reading.number() % FIELDS;
            output.emit(text(reading, value.get(), listed, mapped, map.get(field)));
            switch (reading.number() % 7) {
                case 0, 1 -> value.set(reading.number());
                case 2, 3 -> list.add(reading.number());
                case 4 -> list.set(List.of(reading.number(), key));
                case 5 -> map.put(field, reading.number());
                default -> {
                    map.remove(field);
                    value.clear();
                }
            }
        }

        private static <T> T opened(@Nullable T state) {
            if (state == null) {
                throw new IllegalStateException("not open");
            }
            return state;
        }
    }

    /** The same of one value, for requests of which several are in flight: emits what it sees when they are answered. */
    static final class AskingSeer implements KeyedAsyncOperator<Integer, Reading, Integer, String> {
        private final TimeToLive live;
        private @Nullable ValueState<Integer> last;

        AskingSeer(TimeToLive live) {
            this.live = live;
        }

        @Override
        public void open(KeyedAsyncContext context) {
            last = context.state("last", Type.of(Integer.class), live);
        }

        @Override
        public CompletionStage<Integer> apply(Integer key, Reading reading) {
            return CompletableFuture.supplyAsync(reading::number);
        }

        @Override
        public String answered(Integer key, Reading reading, @Nullable Integer number) {
            ValueState<Integer> value = Seer.opened(last);
            String seen = reading + " sees " + value.get();
            if (reading.number() % 7 == 0) {
                value.clear();
            } else if (reading.number() % 7 < 4 && number != null) {
                value.set(number);
            }
            return seen;
        }
    }

    private static List<Object> expectedOfAsking() {
        Map<Integer, Written> values = new HashMap<>();
        List<Object> expected = new ArrayList<>();
        long greatest = Long.MIN_VALUE + BOUND_MS;
        for (Reading reading : READINGS) {
            long now = Math.max(reading.time(), greatest - BOUND_MS);
            greatest = Math.max(greatest, reading.time());
            Written value = values.get(reading.key());
            expected.add(reading + " sees "
                    + (value != null && value.lives(now, LIVE_MS) ? Integer.valueOf(value.value()) : null));
            if (reading.number() % 7 == 0) {
                values.remove(reading.key());
            } else if (reading.number() % 7 < 4) {
                values.put(reading.key(), new Written(reading.number(), now));
            }
        }
        return expected;
    }

    @Test
    void shouldSeeWhatWasWrittenLessThanTheTimeToLiveBefore_whereRequestsAreInFlight() throws Exception {
        TimeToLive live = TimeToLive.ofEventTime(Duration.ofMillis(LIVE_MS));
        stream()
                .eventTime(Reading::time, Duration.ofMillis(BOUND_MS))
                .keyBy(Reading::key)
                .async()
                .process(() -> new AskingSeer(live))
                .to(Sinks.discard())
                .name("seen");

        assertThat(road().run(topology.graph()).sink("seen"))
                .as("seed %d", SEED)
                .containsExactlyInAnyOrderElementsOf(expectedOfAsking());
    }

    private static String text(
            Reading reading,
            @Nullable Integer value,
            List<Integer> list,
            Map<Integer, Integer> map,
            @Nullable Integer inField) {
        return reading + " sees " + value + ", " + list + ", " + map + ", " + inField;
    }

    private record Written(int value, long at) {
        boolean lives(long now, long liveMs) {
            return now - at < liveMs;
        }
    }

    /** The time of a call follows from the time of the record and the greatest time of those before it. */
    private static List<Object> expected(List<Reading> readings, long liveMs, boolean timed) {
        Map<Integer, Written> values = new HashMap<>();
        Map<Integer, List<Written>> lists = new HashMap<>();
        Map<Integer, Map<Integer, Written>> maps = new HashMap<>();
        List<Object> expected = new ArrayList<>();
        long greatest = Long.MIN_VALUE + BOUND_MS;
        for (Reading reading : readings) {
            long now = timed ? Math.max(reading.time(), greatest - BOUND_MS) : 0;
            greatest = Math.max(greatest, reading.time());
            Written value = values.get(reading.key());
            List<Written> list = lists.computeIfAbsent(reading.key(), k -> new ArrayList<>());
            Map<Integer, Written> map = maps.computeIfAbsent(reading.key(), k -> new TreeMap<>());
            Map<Integer, Integer> mapped = new TreeMap<>();
            map.forEach((field, each) -> {
                if (each.lives(now, liveMs)) {
                    mapped.put(field, each.value());
                }
            });
            int field = reading.number() % FIELDS;
            expected.add(text(
                    reading,
                    value != null && value.lives(now, liveMs) ? value.value() : null,
                    list.stream()
                            .filter(each -> each.lives(now, liveMs))
                            .map(Written::value)
                            .toList(),
                    mapped,
                    mapped.get(field)));
            Written written = new Written(reading.number(), now);
            switch (reading.number() % 7) {
                case 0, 1 -> values.put(reading.key(), written);
                case 2, 3 -> list.add(written);
                case 4 -> {
                    list.clear();
                    list.add(written);
                    list.add(new Written(reading.key(), now));
                }
                case 5 -> map.put(field, written);
                default -> {
                    map.remove(field);
                    values.remove(reading.key());
                }
            }
        }
        return expected;
    }

    @Test
    void shouldSeeWhatWasWrittenLessThanTheTimeToLiveBefore() throws Exception {
        TimeToLive live = TimeToLive.ofEventTime(Duration.ofMillis(LIVE_MS));
        stream()
                .eventTime(Reading::time, Duration.ofMillis(BOUND_MS))
                .keyBy(Reading::key)
                .process(() -> new Seer(live))
                .to(Sinks.discard())
                .name("seen");

        assertThat(road().run(topology.graph()).sink("seen"))
                .as("seed %d", SEED)
                .containsExactlyInAnyOrderElementsOf(expected(READINGS, LIVE_MS, true));
    }

    /** A day is longer than any run takes. */
    @Test
    void shouldSeeAllThatWasWritten_inLessThanADayByTheClock() throws Exception {
        TimeToLive live = TimeToLive.ofProcessingTime(Duration.ofMillis(DAY_MS));
        stream()
                .keyBy(Reading::key)
                .process(() -> new Seer(live))
                .to(Sinks.discard())
                .name("seen");

        assertThat(road().run(topology.graph()).sink("seen"))
                .as("seed %d", SEED)
                .containsExactlyInAnyOrderElementsOf(expected(READINGS, DAY_MS, false));
    }

    @Test
    void shouldRefuseToLiveByEventTime_whereThereIsNone() {
        TimeToLive live = TimeToLive.ofEventTime(Duration.ofMillis(LIVE_MS));
        stream().keyBy(Reading::key).process(() -> new Seer(live)).name("seer").to(Sinks.discard());

        assertThatThrownBy(() -> road().run(topology.graph()))
                .message()
                .contains("state 'last' has a time to live by event time, and the records of operator 'seer' have none;"
                        + " call eventTime(…) before, or use TimeToLive.ofProcessingTime");
    }
}
