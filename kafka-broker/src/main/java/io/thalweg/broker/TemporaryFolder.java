// SPDX-License-Identifier: Apache-2.0
package io.thalweg.broker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A folder for the data of brokers that go with their process. It says which process that is, by number and start, and is locked while
 * it runs: so the next one can remove what a process left that was killed.
 */
final class TemporaryFolder implements AutoCloseable {
    static final String PREFIX = "thalweg-kafka-";

    /** Number and start of the process that made the folder. */
    static final String OWNER = "owner";

    /** Not the file of the owner: who reads a file and closes it lets go of all locks that its process has on it. */
    static final String LOCK = "lock";

    /** The system counts a process's start from its own, and may correct that by a second. */
    private static final Duration CORRECTED = Duration.ofSeconds(2);

    private final Path path;
    private final FileChannel lock;

    private TemporaryFolder(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    /** Makes a new folder, and removes those of processes that are no more. */
    static TemporaryFolder create() throws IOException {
        return create(Path.of(System.getProperty("java.io.tmpdir")));
    }

    static TemporaryFolder create(Path parent) throws IOException {
        Path path = Files.createTempDirectory(parent, PREFIX);
        ProcessHandle own = ProcessHandle.current();
        Files.writeString(
                path.resolve(OWNER),
                own.pid() + " "
                        + own.info().startInstant().map(Instant::toString).orElse("?"));
        FileChannel lock =
                FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try {
            lock.lock();
            removeOrphans(parent, path);
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
        return new TemporaryFolder(path, lock);
    }

    Path path() {
        return path;
    }

    @Override
    public void close() throws IOException {
        lock.close();
        delete(path);
    }

    /** What cannot be read or removed stays where it is: that is no reason not to start. */
    private static void removeOrphans(Path parent, Path own) throws IOException {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(parent, PREFIX + "*")) {
            for (Path each : all) {
                try {
                    if (!each.equals(own) && isOfSameUser(each, own) && isOrphan(each)) {
                        removeLocked(each);
                    }
                } catch (IOException | UncheckedIOException e) {
                    // another user's, or another process was faster
                }
            }
        }
    }

    private static boolean isOfSameUser(Path folder, Path own) throws IOException {
        return Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
                && Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS).equals(Files.getOwner(own));
    }

    /** True if it says whose it is, and that process is gone. */
    private static boolean isOrphan(Path folder) throws IOException {
        Path file = folder.resolve(OWNER);
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        String[] parts = Files.readString(file).strip().split(" ", 2);
        return parts.length == 2 && parts[0].matches("\\d{1,18}") && !runs(Long.parseLong(parts[0]), parts[1]);
    }

    private static boolean runs(long number, String started) {
        return ProcessHandle.of(number)
                .filter(ProcessHandle::isAlive)
                .map(process -> process.info()
                        .startInstant()
                        .map(start -> isAbout(start, started))
                        .orElse(true))
                .orElse(false);
    }

    private static boolean isAbout(Instant start, String recorded) {
        try {
            return Duration.between(start, Instant.parse(recorded)).abs().compareTo(CORRECTED) <= 0;
        } catch (DateTimeParseException e) {
            return true; // unknown
        }
    }

    private static void removeLocked(Path folder) throws IOException {
        try (FileChannel channel =
                        FileChannel.open(folder.resolve(LOCK), StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
                FileLock held = tryLock(channel)) {
            if (held != null) {
                delete(folder);
            }
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    /** Links are removed, not followed. The file of the owner goes last, so that what was not finished is found again. */
    static void delete(Path folder) throws IOException {
        List<Path> all;
        try (Stream<Path> files = Files.walk(folder)) {
            all = files.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : all) {
            if (!isKeptToTheEnd(folder, file)) {
                deleteIfThere(file);
            }
        }
        deleteIfThere(folder.resolve(LOCK));
        deleteIfThere(folder.resolve(OWNER));
        deleteIfThere(folder);
    }

    private static boolean isKeptToTheEnd(Path folder, Path file) {
        return file.equals(folder) || file.equals(folder.resolve(OWNER)) || file.equals(folder.resolve(LOCK));
    }

    private static void deleteIfThere(Path file) throws IOException {
        try {
            Files.delete(file);
        } catch (NoSuchFileException e) {
            // it was never made
        }
    }
}
