// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.flink.report.StageFailure;
import io.thalweg.run.CheckpointSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobID;
import org.jspecify.annotations.Nullable;

/** Finds the checkpoint or savepoint of Flink in a directory that a job continues from. */
final class SavedJob {
    private static final String METADATA = "_metadata";
    private static final int DEPTH = 3;

    /** How much of a job's id Flink has in the name of a savepoint. */
    private static final int SAVEPOINT_DIGITS = 6;

    /** Of the embedded engine, and of jobs on Storm. */
    private static final Pattern OTHERS = Pattern.compile("(checkpoint|savepoint)-.*[0-9]");

    /** Name of the savepoint of a drained job in the directory of checkpoints. */
    static final String DRAINED = "drained-job";

    /** Name of a file in the directory of checkpoints: the last job there has ended by itself. */
    private static final String ENDED = "ended-job";

    private SavedJob() {}

    /**
     * The path of the checkpoint; null if the job is not restored.
     *
     * @throws ConnectorException if the requested checkpoint does not exist, or the directory cannot be read
     */
    static @Nullable String toGoOnFrom(@Nullable CheckpointSettings settings) {
        if (settings == null || !settings.restore()) {
            return null;
        }
        Path from = settings.restoreFrom();
        if (from != null) {
            if (!Files.exists(from.resolve(METADATA))) {
                throw new ConnectorException(
                        "--restore: " + from + " is not a Flink checkpoint: it has no " + METADATA);
            }
            return unlessDrained(from);
        }
        if (hasEnded(settings.directory())) {
            throw new ConnectorException(
                    "--restore: the last job with checkpoints in " + settings.directory()
                            + " has ended by itself, and Flink deletes the checkpoints of such a job: nothing can be read after"
                            + " it; restore a savepoint from before with --restore DIR, or begin with an empty --checkpoint-dir");
        }
        Optional<Path> newest = newest(settings.directory());
        if (newest.isEmpty()) {
            refuseOthers(settings.directory());
        }
        return newest.map(SavedJob::unlessDrained).orElse(null);
    }

    static boolean hasEnded(Path directory) {
        return Files.exists(directory.resolve(ENDED));
    }

    /** A job has begun, whose checkpoints will be the latest. */
    static void begun(CheckpointSettings settings) throws IOException {
        Files.deleteIfExists(settings.directory().resolve(ENDED));
    }

    /** A job has ended by itself, so that Flink has deleted its checkpoints: whoever asks for the latest is refused. */
    static void ended(CheckpointSettings settings) throws IOException {
        if (Files.isDirectory(settings.directory())) {
            Files.writeString(settings.directory().resolve(ENDED), "");
        }
    }

    /** Whoever asked for the latest would begin again, without a word. */
    private static void refuseOthers(Path directory) {
        if (!Files.isDirectory(directory)) {
            return;
        }
        try (Stream<Path> files = Files.list(directory)) {
            Optional<Path> other = files.filter(file ->
                            OTHERS.matcher(String.valueOf(file.getFileName())).matches())
                    .filter(Files::isRegularFile)
                    .min(Comparator.naturalOrder());
            if (other.isPresent()) {
                throw new ConnectorException("there is nothing to continue from in " + directory
                        + " but checkpoints that are not Flink's, such as "
                        + other.get().getFileName()
                        + "; continue without --on flink, or begin again in another directory");
            }
        } catch (IOException | UncheckedIOException e) {
            throw unlisted(directory, e);
        }
    }

    /** @param e an {@link IOException}, or one that a stream of files has wrapped, as where a folder in it may not be read */
    private static ConnectorException unlisted(Path directory, Exception e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        return new ConnectorException(
                "checkpoints in " + directory + " cannot be listed: " + StageFailure.words(cause), cause);
    }

    /** Whether a checkpoint of the job is there: Flink has kept it, since the job has not ended by itself. */
    static boolean hasCheckpointOf(JobID job, Path directory) {
        String checkpoints = job.toHexString();
        return any(directory, file -> directory.relativize(file).startsWith(checkpoints));
    }

    /** Whether a savepoint is there that the job was stopped with; one that a user asked for says nothing of how the job has ended. */
    static boolean wasStopped(JobID job, Path directory) {
        String savepoint = "savepoint-" + job.toHexString().substring(0, SAVEPOINT_DIGITS) + "-";
        return any(
                directory,
                file -> nameOfFolder(file).startsWith(savepoint) && SavedOwners.endsJob(text(file.resolveSibling(""))));
    }

    private static boolean any(Path directory, Predicate<Path> metadata) {
        if (!Files.isDirectory(directory)) {
            return false;
        }
        try (Stream<Path> files = Files.walk(directory, DEPTH)) {
            return files.filter(file -> file.endsWith(METADATA)).anyMatch(metadata);
        } catch (IOException | UncheckedIOException e) {
            throw unlisted(directory, e);
        }
    }

    /**
     * Refuses the savepoint of a drained job: its event time has ended, so Flink would read further records, all of
     * them late.
     */
    private static String unlessDrained(Path saved) {
        Path parent = saved.toAbsolutePath().normalize().getParent();
        if (parent != null && parent.endsWith(DRAINED)) {
            throw new ConnectorException("--restore: " + saved + " is the end of a job that was drained: nothing can be"
                    + " read after it; restore a savepoint from before, or begin with an empty --checkpoint-dir");
        }
        return text(saved);
    }

    /** A path as Flink takes it: it reads no escapes, such as that of a space in a URI. */
    static String text(Path path) {
        return "file://" + path.toAbsolutePath().toUri().getPath();
    }

    /** The path that {@link #text}, or Flink, names. */
    static Path path(String text) {
        URI uri = new org.apache.flink.core.fs.Path(text).toUri();
        return Path.of(URI.create(uri.toASCIIString()));
    }

    private static String nameOfFolder(Path file) {
        Path folder = file.getParent();
        return folder == null ? "" : String.valueOf(folder.getFileName());
    }

    private static Optional<Path> newest(Path directory) {
        if (!Files.isDirectory(directory)) {
            return Optional.empty();
        }
        try (Stream<Path> files = Files.walk(directory, DEPTH)) {
            return files.filter(file -> file.endsWith(METADATA))
                    .max(Comparator.comparing(SavedJob::time))
                    .map(Path::getParent);
        } catch (IOException | UncheckedIOException e) {
            throw unlisted(directory, e);
        }
    }

    private static FileTime time(Path file) {
        try {
            return Files.getLastModifiedTime(file);
        } catch (IOException e) {
            return FileTime.fromMillis(0); // just replaced by a newer one
        }
    }
}
