// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Against sizes that JOL 0.17 prints for a JVM with compressed references. */
final class HeapSizeTest {
    record Point(long x, int y) {}

    record Named(String name, @Nullable Point at) {}

    @BeforeEach
    void setUp() {
        assumeThat(HeapSize.REFERENCE).isEqualTo(4);
    }

    @Test
    void shouldCountObjectsAndWhatTheyReferTo() {
        assertThat(HeapSize.of(null)).isZero();
        assertThat(HeapSize.of(1)).isEqualTo(16);
        assertThat(HeapSize.of(1L)).isEqualTo(24);
        assertThat(HeapSize.of("abcd")).isEqualTo(24 + 24);
        assertThat(HeapSize.of(new Point(1, 2))).isEqualTo(24);
        assertThat(HeapSize.of(new Named("abcd", new Point(1, 2)))).isEqualTo(24 + 48 + 24);
        assertThat(HeapSize.of(new Named("abcd", null))).isEqualTo(24 + 48);
        assertThat(HeapSize.of(new long[4])).isEqualTo(16 + 32);
        assertThat(HeapSize.of(new Object[] {1, 2, 3})).isEqualTo(32 + 3 * 16);
        assertThat(HeapSize.of(Thread.State.NEW)).isZero();
    }

    @Test
    void shouldEstimateCollectionsByTheirSize() {
        List<Long> list = new ArrayList<>();
        Map<Integer, Long> map = new HashMap<>();
        for (int i = 0; i < 1_000; i++) {
            list.add((long) i);
            map.put(i, (long) i);
        }

        assertThat(HeapSize.of(list)).isBetween(1_000L * (24 + 4), 1_000L * (24 + 4) + 100);
        assertThat(HeapSize.of(map)).isBetween(1_000L * (32 + 16 + 24), 1_000L * (32 + 16 + 24 + 8) + 100);
        assertThat(HeapSize.of(IntStream.range(0, 500).boxed().toArray())).isEqualTo(16 + 500 * 4 + 500 * 16);
    }

    /** Only so deep, so that it ends. */
    @Test
    void shouldEndWithObjectsThatReferToEachOther() {
        List<Object> list = new ArrayList<>();
        list.add(list);

        assertThat(HeapSize.of(list)).isPositive();
    }
}
