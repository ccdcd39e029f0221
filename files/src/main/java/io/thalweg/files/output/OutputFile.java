// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.output;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.ThreadLocalRandom;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A file that appears whole or not at all: it is written beside its place under a hidden name, and renamed when it is
 * complete. What is no regular file (a pipe, {@code /dev/null}, standard output) is written as it stands.
 */
final class OutputFile implements AutoCloseable {
    private static final int PACKED_BYTES = 64 * 1024;

    private final String name;
    private final @Nullable FileOutputStream file;
    private final OutputStream stream;
    private final @Nullable Path temporary;
    private final @Nullable Path place;
    private boolean finished;

    private OutputFile(String name, FileOutputStream file, @Nullable Path temporary, @Nullable Path place)
            throws IOException {
        this.name = name;
        this.file = file;
        this.temporary = temporary;
        this.place = place;
        this.stream = name.endsWith(".gz") ? new Gzip(file) : file;
    }

    private OutputFile(PrintStream console) {
        name = "standard output";
        file = null;
        temporary = null;
        place = null;
        stream = console;
    }

    static OutputFile standard(PrintStream console) {
        return new OutputFile(console);
    }

    static OutputFile open(Path path) throws IOException {
        if (Files.exists(path) && !Files.isRegularFile(path)) {
            return new OutputFile(path.toString(), new FileOutputStream(path.toFile()), null, null);
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
        Files.createFile(temporary);
        return new OutputFile(path.toString(), new FileOutputStream(temporary.toFile()), temporary, place);
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
            file.getChannel().force(true);
            file.close();
            Files.move(temporary, place, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
        finished = true;
    }

    /** What was not finished vanishes. */
    @Override
    public void close() throws IOException {
        if (stream instanceof Gzip gzip) {
            gzip.release();
        }
        if (file != null) {
            file.close();
        }
        if (temporary != null && !finished) {
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
