// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import io.thalweg.api.connector.ConnectorException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Where Thalweg keeps what it can make again: see the XDG Base Directory Specification. */
public final class CacheFolder {
    private static final Set<PosixFilePermission> OWNER = PosixFilePermissions.fromString("rwx------");

    private CacheFolder() {}

    /** Compiled jobs; null if there is no place for them. */
    public static @Nullable Path jobs() {
        return named("jobs");
    }

    /** Of a cluster for trying, here if there is no better place. */
    public static Path ofCluster(String name) {
        Path folder = named(name);
        return folder == null ? Path.of("thalweg-" + name).toAbsolutePath() : folder;
    }

    /**
     * Makes a folder that its owner alone can read and write, or takes these rights from others if it exists. Where the file
     * system has no such permissions, it has those that it inherits.
     *
     * @throws ConnectorException if it belongs to somebody else, or is a symbolic link
     */
    public static Path ownerOnly(Path folder) throws IOException {
        Path parent = folder.toAbsolutePath().getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        if (!Files.getFileStore(parent == null ? folder : parent).supportsFileAttributeView("posix")) {
            return Files.createDirectories(folder);
        }
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            return Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(OWNER));
        }
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            throw new ConnectorException(folder + " must be a folder, not a file or a symbolic link: remove it");
        }
        try {
            Files.setPosixFilePermissions(folder, OWNER);
        } catch (IOException e) {
            throw new ConnectorException(
                    folder + " belongs to another user; name another place with XDG_CACHE_HOME", e);
        }
        return folder;
    }

    /**
     * Keeps other processes from starting a cluster in a folder, until it is closed.
     *
     * @throws ConnectorException if one does so just now
     */
    public static Closeable lock(Path folder) throws IOException {
        FileChannel channel =
                FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() != null) {
                return channel;
            }
        } catch (OverlappingFileLockException e) {
            // another thread of this JVM
        }
        channel.close();
        throw new ConnectorException("another process starts the cluster of " + folder + " just now; wait for it");
    }

    private static @Nullable Path named(String name) {
        String named = System.getenv("XDG_CACHE_HOME");
        Path base = named == null || named.isEmpty() ? null : Path.of(named);
        if (base == null || !base.isAbsolute()) {
            Path home = Path.of(System.getProperty("user.home", ""));
            base = home.isAbsolute() && Files.isDirectory(home) ? home.resolve(".cache") : null;
        }
        return base == null ? null : base.resolve("thalweg").resolve(name);
    }
}
