// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.storm.Config;

/** Which options count that a component sets for itself: of Storm's own, those that Storm takes from a component, and all others. */
final class ComponentOptions {
    /** What Storm's executor keeps; and the last one, which it drops although {@code BaseWindowedBolt.withWatermarkInterval} sets it. */
    private static final List<String> OF_COMPONENTS = List.of(
            Config.TOPOLOGY_DEBUG,
            Config.TOPOLOGY_MAX_SPOUT_PENDING,
            Config.TOPOLOGY_MAX_TASK_PARALLELISM,
            Config.TOPOLOGY_TRANSACTIONAL_ID,
            Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS,
            Config.TOPOLOGY_SLEEP_SPOUT_WAIT_STRATEGY_TIME_MS,
            Config.TOPOLOGY_SPOUT_WAIT_STRATEGY,
            Config.TOPOLOGY_BOLTS_WINDOW_LENGTH_COUNT,
            Config.TOPOLOGY_BOLTS_WINDOW_LENGTH_DURATION_MS,
            Config.TOPOLOGY_BOLTS_SLIDING_INTERVAL_COUNT,
            Config.TOPOLOGY_BOLTS_SLIDING_INTERVAL_DURATION_MS,
            Config.TOPOLOGY_BOLTS_TUPLE_TIMESTAMP_MAX_LAG_MS,
            Config.TOPOLOGY_BOLTS_MESSAGE_ID_FIELD_NAME,
            Config.TOPOLOGY_STATE_PROVIDER,
            Config.TOPOLOGY_STATE_PROVIDER_CONFIG,
            Config.TOPOLOGY_BOLTS_LATE_TUPLE_STREAM,
            Config.TOPOLOGY_BOLTS_WATERMARK_EVENT_INTERVAL_MS);

    /** Those of Storm that only a topology may set. */
    private static final Set<String> OF_TOPOLOGIES = ofTopologies();

    private ComponentOptions() {}

    private static Set<String> ofTopologies() {
        Set<String> all = new HashSet<>();
        for (Field option : Config.class.getFields()) {
            try {
                if (option.get(null) instanceof String name) {
                    all.add(name);
                }
            } catch (IllegalAccessException e) {
                throw new IllegalStateException("the options of Storm are not as those of 2.8", e);
            }
        }
        OF_COMPONENTS.forEach(all::remove);
        return Set.copyOf(all);
    }

    /** Those of a component's own that count over the topology's. */
    static Map<String, Object> counting(Map<String, Object> own, Map<String, Object> ofTopology) {
        Map<String, Object> all = new HashMap<>(own);
        all.keySet().removeAll(OF_TOPOLOGIES);
        if (ofTopology.get(StormDoor.STATE_DIRECTORY) != null) { // which takes the place of every provider
            all.remove(Config.TOPOLOGY_STATE_PROVIDER);
        }
        return all;
    }
}
