// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.flink.report.StageFailure;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.JobFailedException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.util.function.ThrowingConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A job on a cluster, as a file in its directory of checkpoints names it. When its client is killed, the client's {@link CheckpointLock} is
 * gone, and the job goes on: the file is how the next client knows of it.
 *
 * @param address of the cluster
 */
record ClusterJob(JobID id, String address) {
    private static final String FILE = "cluster-job";

    /** The job that the directory names; null if it names none. */
    static @Nullable ClusterJob in(Path directory) {
        try {
            List<String> lines = Files.readAllLines(directory.resolve(FILE));
            return new ClusterJob(JobID.fromHexString(lines.get(0)), ClusterConnection.checked(lines.get(1)));
        } catch (NoSuchFileException | IllegalArgumentException | IndexOutOfBoundsException e) {
            return null; // or it is not of this class
        } catch (AccessDeniedException e) {
            return null; // as the user is told, who cannot lock the directory either
        } catch (IOException e) {
            throw new ConnectorException(
                    directory.resolve(FILE) + ", which names the last job with checkpoints there, cannot be read: "
                            + StageFailure.words(e),
                    e);
        }
    }

    void name(Path directory) throws IOException {
        Path whole = Files.writeString(directory.resolve(FILE + ".new"), id.toHexString() + "\n" + address + "\n");
        Files.move(whole, directory.resolve(FILE), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    static void forget(Path directory) throws IOException {
        Files.deleteIfExists(directory.resolve(FILE));
    }

    /**
     * Looks what became of the job that the directory names, before another one begins there.
     *
     * @param asked how it stands, by its cluster; empty if that does not know it. Throws a {@link JobFailedException} if there is no answer
     * @throws ConnectorException if it runs, or may run, or nobody can know from where to continue
     */
    static void check(CheckpointSettings settings, Function<ClusterJob, Optional<JobStatus>> asked) {
        Path directory = settings.directory();
        ClusterJob last = in(directory);
        if (last == null) {
            return;
        }
        String which = last.id + " on the Flink cluster at " + last.address;
        Optional<JobStatus> status;
        try {
            status = asked.apply(last);
        } catch (JobFailedException e) {
            throw new ConnectorException(
                    "the last job with checkpoints in " + directory + ", " + which + ", was left by its client, and"
                            + " may still run: " + e.getMessage() + "; if it runs no more, delete "
                            + directory.resolve(FILE),
                    e);
        }
        if (status.isPresent() && !status.get().isGloballyTerminalState()) {
            throw new ConnectorException("another job writes its checkpoints to " + directory + ": " + which
                    + ", whose client is gone; cancel it on Flink's web page, or give this job a directory of its own");
        }
        boolean finished = status.isPresent() && status.get() == JobStatus.FINISHED;
        if ((status.isPresent() && !finished) || SavedJob.wasStopped(last.id, directory)) {
            mark(settings, SavedJob::begun);
        } else if (finished) {
            mark(settings, SavedJob::ended);
        } else if (SavedJob.hasCheckpointOf(last.id, directory)) {
            mark(settings, SavedJob::begun);
        } else if (settings.restore() && settings.restoreFrom() == null) {
            throw new ConnectorException("--restore: the last job with checkpoints in " + directory + ", " + which
                    + ", was left by its client, " + left(directory));
        }
    }

    /** It may be that its client was killed before it had submitted it: then, as before, the job before it is the last one. */
    private static String left(Path directory) {
        return SavedJob.hasEnded(directory)
                ? "has left no checkpoint, and is not known there: it has not begun, or has ended and may have read all of its"
                        + " input; and the job before it had ended by itself. Look at what has been written; if the last one"
                        + " has not begun, start it as it was started, not with --restore latest"
                : "has ended, and has left no checkpoint: it may have read all of its input."
                        + " Look at what it has written; if it has not, delete " + directory.resolve(FILE);
    }

    /** As its client would have done, or was killed before it could. */
    private static void mark(CheckpointSettings settings, ThrowingConsumer<CheckpointSettings, IOException> how) {
        try {
            how.accept(settings);
        } catch (IOException e) {
            throw new ConnectorException(
                    "cannot keep checkpoints in " + settings.directory() + ": " + StageFailure.words(e), e);
        }
    }
}
