// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * A folder for temporary files of this JVM. Only its owner can read it. It is deleted with everything in it when it is
 * closed, or at the latest when this JVM exits. Folders that killed JVMs left behind are deleted when the next folder
 * with the same name is created; a file lock shows whether a folder's JVM is still running. Thread-safe.
 */
public final class TemporaryFolder implements AutoCloseable {
    private static final String LOCK = ".lock";

    /** Never locked a second time: closing the second channel would release the first lock. */
    private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

    private final Path path;
    private final FileChannel lock;
    private final Thread atEnd = new Thread(this::remove, "removes a temporary folder");

    private TemporaryFolder(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    /**
     * Creates a folder, and deletes those that killed JVMs left behind.
     *
     * @param name how its name begins, such as {@code thalweg-flink-}
     */
    public static TemporaryFolder make(String name) throws IOException {
        Path path = Files.createTempDirectory(name).toRealPath();
        OWN.add(path);
        removeLeftOvers(path, name);
        // It gets its name when it is locked, so that no other JVM takes it for a left-over before.
        Path unnamed = path.resolve(LOCK + ".new");
        FileChannel channel = FileChannel.open(unnamed, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        channel.lock();
        Files.move(unnamed, path.resolve(LOCK), StandardCopyOption.ATOMIC_MOVE);
        TemporaryFolder folder = new TemporaryFolder(path, channel);
        Runtime.getRuntime().addShutdownHook(folder.atEnd);
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
                if (!OWN.contains(each) && isLeftOver(each, own)) {
                    delete(each);
                }
            }
        }
    }

    /** Of this user, with a lock that nobody holds. */
    private static boolean isLeftOver(Path folder, Path own) {
        Path lock = folder.resolve(LOCK);
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
                || !Files.isRegularFile(lock, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        try {
            if (!Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS).equals(Files.getOwner(own))) {
                return false;
            }
            try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
                    FileLock held = channel.tryLock()) {
                return held != null;
            }
        } catch (IOException e) {
            return false; // it goes just now, or is somebody else's
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
        if (!Files.exists(path)) {
            OWN.remove(path);
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
