// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** What one executor did. Any thread may count. */
final class Counts {
    private static final double NS_PER_MS = 1_000_000;

    final LongAdder emitted = new LongAdder();
    final LongAdder transferred = new LongAdder();
    final LongAdder executed = new LongAdder();
    final LongAdder acked = new LongAdder();
    final LongAdder failed = new LongAdder();
    final LongAdder executeNs = new LongAdder();
    final LongAdder processNs = new LongAdder();
    final LongAdder completeNs = new LongAdder();
    final LongAdder errors = new LongAdder();
    volatile @Nullable String lastError;

    static ComponentStats of(Layout.Component component, List<Counts> executors, long elapsedNs) {
        Counts all = new Counts();
        double capacity = 0;
        for (Counts each : executors) {
            all.emitted.add(each.emitted.sum());
            all.transferred.add(each.transferred.sum());
            all.executed.add(each.executed.sum());
            all.acked.add(each.acked.sum());
            all.failed.add(each.failed.sum());
            all.executeNs.add(each.executeNs.sum());
            all.processNs.add(each.processNs.sum());
            all.completeNs.add(each.completeNs.sum());
            all.errors.add(each.errors.sum());
            all.lastError = each.lastError == null ? all.lastError : each.lastError;
            capacity = Math.max(capacity, (double) each.executeNs.sum() / Math.max(1, elapsedNs));
        }
        return new ComponentStats(
                component.id(),
                component.spout(),
                executors.size(),
                component.tasks().size(),
                all.emitted.sum(),
                all.transferred.sum(),
                all.executed.sum(),
                all.acked.sum(),
                all.failed.sum(),
                mean(all.executeNs, all.executed),
                mean(all.processNs, all.acked),
                mean(all.completeNs, all.acked),
                capacity,
                all.errors.sum(),
                all.lastError);
    }

    private static double mean(LongAdder ns, LongAdder times) {
        long count = times.sum();
        return count == 0 ? 0 : (double) ns.sum() / NS_PER_MS / (double) count;
    }
}
