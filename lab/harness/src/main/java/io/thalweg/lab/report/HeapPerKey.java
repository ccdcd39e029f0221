// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.report;

import io.thalweg.lab.result.CellResult;
import io.thalweg.lab.result.Results;
import io.thalweg.lab.result.RunResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * What an engine's state takes of the heap for a key: the difference of the live heaps of two cells that differ in their number of
 * keys alone, by the difference of these numbers. So what the engine takes without any key does not count.
 */
record HeapPerKey(CellResult few, CellResult many, double bytes) {
    private static final String KEYS = "cardinality";

    /** Of all cells whose live heap was measured with at least two numbers of keys, the least and the greatest of them. */
    static List<HeapPerKey> of(Results results) {
        Map<String, List<CellResult>> same = new TreeMap<>();
        for (CellResult cell : results.cells()) {
            if (!liveHeaps(cell).isEmpty() && cell.number(KEYS) != null) {
                Map<String, String> others = new TreeMap<>(cell.settings());
                others.remove(KEYS);
                same.computeIfAbsent(
                                cell.study() + " " + cell.engine() + " " + cell.variant() + " " + others,
                                none -> new ArrayList<>())
                        .add(cell);
            }
        }
        List<HeapPerKey> all = new ArrayList<>();
        for (List<CellResult> cells : same.values()) {
            CellResult few = cells.stream()
                    .min(Comparator.comparingLong(HeapPerKey::keys))
                    .orElseThrow();
            CellResult many = cells.stream()
                    .max(Comparator.comparingLong(HeapPerKey::keys))
                    .orElseThrow();
            if (keys(few) < keys(many)) {
                double bytes = (medianMb(many) - medianMb(few)) * (1 << 20) / (keys(many) - keys(few));
                all.add(new HeapPerKey(few, many, bytes));
            }
        }
        return all;
    }

    private static long keys(CellResult cell) {
        return Objects.requireNonNull(cell.number(KEYS)).longValue();
    }

    private static List<Double> liveHeaps(CellResult cell) {
        return cell.runs().stream()
                .filter(run -> run.reason() == null)
                .map(RunResult::liveHeapMb)
                .filter(Objects::nonNull)
                .sorted()
                .toList();
    }

    private static double medianMb(CellResult cell) {
        List<Double> heaps = liveHeaps(cell);
        return (heaps.get((heaps.size() - 1) / 2) + heaps.get(heaps.size() / 2)) / 2;
    }

    /** {@code windows.heap-running cardinality=1000000, thalweg fused: 61 bytes a key (median of 3 runs)}. */
    String line() {
        int runs = liveHeaps(many).size();
        return many.study() + "." + many.caseName() + ", " + many.engine() + " " + many.variant() + ": "
                + String.format(Locale.ROOT, "%,.0f", bytes) + " bytes a key"
                + (runs == 1 ? " (one run)" : " (median of " + runs + " runs)");
    }
}
