// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import org.jspecify.annotations.Nullable;

/**
 * What a component did so far, under the names that Storm's UI has for it. All counts are exact; ticks are not counted.
 *
 * @param component its id
 * @param spout false for a bolt
 * @param executors its threads
 * @param tasks its instances
 * @param emitted calls of {@code emit}
 * @param transferred tuples that were sent to a task: one for each task that an emitted tuple went to
 * @param executed tuples given to a bolt
 * @param acked of a bolt: tuples that it acked; of a spout: trees that were completed
 * @param failed of a bolt: tuples that it failed; of a spout: trees that failed or timed out
 * @param execute time that a bolt takes for a tuple
 * @param process time from when a bolt is given a tuple until it acks it
 * @param complete of a spout: time from {@code emit} until the tree was complete
 * @param capacity of its busiest executor: the part of the time that it was busy with tuples
 * @param errors how often {@code reportError} was called
 * @param lastError what it was told last; null if nothing
 */
public record ComponentStats(
        String component,
        boolean spout,
        int executors,
        int tasks,
        long emitted,
        long transferred,
        long executed,
        long acked,
        long failed,
        Latency execute,
        Latency process,
        Latency complete,
        double capacity,
        long errors,
        @Nullable String lastError) {
    /**
     * How long something took, in milliseconds, of as many tuples as {@code topology.stats.sample.rate} says: one in 20 unless the
     * topology sets it. Percentiles are exact to one part in a hundred and to a microsecond.
     *
     * @param times how often the time was taken
     * @param p50 half of them took no longer
     */
    public record Latency(long times, double mean, double p50, double p90, double p99, double p999, double most) {
        /** Of what did not happen. */
        public static final Latency NONE = new Latency(0, 0, 0, 0, 0, 0, 0);
    }
}
