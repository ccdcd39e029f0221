// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** What one executor did. Any thread may count, where nothing else is said. */
final class Counts {
    final OwnedCounter emitted = new OwnedCounter();
    final OwnedCounter transferred = new OwnedCounter();

    /** Calls of {@code execute} that have begun, of tuples that count. */
    final OwnedCounter begun = new OwnedCounter();

    final OwnedCounter executed = new OwnedCounter();
    final OwnedCounter acked = new OwnedCounter();
    final OwnedCounter failed = new OwnedCounter();
    final Times execute = new Times();
    final Times process = new Times();
    final Times complete = new Times();
    final LongAdder errors = new LongAdder();
    volatile @Nullable String lastError;

    /** Called by the thread that will count nearly all of it. */
    void begin() {
        emitted.begin();
        transferred.begin();
        begun.begin();
        executed.begin();
        acked.begin();
        failed.begin();
    }

    /** Tuples that a bolt was given and has neither acked nor failed. */
    long open() {
        return begun.sum() - acked.sum() - failed.sum();
    }

    static ComponentStats of(Layout.Component component, List<Counts> executors, long elapsedNs) {
        Counts all = new Counts();
        double capacity = 0;
        for (Counts each : executors) {
            all.emitted.add(each.emitted.sum());
            all.transferred.add(each.transferred.sum());
            all.executed.add(each.executed.sum());
            all.acked.add(each.acked.sum());
            all.failed.add(each.failed.sum());
            all.execute.add(each.execute);
            all.process.add(each.process);
            all.complete.add(each.complete);
            all.errors.add(each.errors.sum());
            all.lastError = each.lastError == null ? all.lastError : each.lastError;
            double busyNs = each.execute.meanNs() * (double) each.executed.sum(); // by samples, so it may be too long
            capacity = Math.max(capacity, Math.min(1, busyNs / Math.max(1, elapsedNs)));
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
                all.execute.latency(),
                all.process.latency(),
                all.complete.latency(),
                capacity,
                all.errors.sum(),
                all.lastError);
    }
}
