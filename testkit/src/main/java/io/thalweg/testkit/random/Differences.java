// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.random;

import io.thalweg.testkit.Outcome;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** The differences between the results of two runners. */
public final class Differences {
    private Differences() {}

    /** Of sinks, and of how many records were bad or late; empty if there is none. */
    public static String between(Outcome expected, Outcome found) {
        String text = ofSinks(expected, found);
        Map<String, Long> counts = new LinkedHashMap<>();
        counts.put("bad", found.bad() - expected.bad());
        counts.put("late", found.late() - expected.late());
        counts.values().removeIf(count -> count == 0);
        return counts.isEmpty() ? text : text + "  more than should be: " + counts;
    }

    /** The first differences between the sinks of two outcomes, in words; empty if there are none. */
    public static String ofSinks(Outcome expected, Outcome found) {
        Map<String, Map<Object, Integer>> shouldBe = RandomTopology.settled(expected);
        StringBuilder text = new StringBuilder();
        RandomTopology.settled(found).forEach((sink, is) -> {
            Map<Object, Integer> more = new HashMap<>(is);
            shouldBe.getOrDefault(sink, Map.of()).forEach((record, count) -> more.merge(record, -count, Integer::sum));
            more.values().removeIf(count -> count == 0);
            if (!more.isEmpty()) {
                Map<String, Integer> first = new TreeMap<>();
                more.entrySet().stream().limit(50).forEach(each -> first.put("" + each.getKey(), each.getValue()));
                text.append("  ")
                        .append(sink)
                        .append(", so many more than should be: ")
                        .append(first);
                text.append(more.size() > 50 ? " …\n" : "\n");
            }
        });
        return text.toString();
    }
}
