// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * A folder for temporary files of this JVM. Only its owner can read it. It is deleted with everything in it when it is
 * closed, or at the latest when this JVM exits. Folders that killed JVMs left behind are deleted when the next folder
 * with the same name is created; a file lock shows whether a folder's JVM is still running. Thread-safe.
 */
public final class TemporaryFolder implements AutoCloseable {
    private static final String LOCK = ".lock";

    private final Path path;
    private final LockedFile lock;
    private final Thread atEnd = new Thread(this::remove, "removes a temporary folder");

    private TemporaryFolder(Path path, LockedFile lock) {
        this.path = path;
        this.lock = lock;
    }

    /**
     * Creates a folder, and deletes those that killed JVMs left behind.
     *
     * @param name how its name begins, such as {@code thalweg-flink-}
     */
    public static TemporaryFolder make(String name) throws IOException {
        return of(Files.createTempDirectory(name).toRealPath(), name);
    }

    /** The same in another directory than the one for temporary files. */
    public static TemporaryFolder make(Path directory, String name) throws IOException {
        return of(Files.createTempDirectory(directory, name).toRealPath(), name);
    }

    private static TemporaryFolder of(Path path, String name) throws IOException {
        // Without the file, nobody takes it for a left-over.
        TemporaryFolder folder = new TemporaryFolder(path, LockedFile.create(path.resolve(LOCK)));
        Runtime.getRuntime().addShutdownHook(folder.atEnd);
        removeLeftOvers(path, name);
        return folder;
    }

    /** Where the folder is. */
    public Path path() {
        return path;
    }

    private static void removeLeftOvers(Path own, String name) throws IOException {
        Path parent = own.getParent();
        if (parent == null) {
            return;
        }
        try (DirectoryStream<Path> all = Files.newDirectoryStream(parent, name + "*")) {
            for (Path each : all) {
                removeLeftOver(each, own);
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    /** Of this user, with a lock that nobody holds. */
    private static void removeLeftOver(Path folder, Path own) {
        Path file = folder.resolve(LOCK);
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
                || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try {
            if (!Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS).equals(Files.getOwner(own))) {
                return;
            }
            try (LockedFile lock = LockedFile.tryLockExisting(file)) {
                if (lock != null) {
                    delete(folder);
                }
            }
        } catch (IOException e) {
            return; // it goes just now, or is somebody else's
        }
    }

    /** What cannot be deleted, since something writes there still, the next one deletes. */
    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            // The lock last: without it nobody would know that it is a left-over.
            for (Path file : files.sorted(Comparator.<Path, Boolean>comparing(each -> each.equals(folder))
                            .thenComparing(each -> each.equals(folder.resolve(LOCK)))
                            .thenComparing(Comparator.reverseOrder()))
                    .toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UncheckedIOException e) {
            return;
        }
    }

    private void remove() {
        delete(path);
        try {
            lock.close();
        } catch (IOException e) {
            return;
        }
    }

    /** Deletes the folder. */
    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(atEnd);
        } catch (IllegalStateException e) {
            return; // this JVM ends, and the hook removes it
        }
        remove();
    }
}
