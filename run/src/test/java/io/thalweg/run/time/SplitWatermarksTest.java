// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run.time;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.SplitAlignment;
import org.junit.jupiter.api.Test;

final class SplitWatermarksTest {
    private static final long IDLE_NS = 1_000_000;

    private final SplitAlignment alignment = new SplitAlignment(100);
    private final SplitWatermarks splits = new SplitWatermarks(1, alignment);

    @Test
    void shouldIgnoreSplitsWithoutRecords_onceTheyAreIdle() {
        splits.splits(2);
        splits.set(0, 10);
        splits.polled(1);
        splits.seen(0);
        splits.polled(IDLE_NS);

        assertThat(splits.least(IDLE_NS)).isEqualTo(SplitWatermarks.NOT_SEEN);
        assertThat(splits.least(IDLE_NS + 1)).isEqualTo(10);
        assertThat(splits.least(2 * IDLE_NS)).isEqualTo(SplitWatermarks.IDLE);
        assertThat(splits.slowest(2 * IDLE_NS)).isEqualTo(SplitAlignment.NOT_AWAITED);
    }

    @Test
    void shouldNotTakeASplitForIdle_thatWasNeverPolled() {
        splits.splits(1);

        assertThat(splits.least(5 * IDLE_NS)).isEqualTo(SplitWatermarks.NOT_SEEN);
    }

    @Test
    void shouldNotCountTheTime_inWhichNothingCouldBePolled() {
        splits.splits(1);
        splits.set(0, 10);
        splits.polled(1);
        splits.notPolled(3 * IDLE_NS);

        assertThat(splits.least(4 * IDLE_NS)).isEqualTo(10);
        assertThat(splits.least(4 * IDLE_NS + 1)).isEqualTo(SplitWatermarks.IDLE);
    }

    @Test
    void shouldNotTakeASplitForIdle_thatWaitsForASlowerOne() {
        splits.splits(1);
        splits.set(0, 1_000);
        splits.polled(1);
        splits.align(10, 1);

        assertThat(alignment.held(0)).isTrue();
        assertThat(splits.least(5 * IDLE_NS)).isEqualTo(1_000);

        splits.align(10, 5 * IDLE_NS);
        splits.align(1_000, 5 * IDLE_NS + 1);

        assertThat(alignment.held(0)).isFalse();
        assertThat(splits.least(6 * IDLE_NS - 1)).as("it has waited until now").isEqualTo(1_000);
        assertThat(splits.least(6 * IDLE_NS)).isEqualTo(SplitWatermarks.IDLE);
    }

    @Test
    void shouldIgnoreSplitsThatHaveEnded() {
        splits.splits(2);
        splits.set(1, 20);
        splits.end(0);

        assertThat(splits.least(1)).isEqualTo(20);
        assertThat(splits.allEnded()).isFalse();

        splits.end(1);

        assertThat(splits.least(1)).isEqualTo(Long.MAX_VALUE);
        assertThat(splits.allEnded()).isTrue();
    }

    @Test
    void shouldBeginADiscoveredSplit_whereTheOthersAre() {
        splits.splits(1);
        splits.set(0, 20);

        int second = splits.add(1, 5);
        splits.end(0);
        splits.end(second);
        int third = splits.add(1, 5);

        assertThat(splits.of(second)).isEqualTo(20);
        assertThat(splits.of(third)).isEqualTo(5);
        assertThat(splits.count()).isEqualTo(3);
    }
}
