// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.stage;

import io.thalweg.api.graph.ExpiringStates;
import io.thalweg.flink.record.StableKey;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.streaming.api.operators.InternalTimer;
import org.apache.flink.streaming.api.operators.Triggerable;
import org.jspecify.annotations.Nullable;

/**
 * Removes the expired state of one task, when Flink's timers say so. That by event time is removed after the timers up to the watermark,
 * which may read it, have fired.
 */
final class Expiries implements Triggerable<StableKey, VoidNamespace> {
    private final Consumer<StableKey> enter;
    private final Set<StableKey> due = new LinkedHashSet<>();
    private @Nullable ExpiringStates states;

    /** @param enter makes a key the current one */
    Expiries(Consumer<StableKey> enter) {
        this.enter = enter;
    }

    /** Before the first timer. */
    void of(ExpiringStates expiring) {
        states = expiring;
    }

    @Override
    public void onEventTime(InternalTimer<StableKey, VoidNamespace> timer) {
        due.add(timer.getKey());
    }

    @Override
    public void onProcessingTime(InternalTimer<StableKey, VoidNamespace> timer) {
        clean(false, timer.getTimestamp());
    }

    /** All timers up to the watermark have fired. */
    void onWatermark(long reached) {
        for (StableKey key : due) {
            enter.accept(key);
            clean(true, reached);
        }
        due.clear();
    }

    private void clean(boolean eventTime, long reached) {
        if (states != null) {
            states.clean(eventTime, reached);
        }
    }
}
