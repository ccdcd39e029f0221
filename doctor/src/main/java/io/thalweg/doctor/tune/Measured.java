// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.tune;

import io.thalweg.api.stats.LatencyStats;
import io.thalweg.doctor.observation.Observation;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one run of a job reached, in a JVM of its own.
 *
 * @param failure why it failed, in one line; null if it did not. What follows is then without meaning
 * @param late it was ended, because it took longer than it may
 * @param seconds from the start of the job to its end
 * @param records that its sources read
 * @param latency of records when sinks had processed them
 * @param outputs of all sinks, in the order of the job
 * @param observation for the doctor; null if the run was not watched
 */
public record Measured(
        @Nullable String failure,
        boolean late,
        double seconds,
        long records,
        LatencyStats latency,
        List<Output> outputs,
        @Nullable Observation observation) {
    public Measured {
        outputs = List.copyOf(outputs);
    }

    /** A run that failed. */
    public static Measured failed(String why) {
        return new Measured(why, false, 0, 0, LatencyStats.NONE, List.of(), null);
    }

    /** A run that was ended. */
    public static Measured late(Duration atMost) {
        String why = "it did not end within " + Math.max(1, atMost.toSeconds()) + " s";
        return new Measured(why, true, 0, 0, LatencyStats.NONE, List.of(), null);
    }
}
