// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import io.thalweg.api.operator.Aggregate;
import io.thalweg.api.window.WindowResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Does what an engine would do: takes every record in its turn, drops the late ones, and adds up the others. */
final class BruteForce {
    private record Group(long window, DimensionKey key) {}

    final List<TelecomRow> rows = new ArrayList<>();
    final long dropped;

    private BruteForce(long dropped) {
        this.dropped = dropped;
    }

    static BruteForce of(TelecomSettings settings, List<TelecomDimension> dimensions) throws Exception {
        List<Probe> probes = Drained.of(TelecomSource.records(settings)).values();
        return sum(probes, settings.maxDisorder().toMillis(), dimensions, TelecomSums.aggregate());
    }

    private static <A> BruteForce sum(
            List<Probe> probes,
            long boundMs,
            List<TelecomDimension> dimensions,
            Aggregate<Probe, A, TelecomSums> aggregate)
            throws Exception {
        Map<Group, A> accumulators = new LinkedHashMap<>();
        Lateness lateness = new Lateness(boundMs);
        for (Probe probe : probes) {
            if (lateness.admits(probe.time())) {
                long window = (probe.time() - TelecomSize.FIRST_WINDOW_MS) / TelecomSize.WINDOW_MS;
                Group group = new Group(window, DimensionKey.by(dimensions).apply(probe));
                aggregate.add(accumulators.computeIfAbsent(group, g -> aggregate.create()), probe);
            }
        }
        long dropped = lateness.droppedOfWindow.values().stream()
                .mapToLong(Integer::longValue)
                .sum();
        BruteForce result = new BruteForce(dropped);
        for (Map.Entry<Group, A> entry : accumulators.entrySet()) {
            long window = entry.getKey().window();
            result.rows.add(TelecomRow.of(new WindowResult<>(
                    entry.getKey().key(),
                    TelecomSize.windowStartMs(window),
                    TelecomSize.windowStartMs(window + 1),
                    aggregate.result(entry.getValue()))));
        }
        return result;
    }
}
