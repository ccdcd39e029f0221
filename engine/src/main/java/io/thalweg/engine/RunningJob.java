// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import io.thalweg.api.stats.CheckpointStats;
import io.thalweg.api.stats.JobStats;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A topology that runs, in this JVM or elsewhere. Any thread may call. */
public interface RunningJob {
    /** What was measured so far, since the job was last started. */
    JobStats stats();

    /** Asks the job to stop in good order and returns at once. */
    void cancel();

    /**
     * Waits for the end.
     *
     * @throws JobFailedException if the job failed; nothing that its sinks wrote is visible then, but what belongs to a
     *     checkpoint
     */
    JobStats await() throws InterruptedException;

    /** Waits for the end, a failure included, and says whether it came. */
    boolean await(Duration atMost) throws InterruptedException;

    /** True if the job was to stop, and did so without its last checkpoint, because that took too long. */
    default boolean stoppedShort() {
        return false;
    }

    /** The checkpoint that was completed last since the job was last started; null if there is none. */
    @Nullable CheckpointStats lastCheckpoint();
}
