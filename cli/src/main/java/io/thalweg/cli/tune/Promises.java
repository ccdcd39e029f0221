// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.tune;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.run.AckSettings;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.RunSettings;
import io.thalweg.run.StateLimit;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a job keeps whatever is tried: its guarantee, with what belongs to it, and the limit of its state.
 *
 * @param checkpoints whether it takes some
 * @param intervalMs between them
 * @param timeoutMs of one
 * @param maxPending records of a source task; 0 if it is not acked
 * @param ackTimeoutMs of a record; 0 if it is not acked
 * @param stateBytes limit of the state; 0 for the default
 * @param tries after which a record is given up; 0 if none is
 */
record Promises(
        Guarantee guarantee,
        boolean checkpoints,
        long intervalMs,
        long timeoutMs,
        int maxPending,
        long ackTimeoutMs,
        long stateBytes,
        int tries) {
    static Promises of(RunSettings given) {
        CheckpointSettings checkpoints = given.checkpoints();
        AckSettings acks = given.acks();
        StateLimit limit = given.stateLimit();
        return new Promises(
                given.guarantee(),
                checkpoints != null,
                (checkpoints == null ? CheckpointSettings.INTERVAL : checkpoints.interval()).toMillis(),
                (checkpoints == null ? CheckpointSettings.TIMEOUT : checkpoints.timeout()).toMillis(),
                acks == null ? 0 : acks.maxPending(),
                acks == null ? 0 : acks.timeout().toMillis(),
                limit.chosen() ? limit.bytes() : 0,
                given.tries());
    }

    /** @param folder for checkpoints, without any; null if there are none */
    RunSettings settings(@Nullable Path folder) {
        RunSettings settings = RunSettings.defaults().withTries(tries);
        settings = stateBytes == 0 ? settings : settings.withStateLimit(StateLimit.bytes(stateBytes));
        CheckpointSettings kept = folder == null
                ? null
                : CheckpointSettings.in(folder)
                        .every(Duration.ofMillis(intervalMs))
                        .withTimeout(Duration.ofMillis(timeoutMs));
        if (guarantee == Guarantee.ACKED) {
            return settings.withAcks(new AckSettings(maxPending, Duration.ofMillis(ackTimeoutMs)), kept);
        }
        return kept == null ? settings : settings.withGuarantee(guarantee, kept);
    }
}
