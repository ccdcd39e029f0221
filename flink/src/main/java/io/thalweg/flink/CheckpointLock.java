// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.flink.report.StageFailure;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.LockedFile;
import io.thalweg.run.RunSettings;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps other jobs from taking checkpoints in the directory of one that this process follows: Flink lets them, and the latest would be of
 * either. The embedded engine locks the same file. A job on a cluster, which outlives this process, is also named there. For one thread at a
 * time.
 */
final class CheckpointLock implements AutoCloseable {
    private static final String FILE = ".lock";

    /** Null in a job without checkpoints. */
    private final @Nullable Path directory;

    private @Nullable LockedFile held;
    private boolean told;

    /** Null before the job begins, if it is named, and if it ends with this process. */
    private @Nullable ClusterJob toName;

    private CheckpointLock(@Nullable Path directory) {
        this.directory = directory;
    }

    /**
     * Locks the directory. A cluster elsewhere makes it by itself, for its own user, and {@link #look} locks it then.
     *
     * @param here the cluster is in this JVM
     * @throws ConnectorException if another job has locked it, or the cluster is in this JVM and it cannot be written
     */
    static CheckpointLock take(RunSettings settings, boolean here) {
        CheckpointSettings checkpoints = settings.checkpoints();
        if (checkpoints == null || settings.guarantee() == Guarantee.NONE) {
            return new CheckpointLock(null);
        }
        Path directory = checkpoints.directory();
        CheckpointLock lock = new CheckpointLock(directory);
        try {
            if (here) {
                Files.createDirectories(directory);
            }
            if (Files.isDirectory(directory) && !lock.locks(directory)) {
                throw new ConnectorException("another job writes its checkpoints to " + directory
                        + "; give each job a directory of its own");
            }
        } catch (IOException e) {
            if (here) {
                throw new ConnectorException("cannot keep checkpoints in " + directory + ": " + reason(e), e);
            }
            lock.tellUnlocked(directory, e, settings.warnings());
        }
        return lock;
    }

    private boolean locks(Path existing) throws IOException {
        held = LockedFile.tryLock(existing.resolve(FILE));
        return held != null;
    }

    private static String reason(IOException e) {
        if (e instanceof FileAlreadyExistsException there) {
            return there.getFile() + " is a file; give a directory";
        }
        return e instanceof AccessDeniedException denied
                ? "no permission for " + denied.getFile()
                : StageFailure.words(e);
    }

    private void tellUnlocked(Path existing, IOException e, Consumer<String> warnings) {
        told = true;
        warnings.accept("nothing keeps another job from writing its checkpoints to " + existing
                + ", too, since it cannot be locked: " + reason(e));
    }

    /**
     * A job begins that will write there.
     *
     * @param job null if it ends with this process
     * @param warnings told, once, if it cannot be named
     */
    void begins(@Nullable ClusterJob job, Consumer<String> warnings) {
        toName = job;
        name(warnings);
        if (job == null) {
            ended(warnings);
        }
    }

    private void name(Consumer<String> warnings) {
        ClusterJob job = toName;
        if (job != null && directory != null && held != null) {
            toName = null;
            try {
                job.name(directory);
            } catch (IOException e) {
                warnings.accept("nothing will keep another job from writing its checkpoints to " + directory
                        + " once this process is gone, since the job cannot be named there: " + reason(e));
            }
        }
    }

    /** The job that was named has ended. */
    void ended(Consumer<String> warnings) {
        toName = null;
        if (directory != null && held != null) {
            try {
                ClusterJob.forget(directory);
            } catch (IOException e) {
                warnings.accept("a job that has ended is still named in " + directory + ": " + reason(e));
            }
        }
    }

    /**
     * Locks the directory if it was not there before.
     *
     * @param warnings told, once, if another job has locked it meanwhile
     */
    void look(Consumer<String> warnings) {
        Path wanted = directory;
        if (wanted == null || held != null || told || !Files.isDirectory(wanted)) {
            return;
        }
        try {
            if (locks(wanted)) {
                name(warnings);
            } else {
                told = true;
                warnings.accept("another job writes its checkpoints to " + wanted
                        + ", too; stop one of them, and give each job a directory of its own");
            }
        } catch (IOException e) {
            tellUnlocked(wanted, e, warnings);
        }
    }

    @Override
    public void close() {
        try {
            if (held != null) {
                held.close();
            }
        } catch (IOException e) {
            return; // the system lets go of it with this process
        }
    }
}
