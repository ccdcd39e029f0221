// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.stats.CheckpointStats;
import io.thalweg.api.stats.JobStats;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A running topology, in this JVM or elsewhere. Thread-safe. */
public interface RunningJob {
    /** What was measured so far, since the job was last started. */
    JobStats stats();

    /**
     * Asks the job to stop in an orderly way and returns immediately. Sources stop at their current position, records
     * in flight are processed, open windows are not emitted, and a job with checkpoints takes a last one, from which it
     * can continue.
     */
    void cancel();

    /**
     * Ends the job as if its input ended where sources have read to, and returns immediately: records in flight are
     * processed, windows are emitted, sinks commit, and the job ends as {@code FINISHED}. Unlike after {@link
     * #cancel()}, the job cannot be continued from its last checkpoint. {@code cancel()} still works afterwards.
     *
     * @throws ConnectorException if this job cannot be drained; the message says what to do instead
     */
    void drain();

    /**
     * Takes a checkpoint that starts after this call, and keeps a copy of it that the job never removes (a savepoint).
     *
     * @param directory where to put the copy; null for the checkpoint directory
     * @return where the copy is. Fails with a {@link ConnectorException} if it cannot be taken; the job continues
     */
    CompletableFuture<String> savepoint(@Nullable Path directory);

    /** What its engine calls this job, and no other: the id of a job of Flink; null if the engine needs none. */
    default @Nullable String id() {
        return null;
    }

    /** How often the job was restarted after a failure; 0 if the runner cannot tell. */
    default int restarts() {
        return 0;
    }

    /** The failure that the job was last restarted after, in one line; null if there is none, or the runner cannot tell. */
    default @Nullable String lastFailure() {
        return null;
    }

    /**
     * Waits until the job has ended.
     *
     * @return final measurements
     * @throws JobFailedException if the job failed; of what its sinks wrote, only what belongs to a checkpoint is
     *     visible
     */
    JobStats await() throws InterruptedException;

    /**
     * Waits until the job has ended, also by a failure, but not longer than {@code atMost}.
     *
     * @return whether it has ended
     */
    boolean await(Duration atMost) throws InterruptedException;

    /**
     * Whether the job stopped without its last checkpoint, because taking it exceeded {@link
     * RunSettings#withStopTimeout the stop timeout}.
     */
    default boolean stoppedShort() {
        return false;
    }

    /** The last completed checkpoint since the job was last started; null if there is none. */
    @Nullable CheckpointStats lastCheckpoint();
}
