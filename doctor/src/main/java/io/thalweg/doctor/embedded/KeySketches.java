// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.embedded;

import io.thalweg.doctor.observation.KeyShare;
import io.thalweg.doctor.observation.KeyShares;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** How keys divide the records of a job's keyed edges. Thread-safe: tasks add to it while somebody reads. */
public final class KeySketches {
    private static final double DIGITS = 10_000;

    private record Place(String from, String to, int task) {}

    private final Map<Place, KeySketch> sketches = new ConcurrentHashMap<>();

    KeySketches() {}

    /** Where a task that emits along an edge tells the keys that it looks at: the same one after a restart. */
    public KeySketch along(String from, String to, int task) {
        return sketches.computeIfAbsent(new Place(from, to, task), place -> new KeySketch());
    }

    /** Of an edge, by all tasks; null if no key was looked at. */
    @Nullable KeyShares shares(String from, String to) {
        Map<Integer, Long> recordsByHash = new HashMap<>();
        long samples = 0;
        long records = 0;
        for (Map.Entry<Place, KeySketch> each : sketches.entrySet()) {
            if (each.getKey().from().equals(from) && each.getKey().to().equals(to)) {
                KeySketch sketch = each.getValue();
                sketch.addTo(recordsByHash);
                samples += sketch.samples();
                records += sketch.records(); // what came meanwhile makes shares too low, if anything
            }
        }
        if (samples == 0) {
            return null;
        }
        List<KeyShare> hottest = new ArrayList<>();
        for (Map.Entry<Integer, Long> each : recordsByHash.entrySet()) {
            double share = Math.floor(DIGITS * each.getValue() / records) / DIGITS;
            if (share >= KeyShares.LEAST) {
                hottest.add(new KeyShare(each.getKey(), share));
            }
        }
        hottest.sort(Comparator.comparingDouble(KeyShare::share).reversed().thenComparingInt(KeyShare::hash));
        return new KeyShares(samples, records, hottest);
    }
}
