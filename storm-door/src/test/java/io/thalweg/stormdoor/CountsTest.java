// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.ComponentObject;
import org.apache.storm.generated.GlobalStreamId;
import org.junit.jupiter.api.Test;

final class CountsTest {
    private static double capacity(Counts counts, Duration elapsed) {
        Layout.Component bolt =
                new Layout.Component("bolt", false, new ComponentObject(), Map.of(), List.of(List.of(1)));
        return Counts.of(bolt, List.of(counts), elapsed.toNanos()).capacity();
    }

    /** Few tuples are timed, and one of those may be the one during which the machine did something else. */
    @Test
    void shouldTakeNoExecutorForBusierThanItCanBe() {
        GlobalStreamId from = new GlobalStreamId("spout", "default");
        Counts counts = new Counts(List.of(), List.of(from), Map.of());
        counts.received().get(0).executed.add(100);
        counts.execute.add(Duration.ofMillis(50).toNanos());
        assertThat(capacity(counts, Duration.ofSeconds(10))).isCloseTo(0.5, within(0.01));
        assertThat(capacity(counts, Duration.ofSeconds(1))).isEqualTo(1);
    }
}
