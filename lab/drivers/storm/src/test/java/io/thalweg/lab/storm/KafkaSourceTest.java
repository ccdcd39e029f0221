// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.storm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class KafkaSourceTest {
    /** Otherwise a run in which tuples fail would have sent more than there is, and not count. */
    @Test
    void shouldCountWhatIsReadAgainOnce() {
        KafkaSource.Offsets offsets = new KafkaSource.Offsets();
        assertThat(offsets.isFirst(0, 0)).isTrue();
        assertThat(offsets.isFirst(2, 0)).isTrue();
        assertThat(offsets.isFirst(0, 1)).isTrue();
        assertThat(offsets.isFirst(0, 0)).isFalse();
        assertThat(offsets.isFirst(0, 1)).isFalse();
        assertThat(offsets.isFirst(0, 2)).isTrue();
        assertThat(offsets.isFirst(2, 1)).isTrue();
    }
}
