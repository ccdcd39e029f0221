// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.control;

import io.thalweg.api.stats.CheckpointStats;
import io.thalweg.api.stats.ConnectionStats;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.stats.StateStats;
import io.thalweg.cli.report.Quantities;
import io.thalweg.run.RunSettings;
import io.thalweg.run.RunningJob;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How a job is, for those who operate it.
 *
 * @param id names the job among those of its user on this machine; empty if it has no control socket
 * @param on where it runs: {@code embedded}, {@code flink} or {@code storm}
 * @param state {@code RUNNING}, {@code STOPPING}, {@code DRAINING}, or {@code RESTARTING} after a failure, or how it ended
 * @param elapsedMs since the job was last started
 * @param stateKeys keys that its operators keep state for; 0 on Flink
 * @param stateBytes of heap that the state takes, about
 * @param restarts after failures
 * @param lag of all sources that say how far they are behind; null if none does
 * @param waitsFor systems that the job has lost, and for how long; empty if it has all that it needs
 * @param web address of its page, without a token; null if it has none
 * @param checkpoint the newest one since the job was last started; null if there is none
 */
public record JobStatus(
        String id,
        long pid,
        String topology,
        String on,
        String state,
        long elapsedMs,
        long recordsIn,
        long recordsOut,
        long recordsBad,
        long recordsLate,
        long windowsOpen,
        long stateKeys,
        long stateBytes,
        long restarts,
        @Nullable Long lag,
        String waitsFor,
        @Nullable String web,
        @Nullable Checkpoint checkpoint) {
    /** @param ageMs since it was complete */
    public record Checkpoint(long number, long ageMs, long tookMs, long bytes) {}

    private static final long NS_PER_MS = 1_000_000;

    /**
     * How it is now.
     *
     * @param stopping what was asked of it, in capitals; empty if nothing was
     * @param web address of its page; null if it has none
     */
    public static JobStatus of(
            RunningJob job, RunSettings settings, String id, String on, String stopping, @Nullable String web) {
        JobStats stats = job.stats();
        CheckpointStats last = job.lastCheckpoint();
        return new JobStatus(
                id,
                ProcessHandle.current().pid(),
                stats.topology(),
                on,
                state(stats.state(), stopping),
                stats.elapsedNs() / NS_PER_MS,
                stats.recordsIn(),
                stats.recordsOut(),
                stats.recordsBad(),
                stats.recordsLate(),
                stats.windowsOpen(),
                stats.keptState().stream().mapToLong(StateStats::keys).sum(),
                stats.keptState().stream().mapToLong(StateStats::bytes).sum(),
                job.restarts(),
                stats.hasLag() ? stats.lag() : null,
                stats.connections().stream()
                        .filter(ConnectionStats::isLost)
                        .map(Quantities::lost)
                        .collect(Collectors.joining("; ")),
                web,
                last == null ? null : checkpoint(last, settings.nowMs()));
    }

    /** A job that is asked here has not ended for good: one that has failed is about to be started again. */
    private static String state(JobState state, String stopping) {
        if (!stopping.isEmpty() && state != JobState.FAILED) {
            return stopping;
        }
        return state == JobState.FAILED ? "RESTARTING" : state.name();
    }

    /** It was asked to, and takes its last checkpoint when all its records are processed. */
    boolean stops() {
        return state.equals("STOPPING") || state.equals("DRAINING");
    }

    private static Checkpoint checkpoint(CheckpointStats last, long nowMs) {
        long bytes = last.states().stream()
                .mapToLong(CheckpointStats.StateSize::bytes)
                .sum();
        return new Checkpoint(last.number(), Math.max(0, nowMs - last.beganMs() - last.tookMs()), last.tookMs(), bytes);
    }
}
