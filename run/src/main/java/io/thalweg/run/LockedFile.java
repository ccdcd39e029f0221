// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A file that is locked until this is closed, against other processes and within this JVM. The lock of the operating system belongs to the
 * process: it does not keep threads from each other, and POSIX takes it away as soon as the process closes any channel of the file. So a file
 * that this JVM holds is not opened a second time. What it holds is in the system properties, since engines load this class several times in
 * one JVM. Thread-safe.
 */
public final class LockedFile implements Closeable {
    private static final String HELD = "io.thalweg.locked:";

    private final String held;
    private final FileChannel channel;
    private boolean closed;

    private LockedFile(String held, FileChannel channel) {
        this.held = held;
        this.channel = channel;
    }

    /**
     * Locks a file, which is made if it is not there; its directory must be.
     *
     * @return null if somebody else has locked it: another process, or anyone in this one
     */
    public static @Nullable LockedFile tryLock(Path file) throws IOException {
        return tryLock(
                file, file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
    }

    /**
     * Locks a file that is there.
     *
     * @return null if somebody else has locked it
     * @throws java.nio.file.NoSuchFileException if it is not there
     */
    public static @Nullable LockedFile tryLockExisting(Path file) throws IOException {
        return tryLock(file, file, Set.of(StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
    }

    /**
     * Makes a file that is locked as soon as it has its name, so that nobody finds it unlocked before.
     *
     * @throws FileAlreadyExistsException if it is there
     */
    public static LockedFile create(Path file) throws IOException {
        Path unnamed = file.resolveSibling(file.getFileName() + ".new");
        LockedFile made = Files.exists(file, LinkOption.NOFOLLOW_LINKS)
                ? null
                : tryLock(file, unnamed, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
        if (made == null) {
            throw new FileAlreadyExistsException(file.toString());
        }
        try {
            Files.move(unnamed, file, StandardCopyOption.ATOMIC_MOVE);
            return made;
        } catch (IOException e) {
            made.close();
            throw e;
        }
    }

    /** @param opened the file, or the one that gets its name */
    private static @Nullable LockedFile tryLock(Path file, Path opened, Set<OpenOption> options) throws IOException {
        Path directory = file.toAbsolutePath().getParent();
        if (directory == null) {
            throw new IOException(file + " is not a file");
        }
        String held = HELD + directory.toRealPath().resolve(String.valueOf(file.getFileName()));
        if (System.getProperties().putIfAbsent(held, "") != null) {
            return null;
        }
        FileChannel channel = null;
        boolean locked = false;
        try {
            channel = FileChannel.open(opened, options);
            locked = channel.tryLock() != null;
            return locked ? new LockedFile(held, channel) : null;
        } catch (OverlappingFileLockException e) {
            return null; // somebody locked it in this JVM without this class
        } finally {
            if (!locked) {
                giveUp(held, channel);
            }
        }
    }

    /** The channel first: while the name is held, nobody else in this JVM has a lock that closing it would take away. */
    private static void giveUp(String held, @Nullable FileChannel channel) throws IOException {
        try {
            if (channel != null) {
                channel.close();
            }
        } finally {
            System.getProperties().remove(held);
        }
    }

    /** Lets go of the file. May be called again. */
    @Override
    public synchronized void close() throws IOException {
        if (!closed) {
            closed = true;
            giveUp(held, channel);
        }
    }
}
