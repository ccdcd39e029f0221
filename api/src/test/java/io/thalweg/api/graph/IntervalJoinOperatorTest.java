// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.codec.Type;
import io.thalweg.api.operator.KeyedContext;
import io.thalweg.api.operator.ListState;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.SideOutput;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an inner join keeps of one key, and how many timers it takes. */
final class IntervalJoinOperatorTest {
    private static final long STEPS = 2_000;
    private static final int AHEAD_MS = 10;

    private final Map<String, Kept> states = new HashMap<>();
    private final TreeSet<Long> timers = new TreeSet<>();
    private final List<String> pairs = new ArrayList<>();
    private long watermark;
    private long time;
    private long fired;

    private static final class Kept implements ListState<Object> {
        private final List<Object> elements = new ArrayList<>();

        @Override
        public void add(Object element) {
            elements.add(element);
        }

        @Override
        public void set(List<?> now) {
            List<Object> copy = new ArrayList<>(now);
            elements.clear();
            elements.addAll(copy);
        }

        @Override
        public void clear() {
            elements.clear();
        }

        @Override
        public Iterator<Object> iterator() {
            return elements.iterator();
        }
    }

    private final Output<Object> output = new Output<>() {
        @Override
        public void emit(Object value) {
            throw new AssertionError("a pair has a time");
        }

        @Override
        public void emitAt(long at, Object value) {
            pairs.add((String) value);
        }

        @Override
        public <S> void emit(SideOutput<S> side, S value) {
            throw new AssertionError("nothing is late");
        }
    };

    private KeyedContext context() {
        return (KeyedContext) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {KeyedContext.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "listState" -> states.computeIfAbsent((String) arguments[0], name -> new Kept());
                    case "setTimer" -> {
                        timers.add((Long) arguments[0]);
                        yield null;
                    }
                    case "eventTime" -> time;
                    case "stamp", "watermark" -> watermark;
                    default -> throw new AssertionError("unexpected call of " + method);
                });
    }

    private static JoinSide side() {
        Type<Object> type = object(Long.class);
        return new JoinSide(new KeySpec(value -> Optional.of(1L), type), type, false, null);
    }

    @SuppressWarnings("unchecked") // whoever reads it casts
    private static Type<Object> object(Class<?> type) {
        return (Type<Object>) (Type<?>) Type.of(type);
    }

    private List<IntervalJoinOperator.Waiting<?>> kept(String side) {
        return states.entrySet().stream()
                .filter(state -> state.getKey().startsWith(side))
                .flatMap(state -> state.getValue().elements.stream())
                .<IntervalJoinOperator.Waiting<?>>map(each -> (IntervalJoinOperator.Waiting<?>) each)
                .toList();
    }

    @ParameterizedTest
    @CsvSource({"0, 40", "-40, 0", "-7, 13", "5, 6", "-30, -10", "100, 400", "0, 0"})
    void shouldKeepRecordsNoLongerThanAQuarterOfTheIntervalTooLong_withFewTimers(long lower, long upper)
            throws Exception {
        IntervalJoin join = new IntervalJoin(side(), side(), lower, upper, (left, right) -> left + " " + right);
        IntervalJoinOperator operator = new IntervalJoinOperator(join);
        operator.open(context());
        SplittableRandom random = new SplittableRandom(lower * 31 + upper);
        long quarter = Math.max(1, (upper - lower) / 4);
        List<Long> lefts = new ArrayList<>();
        List<Long> rights = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            time = watermark + 1 + random.nextInt(AHEAD_MS);
            if (random.nextBoolean()) {
                lefts.add(time);
                operator.processFirst(Optional.of(1L), time, output);
            } else {
                rights.add(time);
                operator.processSecond(Optional.of(1L), time, output);
            }
            if (random.nextInt(3) == 0) {
                watermark += random.nextInt(4);
                fire(operator);
            }
            kept("left")
                    .forEach(each -> assertThat(each.time() + join.leftWaitsMs() + quarter)
                            .isGreaterThan(watermark));
            kept("right")
                    .forEach(each -> assertThat(each.time() + join.rightWaitsMs() + quarter)
                            .isGreaterThan(watermark));
        }

        List<String> expected = new ArrayList<>();
        lefts.forEach(left -> rights.stream()
                .filter(right -> lower <= right - left && right - left <= upper)
                .forEach(right -> expected.add(left + " " + right)));
        pairs.sort(null);
        expected.sort(null);
        assertThat(pairs).isEqualTo(expected);
        assertThat(fired).as("timers").isLessThanOrEqualTo(watermark / quarter + 2);
        watermark += join.leftWaitsMs() + join.rightWaitsMs() + AHEAD_MS + quarter;
        fire(operator);
        assertThat(kept("left")).isEmpty();
        assertThat(kept("right")).isEmpty();
        assertThat(timers).isEmpty();
    }

    private void fire(IntervalJoinOperator operator) throws Exception {
        while (!timers.isEmpty() && timers.first() <= watermark) {
            long due = timers.pollFirst();
            fired++;
            operator.onTimer(Optional.of(1L), due, output);
        }
    }
}
