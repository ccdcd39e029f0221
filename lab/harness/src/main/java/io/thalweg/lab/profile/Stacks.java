// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.profile;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How often, or with how much, each stack was seen: a tree from the outermost call to the innermost. */
final class Stacks {
    private final Map<String, Stacks> callees = new LinkedHashMap<>();
    private long total;
    private long own;

    /** Adds one stack, its outermost call first. */
    void add(List<String> calls, long weight) {
        Stacks at = this;
        at.total += weight;
        for (String call : calls) {
            at = at.callees.computeIfAbsent(call, name -> new Stacks());
            at.total += weight;
        }
        at.own += weight;
    }

    /** Of all stacks that go through here. */
    long total() {
        return total;
    }

    /** What is called from here, in the order of names, so that the same calls stand in the same place in two pages. */
    List<Map.Entry<String, Stacks>> callees() {
        List<Map.Entry<String, Stacks>> sorted = new ArrayList<>(callees.entrySet());
        sorted.sort(Map.Entry.comparingByKey());
        return sorted;
    }

    /** By the innermost call of each stack, the heaviest first. */
    List<Map.Entry<String, Long>> innermost() {
        Map<String, Long> sums = new LinkedHashMap<>();
        addInnermost("", sums);
        sums.remove("");
        List<Map.Entry<String, Long>> sorted = new ArrayList<>(sums.entrySet());
        sorted.sort(Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()));
        return sorted;
    }

    private void addInnermost(String name, Map<String, Long> sums) {
        if (own > 0) {
            sums.merge(name, own, Long::sum);
        }
        callees.forEach((callee, stacks) -> stacks.addInnermost(callee, sums));
    }
}
