// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where checkpoints are kept, and what a job goes on from.
 *
 * @param interval how often one is begun; while one is being taken, none is
 * @param timeout after which one is given up that is not complete; it is said for which task it waited, and the next one
 *     follows
 * @param keep how many are kept
 * @param restore true to go on from the newest whole checkpoint in the directory, or to begin if it holds none
 * @param restoreFrom the file of a certain checkpoint to go on from, of whatever directory; null for none
 * @param tolerance what is accepted of a checkpoint that does not fit
 */
public record CheckpointSettings(
        Path directory,
        Duration interval,
        Duration timeout,
        int keep,
        boolean restore,
        @Nullable Path restoreFrom,
        Tolerance tolerance) {
    public static final Duration INTERVAL = Duration.ofSeconds(10);
    public static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final int KEEP = 3;

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

    /** Every ten seconds, the last three kept, none restored. */
    public static CheckpointSettings in(Path directory) {
        return new CheckpointSettings(directory, INTERVAL, TIMEOUT, KEEP, false, null, Tolerance.NONE);
    }

    public CheckpointSettings every(Duration value) {
        return new CheckpointSettings(directory, value, timeout, keep, restore, restoreFrom, tolerance);
    }

    public CheckpointSettings withTimeout(Duration value) {
        return new CheckpointSettings(directory, interval, value, keep, restore, restoreFrom, tolerance);
    }

    public CheckpointSettings keeping(int value) {
        return new CheckpointSettings(directory, interval, timeout, value, restore, restoreFrom, tolerance);
    }

    public CheckpointSettings restoringLatest() {
        return new CheckpointSettings(directory, interval, timeout, keep, true, null, tolerance);
    }

    public CheckpointSettings restoringFrom(Path checkpoint) {
        return new CheckpointSettings(directory, interval, timeout, keep, true, checkpoint, tolerance);
    }

    /** Goes on without what these operators remembered. */
    public CheckpointSettings discarding(Set<String> operators) {
        return tolerating(new Tolerance(operators, tolerance.changedInput(), tolerance.topology()));
    }

    /** Reads on from the saved positions even if what was read before them is not what is there now. */
    public CheckpointSettings acceptingChangedInput() {
        return tolerating(new Tolerance(tolerance.discard(), true, tolerance.topology()));
    }

    /** Goes on from a checkpoint of the topology that was called so. */
    public CheckpointSettings acceptingTopology(String name) {
        return tolerating(new Tolerance(tolerance.discard(), tolerance.changedInput(), name));
    }

    private CheckpointSettings tolerating(Tolerance accepted) {
        return new CheckpointSettings(directory, interval, timeout, keep, restore, restoreFrom, accepted);
    }

    /** From the newest checkpoint as it is: for one that the same job took. */
    public CheckpointSettings goingOn() {
        return new CheckpointSettings(directory, interval, timeout, keep, true, null, Tolerance.NONE);
    }
}
