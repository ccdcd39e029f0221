// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.control;

import io.thalweg.api.connector.DurationText;
import io.thalweg.run.CheckpointSettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Whether a job is well: it runs, and its checkpoints, if it takes any, are not overdue, or it was asked to stop.
 *
 * @param reason why it is not; empty if it is
 * @param checkpointAgeMs null if there is none yet
 */
public record JobHealth(
        boolean healthy,
        String state,
        String reason,
        String topology,
        long elapsedMs,
        long restarts,
        @Nullable Long checkpoint,
        @Nullable Long checkpointAgeMs) {
    /** Of a job that has not begun. */
    public static final JobHealth STARTING =
            new JobHealth(false, "STARTING", "the job has not started yet", "", 0, 0, null, null);

    /** @param checkpoints null if the job takes none */
    public static JobHealth of(JobStatus status, @Nullable CheckpointSettings checkpoints) {
        JobStatus.Checkpoint last = status.checkpoint();
        long ageMs = last == null ? status.elapsedMs() : last.ageMs();
        String reason = "";
        if (status.state().equals("RESTARTING")) {
            reason = "the job failed";
        } else if (checkpoints != null
                && !status.stops()
                && ageMs > checkpoints.interval().plus(checkpoints.timeout()).toMillis()) {
            reason = "no checkpoint has been complete for " + DurationText.of(Duration.ofMillis(ageMs));
        }
        return new JobHealth(
                reason.isEmpty(),
                status.state(),
                reason,
                status.topology(),
                status.elapsedMs(),
                status.restarts(),
                last == null ? null : last.number(),
                last == null ? null : last.ageMs());
    }
}
