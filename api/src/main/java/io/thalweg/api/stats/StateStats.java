// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.stats;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How much state an operator keeps in memory. Arrays are counted exactly and objects by sampling, so {@code bytes} is
 * an estimate of the heap that the state takes. What an operator keeps in its own fields is not included.
 *
 * @param operator name of the operator in the topology
 * @param keys keys with state; a key counts once for each window that keeps it, and once for all states of an operator
 *     together
 * @param bytes of heap, estimated
 */
public record StateStats(String operator, long keys, long bytes) {
    /** Adds up the states of all tasks by operator, the largest first. */
    public static List<StateStats> byOperator(Collection<StateStats> ofTasks) {
        Map<String, StateStats> sums = new TreeMap<>();
        for (StateStats each : ofTasks) {
            sums.merge(each.operator(), each, StateStats::plus);
        }
        return sums.values().stream()
                .sorted(Comparator.comparingLong(StateStats::bytes).reversed())
                .toList();
    }

    /** The sum of two measurements of the same operator. */
    public StateStats plus(StateStats other) {
        return new StateStats(operator, keys + other.keys, bytes + other.bytes);
    }
}
