// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.watch;

import io.thalweg.api.stats.CheckpointStats;
import io.thalweg.api.stats.JobState;
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
 * @param over the job has ended and is not restarted
 */
public record JobSample(
        long epochMs,
        JobStats stats,
        int restarts,
        @Nullable String lastFailure,
        @Nullable CheckpointStats checkpoint,
        boolean over) {
    /** A state beside those of {@link JobState}: the job has failed and starts again in a moment. */
    public static final String RESTARTING = "RESTARTING";

    /** The state that the job is in. */
    public String state() {
        JobState last = stats.state();
        return last == JobState.FAILED && !over ? RESTARTING : last.name();
    }

    /**
     * Whether the job was started again between an earlier look and this one, so that what is counted began anew. That is a while after
     * the restart was counted: until then there are the figures of the start before.
     */
    public boolean startedAfter(JobSample earlier) {
        boolean again = restarts != earlier.restarts || earlier.stats.state() == JobState.FAILED;
        return stats.elapsedNs() < earlier.stats.elapsedNs() || (again && stats.state() == JobState.RUNNING);
    }

    /** Whether rates can be computed of this and an earlier look: the job ran on in between, and was not started anew. */
    boolean continues(JobSample earlier) {
        return restarts == earlier.restarts && stats.elapsedNs() > earlier.stats.elapsedNs() && !startedAfter(earlier);
    }
}
