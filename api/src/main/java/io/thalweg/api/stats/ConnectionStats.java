// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.stats;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How often, and for how long, an operator has been without a system that it talks to, such as a database. Only systems
 * that were lost at least once are listed. A task counts from when it notices.
 *
 * @param operator name of the operator in the topology
 * @param system {@code Kafka at 127.0.0.1:9092}
 * @param reason of the newest loss
 * @param timesLost number of losses
 * @param lostNs how long the system was lost in all, in nanoseconds, until now
 * @param lostForNs how long it has been lost now, in nanoseconds; 0 if it is available
 */
public record ConnectionStats(
        String operator, String system, String reason, long timesLost, long lostNs, long lostForNs)
        implements Serializable {
    /** True if the operator waits for it now. */
    public boolean isLost() {
        return lostForNs > 0;
    }

    /**
     * For each operator and system, what the tasks say together. Tasks of one operator lose a system together, so times and
     * durations are those of the task that has the most.
     */
    public static List<ConnectionStats> merged(Collection<ConnectionStats> ofTasks) {
        Map<List<String>, ConnectionStats> all = new LinkedHashMap<>();
        for (ConnectionStats each : ofTasks) {
            all.merge(List.of(each.operator, each.system), each, ConnectionStats::with);
        }
        return new ArrayList<>(all.values());
    }

    private ConnectionStats with(ConnectionStats other) {
        return new ConnectionStats(
                operator,
                system,
                other.lostForNs > lostForNs ? other.reason : reason,
                Math.max(timesLost, other.timesLost),
                Math.max(lostNs, other.lostNs),
                Math.max(lostForNs, other.lostForNs));
    }
}
