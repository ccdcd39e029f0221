// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import java.util.List;
import java.util.Map;

/**
 * What a topology came to on some road.
 *
 * @param sinks what each sink was handed, by its name
 * @param bad records that were bad
 * @param late records that were late for all their windows
 */
public record Outcome(Map<String, List<Object>> sinks, long bad, long late) {
    public List<Object> sink(String name) {
        List<Object> records = sinks.get(name);
        if (records == null) {
            throw new IllegalArgumentException("there is no sink '" + name + "', but " + sinks.keySet());
        }
        return records;
    }
}
