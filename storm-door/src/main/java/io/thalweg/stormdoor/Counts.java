// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** What one executor did. Any thread may count, where nothing else is said. */
final class Counts {
    final LongAdder emitted = new LongAdder();
    final LongAdder transferred = new LongAdder();

    /** One call at a time writes it, and {@link #execute}. */
    final AtomicLong executed = new AtomicLong();

    final LongAdder acked = new LongAdder();
    final LongAdder failed = new LongAdder();
    final Times execute = new Times();
    final Times process = new Times();
    final Times complete = new Times();
    final LongAdder errors = new LongAdder();
    volatile @Nullable String lastError;

    static ComponentStats of(Layout.Component component, List<Counts> executors, long elapsedNs) {
        Counts all = new Counts();
        double capacity = 0;
        for (Counts each : executors) {
            all.emitted.add(each.emitted.sum());
            all.transferred.add(each.transferred.sum());
            all.executed.getAndAdd(each.executed.getOpaque());
            all.acked.add(each.acked.sum());
            all.failed.add(each.failed.sum());
            all.execute.add(each.execute);
            all.process.add(each.process);
            all.complete.add(each.complete);
            all.errors.add(each.errors.sum());
            all.lastError = each.lastError == null ? all.lastError : each.lastError;
            capacity = Math.max(capacity, (double) each.execute.sumNs() / Math.max(1, elapsedNs));
        }
        return new ComponentStats(
                component.id(),
                component.spout(),
                executors.size(),
                component.tasks().size(),
                all.emitted.sum(),
                all.transferred.sum(),
                all.executed.get(),
                all.acked.sum(),
                all.failed.sum(),
                all.execute.latency(),
                all.process.latency(),
                all.complete.latency(),
                capacity,
                all.errors.sum(),
                all.lastError);
    }
}
