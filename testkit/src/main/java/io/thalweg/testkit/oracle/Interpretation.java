// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.oracle;

import java.util.List;
import java.util.Map;

/**
 * The result of a topology.
 *
 * @param sinks the records of each sink, by its name
 * @param bad how many records were bad, by operator; those without any are left out
 * @param late how many records were late for all their windows, by operator; those without any are left out
 */
public record Interpretation(Map<String, List<Element>> sinks, Map<String, Long> bad, Map<String, Long> late) {
    /** What a sink received, with event times. */
    public List<Element> elements(String sink) {
        List<Element> elements = sinks.get(sink);
        if (elements == null) {
            throw new IllegalArgumentException("there is no sink '" + sink + "', but " + sinks.keySet());
        }
        return elements;
    }

    /** What a sink received. */
    public List<Object> values(String sink) {
        return elements(sink).stream().map(Element::value).toList();
    }

    /** The number of bad records. */
    public long recordsBad() {
        return bad.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The number of late records. */
    public long recordsLate() {
        return late.values().stream().mapToLong(Long::longValue).sum();
    }
}
