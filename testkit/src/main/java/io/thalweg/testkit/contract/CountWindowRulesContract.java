// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.PairFunction;
import io.thalweg.api.topology.KeyedStream;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.WindowResult;
import io.thalweg.api.window.Windows;
import io.thalweg.testkit.FaultySource;
import io.thalweg.testkit.Outcome;
import io.thalweg.testkit.TestRunner;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rules of count windows, for any runner: each result is that of a sublist of a key's records. */
@Timeout(900)
public abstract class CountWindowRulesContract {
    private static final long SEED = Long.getLong("thalweg.seed", 4711);
    private static final int KEYS = 5;

    /** A way to run topologies; at a parallelism of more than one it tests more. */
    protected abstract TestRunner road();

    private final Random random = new Random(SEED);
    private final Topology topology = Topology.named("counting");

    /** Of one split, so that each key has its records in this order. Some are bad when they are added. */
    private final List<Integer> numbers = random.ints(300, 0, 1_000).boxed().toList();

    private Stream<Integer> numbers() {
        return topology.from(new FaultySource<>(Type.of(Integer.class), numbers))
                .name("numbers");
    }

    private static boolean isBad(int number) {
        return number % 23 == 4;
    }

    private static long value(Integer number) {
        if (isBad(number)) {
            throw new BadRecordException("not to be added", number.toString());
        }
        return number;
    }

    private static Integer keyOf(Integer number) {
        return number % KEYS;
    }

    /** What a window of a number of records comes to, every so many records. */
    private static List<Object> sums(List<Integer> all, Object key, int size, int step) {
        List<Object> sums = new ArrayList<>();
        for (int from = 0; from < all.size(); from += step) {
            List<Integer> held = all.subList(from, Math.min(all.size(), from + size));
            long sum = held.stream().mapToLong(Integer::longValue).sum();
            sums.add(new WindowResult<>(key, 0, held.size(), sum));
        }
        return sums;
    }

    @Test
    void shouldFireWithTheLastRecord_andTheRestAtTheEnd() throws Exception {
        List<Integer> good = numbers.stream().filter(number -> !isBad(number)).toList();
        Map<Integer, List<Integer>> byKey =
                good.stream().collect(Collectors.groupingBy(CountWindowRulesContract::keyOf));
        Stream<Integer> stream = numbers();
        KeyedStream<Integer, Integer> keyed = stream.keyBy(CountWindowRulesContract::keyOf);
        Map<String, List<Object>> expected = new HashMap<>();
        for (int[] window : new int[][] {{1, 1}, {7, 7}, {1_000, 1_000}, {7, 3}, {6, 2}, {5, 1}, {3, 7}, {1, 2}}) {
            String name = "sums of " + window[0] + " by " + window[1];
            keyed.window(Windows.count(window[0], window[1]))
                    .aggregate(Aggregates.sum(CountWindowRulesContract::value))
                    .to(Sinks.discard())
                    .name(name);
            List<Object> sums = new ArrayList<>();
            byKey.forEach((key, all) -> sums.addAll(sums(all, key, window[0], window[1])));
            expected.put(name, sums);
        }
        stream.filter(number -> number % 2 == 1 && !isBad(number))
                .window(Windows.count(40))
                .aggregate(Aggregates.sum(Integer::longValue))
                .map(WindowResult::value)
                .to(Sinks.discard())
                .name("without a key");
        expected.put(
                "without a key",
                sums(good.stream().filter(number -> number % 2 == 1).toList(), "", 40, 40).stream()
                        .<Object>map(each -> ((WindowResult<?, ?>) each).value())
                        .toList());

        Outcome outcome = road().run(topology.graph());

        expected.forEach((name, sums) ->
                assertThat(outcome.sink(name)).as("%s, seed %d", name, SEED).containsExactlyInAnyOrderElementsOf(sums));
        assertThat(outcome.bad()).isEqualTo(8L * (numbers.size() - good.size()));
    }

    @Test
    void shouldRefuseToJoinInThem() {
        PairFunction<Integer, Integer, Integer> sum = Integer::sum;
        Stream<Integer> numbers = numbers();
        assertThatThrownBy(() -> numbers.join(numbers)
                        .where(CountWindowRulesContract::keyOf)
                        .equalTo(CountWindowRulesContract::keyOf)
                        .window(Windows.count(5))
                        .inner(sum))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("two streams cannot be joined in windows of tumbling 5 records");
    }
}
