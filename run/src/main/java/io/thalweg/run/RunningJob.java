// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.stats.CheckpointStats;
import io.thalweg.api.stats.JobStats;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A topology that runs, in this JVM or elsewhere. Any thread may call. */
public interface RunningJob {
    /** What was measured so far, since the job was last started. */
    JobStats stats();

    /** Asks the job to stop in good order and returns at once. */
    void cancel();

    /**
     * Ends the job as if its input ended where sources have read to, and returns at once: records in flight are processed,
     * windows are emitted, sinks commit, and the job ends as {@code FINISHED}. Unlike after {@link #cancel()}, nothing can be
     * read after its last checkpoint. {@code cancel()} still works afterwards.
     *
     * @throws ConnectorException if this job cannot be drained, with what to do instead
     */
    void drain();

    /**
     * Takes a checkpoint that begins after this call and keeps a copy of it, which the job never removes.
     *
     * @param directory where to; null for the directory of checkpoints
     * @return where the copy is. Fails with a {@link ConnectorException} if it cannot be taken; the job continues
     */
    CompletableFuture<String> savepoint(@Nullable Path directory);

    /** How often the job was restarted after a failure; 0 if the runner cannot tell. */
    default int restarts() {
        return 0;
    }

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
