// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.watch;

import io.thalweg.api.stats.CheckpointStats;
import io.thalweg.api.stats.JobStats;
import org.jspecify.annotations.Nullable;

/**
 * One look at a job.
 *
 * @param epochMs when, in epoch milliseconds
 * @param stats of the job since it was last started
 * @param restarts how often it was restarted so far
 * @param lastFailure before the last restart; null if there was none
 * @param checkpoint the newest one; null if there is none
 */
public record Look(
        long epochMs,
        JobStats stats,
        int restarts,
        @Nullable String lastFailure,
        @Nullable CheckpointStats checkpoint) {
    /** Whether rates can be computed of this and an earlier look: the job ran on in between, and was not started anew. */
    boolean continues(Look earlier) {
        return restarts == earlier.restarts && stats.elapsedNs() > earlier.stats.elapsedNs();
    }
}
