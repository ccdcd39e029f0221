// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import java.util.List;
import java.util.Map;

/**
 * The results of a topology on one {@link TestRunner}.
 *
 * @param sinks the records that each sink received, by its name
 * @param bad number of bad records
 * @param late number of records that were late for all their windows
 */
public record Outcome(Map<String, List<Object>> sinks, long bad, long late) {
    /** The records that a sink received. */
    public List<Object> sink(String name) {
        List<Object> records = sinks.get(name);
        if (records == null) {
            throw new IllegalArgumentException("there is no sink '" + name + "', but " + sinks.keySet());
        }
        return records;
    }
}
