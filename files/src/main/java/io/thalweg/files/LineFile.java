// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import io.thalweg.api.connector.WriteTarget;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A file that whole lines are appended to, also by several processes at once: each line is one write, under a lock, and one
 * that is cut short is taken back. A line that somebody else was cut off in is ended first. The caller sees to it that one
 * thread at a time calls.
 */
final class LineFile implements Closeable {
    /**
     * Locks hold between processes; within this one, files of the same path take turns here. A literal, because those are the same objects
     * in all class loaders, and engines load this class several times in one JVM.
     */
    private static final String TURN = "turn of io.thalweg.files.LineFile";

    private static final byte LINE_FEED = '\n';

    private final Path path;

    /** What tells the file from another one of its name; null where the file system does not say. */
    private final @Nullable Object key;

    private final FileChannel out;

    /**
     * To look at the last byte; null for what is no regular file. Open as long as the other: as soon as a process closes a file,
     * POSIX takes all its locks on it.
     */
    private final @Nullable FileChannel in;

    /** Its name survives a power loss; one that was there before may have been made by a job that was killed. */
    private boolean named;

    /** Some lines may be. */
    private boolean written;

    /** How long the file was after the last line; -1 before the first. */
    private long end = -1;

    private LineFile(Path path, @Nullable Object key, FileChannel out, @Nullable FileChannel in) {
        this.path = path;
        this.key = key;
        this.out = out;
        this.in = in;
    }

    /** Makes the file if there is none, for its owner only, also where a link leads. Waits for a reader if it is a pipe. */
    static LineFile open(Path path) throws IOException {
        boolean regular = !isSpecial(path);
        Set<OpenOption> options = regular
                ? Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND)
                : Set.of(StandardOpenOption.WRITE);
        boolean posix = path.getFileSystem().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] ownerOnly = regular && posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
        FileChannel out = FileChannel.open(path, options, ownerOnly);
        try {
            FileChannel in = regular ? FileChannel.open(path, StandardOpenOption.READ) : null;
            return new LineFile(path, keyOf(path), out, in);
        } catch (IOException e) {
            synchronized (TURN) {
                out.close();
            }
            throw e;
        }
    }

    /**
     * False if somebody has removed or renamed it, also if another file has its name now: what is written then is found nowhere, or
     * elsewhere.
     *
     * @throws IOException if the disk does not say
     */
    boolean isThere() throws IOException {
        try {
            Object now = keyOf(path);
            return key == null || key.equals(now);
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private static @Nullable Object keyOf(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    }

    /**
     * A pipe, a terminal, {@code /dev/null}: nothing that a lock, a length or a permission means anything for.
     *
     * @throws IOException if the disk does not say: a regular file that is written as a pipe loses its first lines
     */
    static boolean isSpecial(Path path) throws IOException {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class).isOther();
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** Why no line could be appended; null if nothing speaks against it. */
    static @Nullable String problem(Path path) {
        Path folder = WriteTarget.real(path).getParent();
        if (Files.isDirectory(path)) {
            return "it is a directory";
        }
        if (folder == null || !Files.isDirectory(folder)) {
            return "there is no directory " + folder;
        }
        return Files.isWritable(Files.exists(path) ? path : folder) ? null : "it cannot be written";
    }

    /**
     * Appends a line that ends in a line feed.
     *
     * @param limitBytes how long the file may grow
     * @return false if the file would grow longer; then it is as it was
     * @throws IOException if it cannot be written; then, too, unless the disk refuses even that
     */
    boolean append(ByteBuffer line, long limitBytes) throws IOException {
        FileChannel reading = in;
        if (reading == null) {
            write(line);
            return true;
        }
        synchronized (TURN) {
            FileLock lock = lock();
            try {
                return appendAlone(reading, line, limitBytes);
            } finally {
                if (lock != null) {
                    lock.release();
                }
            }
        }
    }

    /** Null on a file system without locks: then a line still is one write, at the end of the file. */
    private @Nullable FileLock lock() {
        try {
            return out.lock();
        } catch (IOException | UnsupportedOperationException e) {
            return null;
        }
    }

    private boolean appendAlone(FileChannel reading, ByteBuffer line, long limitBytes) throws IOException {
        long before = out.size();
        boolean torn = before > 0 && before != end && !endsLine(reading, before);
        long grown = before + line.remaining() + (torn ? 1 : 0);
        if (grown > limitBytes) {
            return false;
        }
        ByteBuffer whole = line;
        if (torn) {
            whole = ByteBuffer.allocate(line.remaining() + 1).put(LINE_FEED).put(line);
            whole.flip();
        }
        try {
            write(whole);
        } catch (IOException e) {
            takeBack(before, whole.position());
            throw e;
        }
        end = grown;
        written = true;
        return true;
    }

    private void write(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) { // more than once only if something is about to fail
            out.write(bytes);
        }
    }

    private void takeBack(long before, int cut) throws IOException {
        if (cut > 0 && out.size() == before + cut) { // without a lock, somebody may have written behind it
            out.truncate(before);
        }
    }

    private static boolean endsLine(FileChannel reading, long size) throws IOException {
        ByteBuffer last = ByteBuffer.allocate(1);
        return reading.read(last, size - 1) != 1 || last.get(0) == LINE_FEED;
    }

    /** Sees that all lines, and the name of a file that was made for them, survive a power loss. */
    void force() throws IOException {
        if (!written || in == null) {
            return;
        }
        out.force(true);
        written = false;
        Path folder = WriteTarget.real(path).getParent();
        boolean opens = path.getFileSystem().supportedFileAttributeViews().contains("posix");
        if (!named && opens && folder != null) {
            try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
                names.force(true);
            }
            named = true;
        }
    }

    /** As {@link #force}, and closes. */
    @Override
    public void close() throws IOException {
        synchronized (TURN) { // a lock of another file of this path would go too
            try {
                force();
            } finally {
                out.close();
                if (in != null) {
                    in.close();
                }
            }
        }
    }
}
