// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where checkpoints are stored, and what a job is restored from.
 *
 * @param directory shared by all processes of the job
 * @param interval from the start of one checkpoint to the start of the next; one that is due while another is in progress starts when that
 *     is complete
 * @param timeout after which an incomplete checkpoint is aborted; a warning names the task it waited for, and the next
 *     one starts
 * @param keep how many checkpoints are kept
 * @param restore true to restore the newest intact checkpoint of the directory, or to start from the beginning if there
 *     is none
 * @param restoreFrom file of a checkpoint to restore, from any directory; null for none
 * @param tolerance differences that are accepted between the checkpoint and the job
 */
public record CheckpointSettings(
        Path directory,
        Duration interval,
        Duration timeout,
        int keep,
        boolean restore,
        @Nullable Path restoreFrom,
        Tolerance tolerance) {
    /** The default interval. */
    public static final Duration INTERVAL = Duration.ofSeconds(10);

    /** The default timeout. */
    public static final Duration TIMEOUT = Duration.ofMinutes(10);

    private static final int KEEP = 3;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if the interval or timeout is not positive, or no checkpoint would be kept
     */
    public CheckpointSettings {
        if (interval.isNegative() || interval.isZero()) {
            throw new IllegalArgumentException("the interval of checkpoints must be positive, not " + interval);
        }
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("the timeout of checkpoints must be positive, not " + timeout);
        }
        if (keep < 1) {
            throw new IllegalArgumentException("at least one checkpoint is kept, not " + keep);
        }
    }

    /** The defaults: a checkpoint every ten seconds, a timeout of ten minutes, the last three kept, none restored. */
    public static CheckpointSettings in(Path directory) {
        return new CheckpointSettings(directory, INTERVAL, TIMEOUT, KEEP, false, null, Tolerance.NONE);
    }

    /** The same settings with another interval. */
    public CheckpointSettings every(Duration value) {
        return new CheckpointSettings(directory, value, timeout, keep, restore, restoreFrom, tolerance);
    }

    /** The same settings with another timeout. */
    public CheckpointSettings withTimeout(Duration value) {
        return new CheckpointSettings(directory, interval, value, keep, restore, restoreFrom, tolerance);
    }

    /** The same settings with another number of checkpoints to keep. */
    public CheckpointSettings keeping(int value) {
        return new CheckpointSettings(directory, interval, timeout, value, restore, restoreFrom, tolerance);
    }

    /** The same settings, restoring the newest intact checkpoint of the directory if there is one. */
    public CheckpointSettings restoringLatest() {
        return new CheckpointSettings(directory, interval, timeout, keep, true, null, tolerance);
    }

    /** The same settings, restoring this checkpoint or savepoint. */
    public CheckpointSettings restoringFrom(Path checkpoint) {
        return new CheckpointSettings(directory, interval, timeout, keep, true, checkpoint, tolerance);
    }

    /** The same settings, without restoring the state of these operators. */
    public CheckpointSettings discarding(Set<String> operators) {
        return tolerating(new Tolerance(operators, tolerance.changedInput(), tolerance.topology()));
    }

    /** The same settings, reading on from the saved positions even if the input before them has changed. */
    public CheckpointSettings acceptingChangedInput() {
        return tolerating(new Tolerance(tolerance.discard(), true, tolerance.topology()));
    }

    /** The same settings, also accepting a checkpoint of the topology with this name. */
    public CheckpointSettings acceptingTopology(String name) {
        return tolerating(new Tolerance(tolerance.discard(), tolerance.changedInput(), name));
    }

    private CheckpointSettings tolerating(Tolerance accepted) {
        return new CheckpointSettings(directory, interval, timeout, keep, restore, restoreFrom, accepted);
    }

    /** The same settings, restoring the newest checkpoint as it is: for a restart of the same job. */
    public CheckpointSettings goingOn() {
        return new CheckpointSettings(directory, interval, timeout, keep, true, null, Tolerance.NONE);
    }
}
