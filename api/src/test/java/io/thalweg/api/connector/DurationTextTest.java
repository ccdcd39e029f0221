// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class DurationTextTest {
    @Test
    void shouldTellWhatIsLessThanASecondInMilliseconds() {
        assertThat(DurationText.of(Duration.ZERO)).isEqualTo("0 ms");
        assertThat(DurationText.of(Duration.ofNanos(999_999_999))).isEqualTo("999 ms");
        assertThat(DurationText.of(Duration.ofSeconds(1))).isEqualTo("1 s");
        assertThat(DurationText.of(Duration.ofMillis(1_499))).isEqualTo("1 s");
        assertThat(DurationText.of(Duration.ofMillis(1_500))).isEqualTo("2 s");
        assertThat(DurationText.of(Duration.ofHours(1))).isEqualTo("3600 s");
    }
}
