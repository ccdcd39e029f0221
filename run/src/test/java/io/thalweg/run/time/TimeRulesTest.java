// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.operator.OperatorContext;
import org.junit.jupiter.api.Test;

final class TimeRulesTest {
    @Test
    void shouldSetAWatermarkOneMillisecondBeforeWhatMayStillCome() {
        assertThat(EventTimeRules.watermarkAfter(5, 100, 10)).isEqualTo(89);
        assertThat(EventTimeRules.watermarkAfter(95, 100, 10)).isEqualTo(95);
        assertThat(EventTimeRules.watermarkAfter(5, -100, Long.MAX_VALUE)).isEqualTo(5);
    }

    @Test
    void shouldRefuseTimesThatOverflow() {
        assertThat(EventTimeRules.inRange(1L << 61)).isTrue();
        assertThat(EventTimeRules.inRange((1L << 61) + 1)).isFalse();
        assertThat(EventTimeRules.inRange(Long.MIN_VALUE)).isFalse();
    }

    @Test
    void shouldEmitOnlyAtOrAfterTheCurrentTime() {
        EventTimeRules.checkEmitAt(10, true, 10);

        assertThatThrownBy(() -> EventTimeRules.checkEmitAt(9, true, 10)).hasMessageContaining("before the current");
        assertThatThrownBy(() -> EventTimeRules.checkEmitAt(10, false, 10)).hasMessageContaining("needs a current");
        assertThatThrownBy(() -> EventTimeRules.checkEmitAt(10, true, OperatorContext.NO_TIME))
                .hasMessageContaining("needs a current");
    }

    @Test
    void shouldCloseAWindowByTheAllowedLatenessAfterItsEnd() {
        assertThat(WindowTimes.complete(100)).isEqualTo(99);
        assertThat(WindowTimes.closed(100, 7)).isEqualTo(106);
        assertThat(WindowTimes.due(100, false, 7)).isEqualTo(99);
        assertThat(WindowTimes.due(100, true, 7)).isEqualTo(106);
        assertThat(WindowTimes.closed(1L << 61, WindowTimes.lateness(Long.MAX_VALUE)))
                .isGreaterThan(1L << 61);
    }

    @Test
    void shouldJoinSessionsThatTouch() {
        assertThat(SessionRules.touch(10, 20, 20, 30)).isTrue();
        assertThat(SessionRules.touch(20, 30, 10, 20)).isTrue();
        assertThat(SessionRules.touch(10, 20, 21, 30)).isFalse();
    }

    @Test
    void shouldFireASessionAgain_onlyIfItIsCompleteByTheStampOfTheRecord() {
        assertThat(SessionRules.firesAgain(true, 100, 99)).isTrue();
        assertThat(SessionRules.firesAgain(true, 100, 98)).isFalse();
        assertThat(SessionRules.firesAgain(false, 100, 99)).isFalse();
    }

    @Test
    void shouldPassWatermarksThatPassAStep() {
        WatermarkFilter filter = new WatermarkFilter(10);

        assertThat(filter.lets(3)).isTrue();
        assertThat(filter.lets(8)).isFalse();
        assertThat(filter.lets(9)).as("completes the window that ends at 10").isTrue();
        assertThat(filter.lets(SplitWatermarks.IDLE)).isTrue();
        assertThat(filter.lets(SplitWatermarks.IDLE)).isFalse();
        filter.recordsSent();
        assertThat(filter.lets(SplitWatermarks.IDLE)).as("records ended it").isTrue();
        assertThat(filter.lets(9)).as("no longer idle").isTrue();
        assertThat(new WatermarkFilter(0).lets(9)).isFalse();
    }
}
