// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.checkpoint;

import io.thalweg.api.connector.ConnectorException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Finds the checkpoint that a job continues from. */
public final class Restore {
    /** Flink's are in a directory of the job, {@code chk-1/_metadata}. */
    private static final int DEPTH_OF_FLINK = 3;

    private Restore() {}

    /**
     * The newest intact checkpoint of a directory; null if the directory has none at all. The directory removes damaged
     * ones that were skipped as soon as it has a newer one. One that the disk does not give is not skipped: it may be whole, and what came
     * before it was shown.
     *
     * @param warnings gets a line for each checkpoint that is skipped
     * @throws ConnectorException if all checkpoints are damaged, or one that is to be used cannot be read, or all there are is Flink's
     */
    public static @Nullable SavedState latest(CheckpointDirectory directory, Consumer<String> warnings) {
        try {
            List<CheckpointDirectory.Entry> entries = directory.entries();
            List<String> damaged = new ArrayList<>();
            for (int i = entries.size() - 1; i >= 0; i--) {
                Path path = entries.get(i).path();
                try {
                    SavedState saved = readTwice(path);
                    damaged.forEach(each -> warnings.accept(each + "; continuing from " + path.getFileName()));
                    return saved;
                } catch (DamagedException e) {
                    damaged.add(path + " cannot be used: " + e.getMessage());
                    directory.passOver(path);
                } catch (IOException e) {
                    throw unread(path, i == 0 ? null : entries.get(i - 1).path(), e);
                }
            }
            if (!entries.isEmpty()) {
                throw new ConnectorException("no checkpoint in " + directory.path() + " is whole: "
                        + String.join("; ", damaged) + "; to begin again, give an empty directory");
            }
            refuseOthers(directory.path());
            return null;
        } catch (IOException e) {
            throw new ConnectorException(
                    "cannot look for checkpoints in " + directory.path() + ": " + e.getMessage(), e);
        }
    }

    /** Whoever asked for the latest would begin again, without a word. */
    private static void refuseOthers(Path directory) throws IOException {
        SortedSet<Path> others = new TreeSet<>();
        Files.walkFileTree(directory, Set.of(), DEPTH_OF_FLINK, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.endsWith("_metadata")) {
                    others.add(Objects.requireNonNull(file.getParent()));
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
                return FileVisitResult.CONTINUE; // nobody can continue from what cannot be read, such as lost+found
            }
        });
        if (!others.isEmpty()) {
            throw new ConnectorException("there is nothing to continue from in " + directory + " but checkpoints of"
                    + " Flink, such as " + others.first()
                    + ", which only a job on Flink can read; continue there, or begin"
                    + " again in another directory");
        }
    }

    private static ConnectorException unread(Path path, @Nullable Path before, IOException e) {
        return new ConnectorException(
                "cannot read " + path + ", tried twice: " + why(e)
                        + "; it may be whole, so nothing older is used: see to the disk and start again, or, if it is lost, "
                        + (before == null
                                ? "begin in an empty directory"
                                : "continue with --restore " + before
                                        + ", which takes back or repeats what came since"),
                e);
    }

    private static String why(IOException e) {
        return e instanceof AccessDeniedException denied
                ? "permission denied to read " + denied.getFile() // its message is the path alone
                : String.valueOf(e.getMessage());
    }

    /** What a disk, a cable or memory gets wrong once is no damage. */
    private static SavedState readTwice(Path path) throws IOException {
        try {
            return SavedState.read(path);
        } catch (IOException e) {
            return SavedState.read(path);
        }
    }

    /** @throws ConnectorException if the file is missing or damaged */
    public static SavedState from(Path path) {
        try {
            return readTwice(path);
        } catch (NoSuchFileException e) {
            throw new ConnectorException("there is no checkpoint " + path, e);
        } catch (IOException e) {
            throw new ConnectorException("cannot continue from " + path + ": " + why(e), e);
        }
    }
}
