// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm.doctor;

import io.thalweg.doctor.observation.StormBolt;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What became of tuples, over all spans together. Not thread-safe. */
final class Tracked {
    static final String ACKER = "__acker";
    private static final double MS_PER_SECOND = 1_000;

    private final Map<String, StormBolt> bolts = new TreeMap<>();
    /** Of all tuples that a bolt acked, together. */
    private final Map<String, Double> processMs = new TreeMap<>();

    private final Map<String, Double> ackersBusyMs = new TreeMap<>();
    private double acked;
    private double failed;
    private double completeMs;
    private double spanAcked;
    private double spanCompleteMs;

    /**
     * Of one executor, over a span.
     *
     * @param factor by which the span is longer than what was counted
     */
    void add(ExecutorTotals executor, double factor, long lengthSeconds, boolean spout) {
        if (spout) {
            acked += executor.acked() * factor;
            failed += executor.failed() * factor;
            completeMs += executor.completeMs() * factor;
            spanAcked += executor.acked() * factor;
            spanCompleteMs += executor.completeMs() * factor;
        } else if (executor.component().equals(ACKER)) {
            double busyMs = Math.min(lengthSeconds * MS_PER_SECOND, executor.busyMs() * factor);
            ackersBusyMs.merge(executor.name(), busyMs, Double::sum);
        } else if (!ExecutorTotals.isSystem(executor.component())) {
            bolts.merge(
                    executor.component(),
                    new StormBolt(
                            executor.component(),
                            Math.round(executor.in() * factor),
                            Math.round(executor.acked() * factor),
                            Math.round(executor.failed() * factor),
                            null,
                            false),
                    (one, other) -> new StormBolt(
                            one.bolt(),
                            one.executed() + other.executed(),
                            one.acked() + other.acked(),
                            one.failed() + other.failed(),
                            null,
                            false));
            processMs.merge(executor.component(), executor.completeMs() * factor, Double::sum);
        }
    }

    /** Tuples of spouts that were pending in the span that ends here, by Little's law; null if none was acked. */
    @Nullable Long pending(long lengthSeconds) {
        Long pending = spanAcked == 0 ? null : Math.round(spanCompleteMs / MS_PER_SECOND / lengthSeconds);
        spanAcked = 0;
        spanCompleteMs = 0;
        return pending;
    }

    long acked() {
        return Math.round(acked);
    }

    long failed() {
        return Math.round(failed);
    }

    /** On average; null if nothing was acked. */
    @Nullable Double completeMs() {
        return acked == 0 ? null : completeMs / acked;
    }

    /** @param shells those that run programs in other languages */
    List<StormBolt> bolts(Set<String> shells) {
        List<StormBolt> all = new ArrayList<>();
        for (StormBolt bolt : bolts.values()) {
            double together = processMs.getOrDefault(bolt.bolt(), 0.0);
            all.add(new StormBolt(
                    bolt.bolt(),
                    bolt.executed(),
                    bolt.acked(),
                    bolt.failed(),
                    bolt.acked() == 0 || together == 0 ? null : Double.valueOf(together / bolt.acked()),
                    shells.contains(bolt.bolt())));
        }
        return all;
    }

    /** Share of the time. */
    double busiestAcker(long seconds) {
        double most = ackersBusyMs.values().stream()
                .mapToDouble(Double::doubleValue)
                .max()
                .orElse(0);
        return seconds == 0 ? 0 : most / MS_PER_SECOND / seconds;
    }
}
