// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.stats.LateBy;
import io.thalweg.api.stats.LateRecords;
import io.thalweg.api.stats.LateSample;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LateLogTest {
    private final LateLog log = new LateLog();

    private LateRecords only() {
        assertThat(log.told()).hasSize(1);
        return log.told().get(0);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 7, 15, 16, 17, 31, 32, 33, 1_000, 5_101, 86_400_000, (1L << 60) - 1, 1L << 60})
    void shouldSayAtMostAnEighthMore(long ms) {
        log.add("window", ms);

        LateBy bound = only().lateBy().get(0);
        assertThat(bound.records()).isEqualTo(1);
        assertThat(bound.upToMs()).isBetween(ms, ms + ms / 8 + 1);
    }

    @Test
    void shouldTakeTimesThatAreUnknownOrBeyondAnyCalendar() {
        log.add("window", 0);
        log.add("window", Long.MIN_VALUE);
        assertThat(only()).isEqualTo(new LateRecords("window", 2, List.of(), List.of()));

        log.add("window", Long.MAX_VALUE);
        assertThat(only().byMs(1)).isEqualTo(1L << 60);
    }

    @Test
    void shouldKeepFewOfMany_andRecentOnes() {
        int asked = 0;
        for (int i = 1; i <= 1_000_000; i++) {
            if (log.add("window", i % 1_000 + 1)) {
                asked++;
                log.keep("window", new LateSample("record " + i, "", null, null, null, 1));
            }
        }

        assertThat(asked).isLessThan(100);
        assertThat(only().records()).isEqualTo(1_000_000);
        assertThat(only().lateBy().stream().mapToLong(LateBy::records).sum()).isEqualTo(1_000_000);
        assertThat(only().samples()).hasSize(LateRecords.MOST_SAMPLES);
        assertThat(Long.parseLong(only().samples()
                        .get(LateRecords.MOST_SAMPLES - 1)
                        .record()
                        .substring("record ".length())))
                .isGreaterThan(750_000);
        assertThat(only().byMs(0.5)).isBetween(500L, 600L);
        assertThat(only().byMs(0.99)).isBetween(990L, 1_100L);
    }

    @Test
    void shouldAddUpTasks() {
        LateSample a = new LateSample("a", "", null, null, null, 3);
        LateSample b = new LateSample("b", "", null, null, null, 3);
        LateRecords one = new LateRecords("window", 3, List.of(new LateBy(3, 3)), List.of(a, a, a, a, a));
        LateRecords other = new LateRecords("window", 4, List.of(new LateBy(1, 3), new LateBy(3, 1)), List.of(b));
        LateRecords join = new LateRecords("join", 8, List.of(), List.of());

        assertThat(LateRecords.byOperator(List.of(one, join, other)))
                .containsExactly(
                        join,
                        new LateRecords(
                                "window", 7, List.of(new LateBy(1, 3), new LateBy(3, 4)), List.of(a, a, a, b, a)));
        assertThat(join.byMs(1)).isZero();
    }

    /** Of users' classes nothing is known. */
    @Test
    void shouldPrintWhateverARecordIs() {
        assertThat(LateLog.text(null)).isEmpty();
        assertThat(LateLog.text("a\nb\u001b[31m")).isEqualTo("a b\\u001b[31m");
        assertThat(LateLog.text("x".repeat(1_000_000))).hasSize(200).endsWith("…");
        assertThat(LateLog.text("level 3".getBytes(StandardCharsets.UTF_8))).isEqualTo("level 3");
        assertThat(LateLog.text(new byte[1_000_000])).hasSizeLessThanOrEqualTo(200);
        assertThat(LateLog.text(new Object() {
                    @Override
                    @SuppressWarnings({"NullAway", "ToStringReturnsNull"}) // users' classes may do so
                    public String toString() {
                        return null;
                    }
                }))
                .isEqualTo("null");
        assertThat(LateLog.text(new Object() {
                    @Override
                    public String toString() {
                        throw new IllegalStateException("no text");
                    }
                }))
                .contains("LateLogTest", "whose toString() threw java.lang.IllegalStateException");
        assertThat(LateLog.text(new Object() {
                    @Override
                    public String toString() {
                        return "" + this;
                    }
                }))
                .contains("java.lang.StackOverflowError");
    }
}
