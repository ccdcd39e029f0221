// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import io.thalweg.api.connector.ConnectorException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The folders where Thalweg keeps what it can recreate, according to the XDG Base Directory Specification. */
public final class CacheFolder {
    private static final Set<PosixFilePermission> OWNER = PosixFilePermissions.fromString("rwx------");

    private CacheFolder() {}

    /** The folder of compiled jobs; null if there is no suitable place. */
    public static @Nullable Path jobs() {
        return named("jobs");
    }

    /** The folder of a trial cluster; in the working directory if there is no better place. */
    public static Path ofCluster(String name) {
        Path folder = named(name);
        return folder == null ? Path.of("thalweg-" + name).toAbsolutePath() : folder;
    }

    /** The folder of what was found out about tuning a job; null if there is no suitable place. */
    public static @Nullable Path ofTuning(String job) {
        Path folder = named("tune");
        return folder == null ? null : folder.resolve(job);
    }

    /**
     * Creates a folder that only its owner can read and write, or restricts an existing one. On a file system without
     * POSIX permissions, the folder inherits its rights.
     *
     * @throws ConnectorException if it belongs to another user, or is a symbolic link
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
     * Locks a folder, so that nobody else, in this process or another, starts a cluster in it until the lock is closed.
     *
     * @throws ConnectorException if another process holds the lock
     */
    public static Closeable lock(Path folder) throws IOException {
        return lock(folder, "another process starts the cluster of " + folder + " just now; wait for it");
    }

    /**
     * Locks a folder against other processes, and others in this one, until the lock is closed.
     *
     * @param taken what is wrong if another process holds the lock, and what to do
     * @throws ConnectorException with that message
     */
    public static Closeable lock(Path folder, String taken) throws IOException {
        LockedFile lock = LockedFile.tryLock(folder.resolve("lock"));
        if (lock == null) {
            throw new ConnectorException(taken);
        }
        return lock;
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
