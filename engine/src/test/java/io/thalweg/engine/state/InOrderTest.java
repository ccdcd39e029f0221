// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class InOrderTest {
    private static final int STEPS = 20_000;

    /** Beside a tree of lists. Times rise, and fall back by up to so much; now more come than go, now fewer. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 10, 1_000_000})
    void shouldTakeOutByTime(int disorder) {
        SplittableRandom random = new SplittableRandom(disorder);
        InOrder order = new InOrder();
        TreeMap<Long, List<Integer>> expected = new TreeMap<>();
        for (int step = 0; step < STEPS; step++) {
            if (expected.isEmpty() || random.nextInt(10) < (step % 4_000 < 2_000 ? 7 : 3)) {
                long time = (long) step - random.nextInt(disorder);
                order.add(time, step);
                expected.computeIfAbsent(time, t -> new ArrayList<>()).add(step);
            } else {
                assertThat(order.firstTime()).isEqualTo(expected.firstKey());
                List<Integer> first = expected.firstEntry().getValue();
                assertThat(first.remove((Integer) order.removeFirst())).isTrue();
                if (first.isEmpty()) {
                    expected.pollFirstEntry();
                }
            }
        }
        List<Integer> left = new ArrayList<>();
        expected.values().forEach(left::addAll);
        assertThat(order.all())
                .containsExactlyInAnyOrder(left.stream().mapToInt(i -> i).toArray());
        assertThat(order.isEmpty()).isEqualTo(left.isEmpty());
    }
}
