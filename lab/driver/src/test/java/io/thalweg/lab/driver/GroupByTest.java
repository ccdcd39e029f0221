// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class GroupByTest {
    @Test
    void shouldBringEveryKeyAboutEquallyOften() {
        GroupBy data = new GroupBy(Cell.of(Map.of("dimensions", "3", "cardinality", "100"), Path.of("")));
        Map<GroupBy.Key, Integer> counts = new HashMap<>();
        for (long n = 0; n < 100_000; n++) {
            counts.merge(new GroupBy.Key(data.dimensions(n)), 1, Integer::sum);
        }
        assertThat(counts).hasSize(100);
        assertThat(counts.values()).allMatch(count -> count > 850 && count < 1_150);
    }

    @Test
    void shouldPutAWindowOfRecordsIntoASecondOfEventTime() {
        GroupBy data = new GroupBy(Cell.of(Map.of("window", "5000"), Path.of("")));
        assertThat(data.timeMs(4_999)).isEqualTo(999);
        assertThat(data.timeMs(5_000)).isEqualTo(1_000);
        assertThat(data.measures(7)[0]).isEqualTo(7);
    }

    @Test
    void shouldPutSecondsOfTheWallClockIntoAWindow() {
        GroupBy data = new GroupBy(Cell.of(Map.of("workload", "group-by", "emission-s", "300"), Path.of("")));
        long before = System.currentTimeMillis() / 300;
        long first = data.timeMs(0);
        assertThat(first).isBetween(before, System.currentTimeMillis() / 300);
        assertThat(data.timeMs(1)).as("the clock is not read for each record").isEqualTo(first);
        assertThat(data.timeMs(256)).isGreaterThanOrEqualTo(first);
    }
}
