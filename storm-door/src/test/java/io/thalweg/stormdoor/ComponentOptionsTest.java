// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.storm.Config;
import org.junit.jupiter.api.Test;

final class ComponentOptionsTest {
    @Test
    void shouldKeepWhatAWindowedBoltSets() {
        Map<String, Object> own = Map.of(
                Config.TOPOLOGY_BOLTS_WATERMARK_EVENT_INTERVAL_MS, 100,
                Config.TOPOLOGY_BOLTS_TUPLE_TIMESTAMP_MAX_LAG_MS, 50);
        assertThat(ComponentOptions.counting(own, Map.of())).isEqualTo(own);
    }

    /** State that is kept in files is kept for all components. */
    @Test
    void shouldKeepAStateProviderOfItsOwn_unlessStateIsKeptInFiles() {
        Map<String, Object> own = Map.of(Config.TOPOLOGY_STATE_PROVIDER, "org.example.Provider");
        assertThat(ComponentOptions.counting(own, Map.of())).isEqualTo(own);
        assertThat(ComponentOptions.counting(own, Map.of(StormDoor.STATE_DIRECTORY, "state")))
                .isEmpty();
    }
}
