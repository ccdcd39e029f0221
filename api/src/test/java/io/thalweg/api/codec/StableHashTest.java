// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.codec;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Constants, because saved state lies where these numbers say. */
final class StableHashTest {
    @Test
    void shouldMixAsMurmurDoes() {
        assertThat(StableHash.mix(0)).isZero();
        assertThat(StableHash.mix(1)).isEqualTo(0x514e28b7);
        assertThat(StableHash.mix(-1)).isEqualTo(0x81f16f39);
    }

    @Test
    void shouldPlaceKeysAlways() {
        assertThat(StableHash.keyGroup("a".hashCode())).isEqualTo(25);
        assertThat(StableHash.keyGroup("Germany".hashCode())).isEqualTo(26);
        assertThat(StableHash.keyGroup(Long.hashCode(4_711))).isEqualTo(48);
    }

    @Test
    void shouldGiveEachTaskItsShareOfTheGroups() {
        for (int parallelism = 1; parallelism <= StableHash.KEY_GROUPS; parallelism++) {
            int[] groups = new int[parallelism];
            int last = 0;
            for (int group = 0; group < StableHash.KEY_GROUPS; group++) {
                int task = StableHash.taskOf(group, parallelism);
                assertThat(task).as("groups of a task lie together").isBetween(last, last + 1);
                groups[task]++;
                last = task;
            }
            assertThat(groups).as("parallelism %s", parallelism).doesNotContain(0);
            assertThat(last).isEqualTo(parallelism - 1);
        }
    }
}
