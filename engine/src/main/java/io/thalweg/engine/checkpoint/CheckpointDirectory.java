// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.checkpoint;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.graph.GraphDescription;
import io.thalweg.api.stats.CheckpointStats;
import io.thalweg.run.LockedFile;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A directory of checkpoints, one file each: {@code checkpoint-12}. A file is written under a hidden name, forced to
 * the disk and then renamed, so a file with that name is complete unless it was damaged later. One job at a time locks
 * the directory.
 */
public final class CheckpointDirectory implements AutoCloseable {
    private static final Pattern NAME = Pattern.compile("checkpoint-([1-9][0-9]{0,17})");
    private static final String TEMPORARY = ".checkpoint-";

    private final Path directory;
    private final int keep;
    private final LockedFile lock;

    /** Damaged checkpoints; they do not count among those that are kept. */
    private final List<Path> passedOver = new ArrayList<>();

    /** A checkpoint in the directory. */
    public record Entry(long number, Path path, long bytes) {}

    private CheckpointDirectory(Path directory, int keep, LockedFile lock) {
        this.directory = directory;
        this.keep = keep;
        this.lock = lock;
    }

    /**
     * Creates the directory if it does not exist, locks it, removes incomplete files of a job that was killed, and makes the names of the
     * others survive a power loss: it may have been killed between the renaming of a checkpoint and that.
     *
     * @param keep how many checkpoints are kept
     * @throws ConnectorException if it cannot be written, or another job has locked it
     */
    public static CheckpointDirectory open(Path directory, int keep) {
        try {
            PrivateFile.createDirectories(directory);
            LockedFile lock = LockedFile.tryLock(directory.resolve(".lock"));
            if (lock == null) {
                throw new ConnectorException("another job writes its checkpoints to " + directory
                        + "; give each job a directory of its own");
            }
            try {
                for (Path temporary : list(directory, TEMPORARY + "*")) {
                    Files.delete(temporary);
                }
                PrivateFile.forceNames(directory); // before a job continues from one of them, and sinks commit it
                return new CheckpointDirectory(directory, keep, lock);
            } catch (IOException | RuntimeException e) {
                lock.close();
                throw e;
            }
        } catch (IOException e) {
            throw new ConnectorException("cannot keep checkpoints in " + directory + ": " + reason(e), e);
        }
    }

    private static List<Path> list(Path directory, String names) throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, names)) {
            files.forEach(found::add);
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return found;
    }

    private static String reason(IOException e) {
        if (e instanceof FileAlreadyExistsException there) {
            return Files.exists(Path.of(there.getFile()))
                    ? there.getFile() + " is a file; give a directory"
                    : there.getFile() + " is a link to a directory that is not there; create it first";
        }
        if (e instanceof AccessDeniedException denied) {
            return "no permission for " + denied.getFile();
        }
        if (e instanceof FileSystemException failed && failed.getReason() != null) {
            return failed.getReason();
        }
        return e.getMessage() == null || e.getMessage().isEmpty() ? e.getClass().getSimpleName() : e.toString();
    }

    /** The checkpoints of a directory, complete or damaged, oldest first; a job that runs may delete some meanwhile. */
    public static List<Entry> entries(Path directory) throws IOException {
        List<Entry> entries = new ArrayList<>();
        for (Path file : list(directory, "checkpoint-*")) {
            Matcher matcher = NAME.matcher(file.getFileName().toString());
            if (matcher.matches()) {
                try {
                    entries.add(new Entry(Long.parseLong(matcher.group(1)), file, Files.size(file)));
                } catch (NoSuchFileException e) {
                    // the job has newer ones
                }
            }
        }
        entries.sort(Comparator.comparingLong(Entry::number));
        return entries;
    }

    /** The description in a checkpoint: its stats, and what its states hold, by operator and name, for people to read. */
    public record Contents(CheckpointStats stats, Map<String, String> formats) {}

    /**
     * Reads the description in a checkpoint.
     *
     * @throws IOException if it cannot be read, or is damaged; the message says how
     * @throws ConnectorException if it is of another version
     */
    public static Contents contents(Path checkpoint) throws IOException {
        CheckpointFile.verify(checkpoint);
        Map<String, String> formats = new TreeMap<>();
        CheckpointStats stats = CheckpointFile.read(checkpoint, new CheckpointFile.Reader() {
            @Override
            public void graph(GraphDescription graph) {
                graph.steps()
                        .forEach(step -> formats.put(
                                step.name(),
                                step.specification() + (step.named() ? "" : ", without a name of its own")));
            }

            @Override
            public void state(StateName name, StateFormat format) {
                formats.put(name.operator() + ": " + name.name(), format.toString());
            }

            @Override
            public void piece(StateName name, int group, byte[] bytes) {}
        });
        return new Contents(stats, formats);
    }

    List<Entry> entries() throws IOException {
        return entries(directory);
    }

    public Path path() {
        return directory;
    }

    Path temporary(long number) {
        return directory.resolve(TEMPORARY + number);
    }

    Path checkpoint(long number) {
        return directory.resolve("checkpoint-" + number);
    }

    /** Marks a damaged checkpoint for removal by the next {@link #removeOld}. */
    void passOver(Path checkpoint) {
        passedOver.add(checkpoint);
    }

    /** Gives a checkpoint its name. */
    void complete(long number) throws IOException {
        Path place = checkpoint(number);
        if (isThere(place)) {
            throw new FileAlreadyExistsException(place.toString(), null, "another job has written it");
        }
        Files.move(temporary(number), place, StandardCopyOption.ATOMIC_MOVE);
        PrivateFile.forceNames(directory); // before any sink commits
    }

    /** Removes checkpoints that are damaged or too many; of large ones that takes a while, so sinks are told before. */
    void removeOld() {
        try {
            for (Path damaged : passedOver) {
                Files.deleteIfExists(damaged);
            }
            passedOver.clear();
            List<Entry> entries = entries();
            for (Entry old : entries.subList(0, Math.max(0, entries.size() - keep))) {
                Files.deleteIfExists(old.path());
            }
        } catch (IOException e) {
            // the next checkpoint tries again
        }
    }

    /** Other than {@link Files#exists}, which is false when the disk does not say, and then another one would be replaced. */
    private static boolean isThere(Path place) throws IOException {
        try {
            Files.readAttributes(place, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return true;
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
