// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm.doctor;

import io.thalweg.doctor.observation.StormWorker;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Which workers there are, as executors tell. */
final class Workers {
    private Workers() {}

    static List<StormWorker> of(Collection<ExecutorTotals> executors) {
        Map<String, List<ExecutorTotals>> byWorker = new TreeMap<>();
        for (ExecutorTotals each : executors) {
            if (!each.worker().isEmpty()) {
                byWorker.computeIfAbsent(each.worker(), worker -> new ArrayList<>())
                        .add(each);
            }
        }
        List<StormWorker> workers = new ArrayList<>();
        byWorker.forEach((worker, own) -> {
            int colon = worker.lastIndexOf(':');
            workers.add(new StormWorker(
                    worker.substring(0, colon),
                    Integer.parseInt(worker.substring(colon + 1)),
                    own.size(),
                    own.stream().mapToLong(ExecutorTotals::uptime).max().orElse(0)));
        });
        return workers;
    }
}
