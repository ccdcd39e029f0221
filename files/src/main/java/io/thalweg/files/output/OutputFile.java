// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.output;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.ThreadLocalRandom;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A file that appears whole or not at all: it is written beside its place under a hidden name, and renamed when it is
 * complete. What is no regular file (a pipe, {@code /dev/null}, standard output) is written as it stands.
 */
final class OutputFile implements AutoCloseable {
    private static final int PACKED_BYTES = 64 * 1024;

    /** Windows opens no directories. */
    private static final boolean FORCES_NAMES = File.separatorChar == '/';

    private final String name;
    private final @Nullable FileChannel file;
    private final OutputStream bytes;
    private OutputStream stream;
    private final @Nullable Path temporary;
    private final @Nullable Path place;
    private boolean finished;

    /** A checkpoint counts on what is written so far. */
    private boolean kept;

    /** What led to a file that was in its place already. */
    private @Nullable Saved done;

    private OutputFile(String name, FileChannel file, @Nullable Path temporary, @Nullable Path place)
            throws IOException {
        this.name = name;
        this.file = file;
        this.temporary = temporary;
        this.place = place;
        bytes = Channels.newOutputStream(file);
        stream = name.endsWith(".gz") ? new Gzip(bytes) : bytes;
    }

    private OutputFile(PrintStream console) {
        name = "standard output";
        file = null;
        temporary = null;
        place = null;
        bytes = console;
        stream = console;
    }

    /** A file that is in its place already. */
    private OutputFile(String name) {
        this.name = name;
        file = null;
        temporary = null;
        place = null;
        bytes = OutputStream.nullOutputStream();
        stream = bytes;
        finished = true;
    }

    static OutputFile standard(PrintStream console) {
        return new OutputFile(console);
    }

    static OutputFile open(Path path) throws IOException {
        if (Files.exists(path) && !Files.isRegularFile(path)) {
            return new OutputFile(path.toString(), FileChannel.open(path, StandardOpenOption.WRITE), null, null);
        }
        // A link keeps its place; the file it leads to is replaced.
        Path place = Files.exists(path) ? path.toRealPath() : path.toAbsolutePath();
        if (Files.exists(place) && !Files.isWritable(place)) {
            throw new AccessDeniedException(place.toString());
        }
        Path directory = place.getParent();
        if (directory == null || !Files.isDirectory(directory)) {
            throw new FileSystemException(
                    path.toString(), null, "there is no directory " + directory + "; make it first");
        }
        long random = ThreadLocalRandom.current().nextLong() >>> 1;
        Path temporary = directory.resolve("." + place.getFileName() + "." + Long.toString(random, 36) + ".tmp");
        return new OutputFile(path.toString(), created(temporary), temporary, place);
    }

    /** A file that is to be sealed, under the name it is written by. */
    static OutputFile hidden(Path path) throws IOException {
        return new OutputFile(path.toString(), created(path), path, null);
    }

    private static FileChannel created(Path path) throws IOException {
        return FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    /** Goes on where {@link #save} was, and takes back what was written after it. */
    static OutputFile resume(Saved saved) throws IOException {
        Path temporary = Path.of(saved.temporary);
        Path place = Path.of(saved.place);
        if (!Files.exists(temporary)) {
            boolean same = Files.exists(place) && !saved.key.isEmpty() && saved.key.equals(key(place));
            if (same && !saved.whole) {
                // A later checkpoint was the last one, and is damaged by now: what came after this one comes again.
                Files.move(place, temporary, StandardCopyOption.ATOMIC_MOVE);
                forceNames(place.getParent());
                return resume(saved);
            }
            if (!saved.whole || !Files.exists(place)) {
                throw new FileSystemException(
                        saved.place, null, "what was written of it so far, " + temporary + ", is not there any more");
            }
            OutputFile whole = new OutputFile(saved.place);
            whole.done = saved;
            return whole;
        }
        FileChannel file = FileChannel.open(temporary, StandardOpenOption.WRITE);
        if (file.size() < saved.length) {
            file.close();
            throw new FileSystemException(
                    saved.place, null, "what was written of it so far, " + temporary + ", has lost bytes");
        }
        file.truncate(saved.length).position(saved.length);
        OutputFile resumed = new OutputFile(saved.place, file, temporary, place);
        resumed.kept = true;
        return resumed;
    }

    /**
     * Where a file stands, and how much of it belongs to a checkpoint.
     *
     * @param whole true where nothing more will be written: it may be in its place by now
     * @param key by which the system knows the file under any name; empty where it does not say
     */
    record Saved(String temporary, String place, long length, boolean whole, String key) {}

    private static String key(Path path) throws IOException {
        Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        return key == null ? "" : key.toString();
    }

    /** Sees what was written on the disk, where {@link #resume} finds it; null where it cannot be taken back. */
    @Nullable Saved save(boolean whole) throws IOException {
        if (file == null || temporary == null || place == null) {
            stream.flush();
            return done;
        }
        boolean packed = stream instanceof Gzip;
        if (stream instanceof Gzip gzip) {
            gzip.finish();
            gzip.release();
        }
        file.force(true);
        if (!kept) {
            forceNames(temporary.toAbsolutePath().getParent());
        }
        kept = true;
        Saved saved = new Saved(
                temporary.toAbsolutePath().toString(),
                place.toAbsolutePath().toString(),
                file.position(),
                whole,
                key(temporary));
        if (packed) {
            stream = new Gzip(bytes); // its header is not part of what is saved; gzip members may follow each other
        }
        return saved;
    }

    /** Sees the names of a directory on the disk, where the system can open one. */
    static void forceNames(@Nullable Path directory) throws IOException {
        if (directory != null && FORCES_NAMES) {
            try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
                names.force(true);
            }
        }
    }

    static String reason(IOException e) {
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (e instanceof NoSuchFileException) {
            return "no such directory";
        }
        if (e instanceof FileSystemException system && system.getReason() != null) {
            return system.getReason();
        }
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    String name() {
        return name;
    }

    void write(byte[] bytes, int from, int length) throws IOException {
        stream.write(bytes, from, length);
        if (stream instanceof PrintStream console && console.checkError()) {
            throw new IOException("it was closed at the other end");
        }
    }

    /** Completes the file, sees it on the disk, and puts it in its place. */
    void finish() throws IOException {
        if (finished) {
            return;
        }
        if (stream instanceof Gzip gzip) {
            gzip.finish();
        }
        if (file != null && temporary != null && place != null) {
            file.force(true);
            file.close();
            Files.move(temporary, place, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            forceNames(place.getParent());
        }
        finished = true;
    }

    /** Completes the file and sees it on the disk, but leaves it under its hidden name. */
    Path seal() throws IOException {
        if (file == null || temporary == null) {
            throw new IllegalStateException(name + " has no hidden name");
        }
        if (stream instanceof Gzip gzip) {
            gzip.finish();
            gzip.release();
        }
        file.force(true);
        file.close();
        finished = true;
        return temporary;
    }

    /** What was not finished vanishes, unless a checkpoint counts on it. */
    @Override
    public void close() throws IOException {
        if (stream instanceof Gzip gzip) {
            gzip.release();
        }
        if (file != null) {
            file.close();
        }
        if (temporary != null && !finished && !kept) {
            Files.deleteIfExists(temporary);
        }
    }

    /** Can be given up without its end being written. */
    private static final class Gzip extends GZIPOutputStream {
        Gzip(OutputStream stream) throws IOException {
            super(stream, PACKED_BYTES);
        }

        void release() {
            def.end();
        }
    }
}
