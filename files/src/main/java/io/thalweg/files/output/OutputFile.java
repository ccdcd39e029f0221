// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.output;

import io.thalweg.api.connector.WriteTarget;
import io.thalweg.files.input.OpenFileInput;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.zip.CRC32C;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A file that appears whole or not at all: it is written beside its place under a hidden name, and renamed when it is
 * complete. What is no regular file (a pipe, {@code /dev/null}, standard output) is written as it stands.
 */
final class OutputFile implements AutoCloseable {
    private static final int PACKED_BYTES = 64 * 1024;

    /**
     * This byte of a hidden file is locked while it is open. It is none that is written: some systems let nobody else read what is locked.
     */
    private static final long OPEN = Long.MAX_VALUE - 1;

    /** Windows opens no directories. */
    private static final boolean FORCES_NAMES = File.separatorChar == '/';

    private final String name;
    private final @Nullable FileChannel file;
    private final OutputStream bytes;
    private final boolean packed;

    /** The member of a compressed file that is being written; members may follow each other. */
    private @Nullable Gzip member;

    /** Where the bytes are until the file is complete; null if it is written as it stands. */
    private final @Nullable Path temporary;

    private final @Nullable Target target;
    private boolean finished;

    /** A checkpoint counts on what is written so far. */
    private boolean kept;

    /** What led to a file that was in its place already. */
    private @Nullable Saved done;

    /** Where a file will be, and whose that is. */
    record Target(Path place, Ownership ownership) {}

    private OutputFile(String name, FileChannel file, Summed bytes, @Nullable Path temporary, @Nullable Target target)
            throws IOException {
        this.name = name;
        this.file = file;
        this.temporary = temporary;
        this.target = target;
        this.bytes = bytes;
        packed = name.endsWith(".gz");
    }

    private OutputFile(String name, OutputStream stream) {
        this.name = name;
        file = null;
        temporary = null;
        target = null;
        bytes = stream;
        packed = false;
    }

    static OutputFile standard(PrintStream console) {
        return new OutputFile("standard output", console);
    }

    /** What is no regular file. */
    static OutputFile device(Path path) throws IOException {
        FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE);
        return new OutputFile(path.toString(), file, new Summed(file, 0, 0), null, null);
    }

    /** Where an output's file is to be. A link keeps its place; the file it leads to is made or replaced. */
    static Path place(Path path) throws IOException {
        boolean there = Fingerprint.isThere(path);
        Path place = there ? path.toRealPath() : WriteTarget.real(path);
        if (there && !Files.isWritable(place)) {
            throw new AccessDeniedException(place.toString());
        }
        Path directory = place.getParent();
        if (directory == null || !Files.isDirectory(directory)) {
            throw new FileSystemException(
                    path.toString(), null, "there is no directory " + directory + "; create it first");
        }
        return place;
    }

    static OutputFile open(Target target) throws IOException {
        Path temporary = Temporaries.of(target.place);
        FileChannel file = Temporaries.create(temporary);
        boolean opened = false;
        try {
            isOpenElsewhere(file); // so that it is open here
            opened = true;
            return new OutputFile(target.place.toString(), file, new Summed(file, 0, 0), temporary, target);
        } finally {
            if (!opened) {
                file.close();
                Files.deleteIfExists(temporary);
            }
        }
    }

    /**
     * Whether another process has the file open; otherwise it is open in this one from now on. A task whose process is cut off, or stands
     * still, is begun again elsewhere, and may go on later. In one process a task has ended before it is begun again.
     */
    private static boolean isOpenElsewhere(FileChannel file) throws IOException {
        try {
            return file.tryLock(OPEN, 1, false) == null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    /** A file that is to be sealed, under the name it is written by. */
    static OutputFile hidden(Path path) throws IOException {
        FileChannel file = Temporaries.create(path);
        return new OutputFile(path.toString(), file, new Summed(file, 0, 0), path, null);
    }

    /** Goes on where {@link #save} was, and takes back what was written after it. */
    static OutputFile resume(Saved saved, Target target) throws IOException {
        Path place = target.place;
        if (!Temporaries.isOf(place, saved.temporary)) {
            throw new FileSystemException(
                    place.toString(), null, "the checkpoint needs " + saved.where() + ", which is another output");
        }
        Path temporary = place.resolveSibling(saved.temporary);
        target.ownership.check();
        if (!Fingerprint.isThere(temporary, LinkOption.NOFOLLOW_LINKS)) {
            OutputFile whole = fromPlace(saved, target, temporary);
            if (whole != null) {
                return whole;
            }
        }
        if (!saved.print.beginsHidden(temporary)) {
            throw new FileSystemException(
                    place.toString(),
                    null,
                    "its unfinished output, " + temporary + ", has lost bytes or is another file");
        }
        long length = saved.print.length();
        FileChannel file = Temporaries.open(temporary);
        try {
            if (isOpenElsewhere(file)) {
                throw new FileSystemException(
                        place.toString(),
                        null,
                        "another process of this job still has its unfinished output open, " + temporary
                                + "; restore the job when that process has ended");
            }
            file.truncate(length).position(length);
            Summed bytes = new Summed(file, length, saved.print.sum());
            OutputFile resumed = new OutputFile(place.toString(), file, bytes, temporary, target);
            resumed.kept = true;
            return resumed;
        } catch (IOException e) {
            file.close();
            throw e;
        }
    }

    /** The hidden file was renamed. Null if it has its hidden name again, because more is to come. */
    private static @Nullable OutputFile fromPlace(Saved saved, Target target, Path temporary) throws IOException {
        Path place = target.place;
        boolean there = Fingerprint.isThere(place, LinkOption.NOFOLLOW_LINKS);
        if (saved.whole && there) {
            if (!saved.print.isOf(place)) {
                throw new FileSystemException(
                        place.toString(), null, "the file there is not the one that the job of the checkpoint wrote");
            }
            OutputFile whole = new OutputFile(place.toString(), OutputStream.nullOutputStream());
            whole.finished = true;
            whole.done = saved;
            return whole;
        }
        if (!there || !saved.print.begins(place)) {
            String elsewhere = saved.directory.equals(directory(place))
                    ? ""
                    : "; it was written in " + saved.directory + ", and this job writes to " + directory(place);
            throw new FileSystemException(
                    place.toString(), null, "its unfinished output, " + temporary + ", is gone" + elsewhere);
        }
        // A later checkpoint was the last one, and is damaged by now: what came after this one comes again.
        Files.move(place, temporary, StandardCopyOption.ATOMIC_MOVE);
        forceNames(place.getParent());
        return null;
    }

    /** Whether the rows so far stand below these bytes, uncompressed. A file that is in its place gets no more rows. */
    boolean beginsWith(byte[] head) throws IOException {
        if (head.length == 0 || finished || file == null) {
            return true;
        }
        try (InputStream written = new OpenFileInput(file);
                InputStream in = packed ? new GZIPInputStream(written) : written) {
            return Arrays.equals(in.readNBytes(head.length), head);
        }
    }

    private static String directory(Path place) {
        return String.valueOf(place.toAbsolutePath().getParent());
    }

    /**
     * How much of a file belongs to a checkpoint.
     *
     * @param temporary name of the hidden file
     * @param directory in which it was; for messages
     * @param whole true if nothing more will be written: it may be in its place by now
     */
    record Saved(String temporary, String directory, boolean whole, Fingerprint print) {
        private String where() {
            return directory + File.separator + temporary;
        }
    }

    /** Sees what was written on the disk, where {@link #resume} finds it; null if it cannot be taken back. */
    @Nullable Saved save(boolean whole) throws IOException {
        if (file == null || temporary == null || target == null) {
            bytes.flush();
            return done;
        }
        endMember();
        file.force(true);
        if (!kept) {
            forceNames(temporary.toAbsolutePath().getParent());
        }
        kept = true;
        return new Saved(String.valueOf(temporary.getFileName()), directory(temporary), whole, print(temporary));
    }

    private Fingerprint print(Path path) throws IOException {
        Summed summed = (Summed) bytes;
        return new Fingerprint(Fingerprint.key(path), summed.length, summed.sum());
    }

    /** A compressed file has one member at least. */
    private void endMember() throws IOException {
        if (packed && member == null && bytes instanceof Summed summed && summed.length == 0) {
            member = new Gzip(bytes);
        }
        if (member != null) {
            member.finish();
            member.release();
            member = null;
        }
    }

    /** Sees the names of a directory on the disk, if the system can open one. */
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
        if (e instanceof NoSuchFileException missing) {
            Path directory = missing.getFile() == null
                    ? null
                    : Path.of(missing.getFile()).toAbsolutePath().getParent();
            return directory != null && Files.isDirectory(directory)
                    ? "the file is gone, and this job did not remove it"
                    : "no such directory";
        }
        if (e instanceof FileSystemException system && system.getReason() != null) {
            return system.getReason();
        }
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    String name() {
        return name;
    }

    /** Nothing is hidden any more. */
    boolean isFinished() {
        return finished;
    }

    /** A checkpoint counts on what is hidden. */
    boolean isKept() {
        return kept && !finished;
    }

    void write(byte[] source, int from, int length) throws IOException {
        if (length == 0) {
            return;
        }
        if (packed && member == null) {
            member = new Gzip(bytes);
        }
        OutputStream to = member == null ? bytes : member;
        to.write(source, from, length);
        if (bytes instanceof PrintStream console && console.checkError()) {
            throw new IOException("it is closed or full");
        }
    }

    /** Completes the file and sees it on the disk. */
    void prepare() throws IOException {
        if (finished) {
            return;
        }
        endMember();
        if (file != null && temporary != null && target != null) {
            file.force(true);
            file.close();
        }
    }

    /** Puts the file in its place, after {@link #prepare}. */
    void finish() throws IOException {
        if (finished) {
            return;
        }
        if (file != null && temporary != null && target != null) {
            target.ownership.check();
            target.ownership.permit(temporary);
            Files.move(temporary, target.place, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            forceNames(target.place.getParent());
        }
        finished = true;
    }

    /** Completes the file and sees it on the disk, but leaves it under its hidden name. */
    Fingerprint seal() throws IOException {
        if (file == null || temporary == null) {
            throw new IllegalStateException(name + " has no hidden name");
        }
        endMember();
        file.force(true);
        file.close();
        finished = true;
        return print(temporary);
    }

    /** What was not finished vanishes, unless a checkpoint counts on it. */
    @Override
    public void close() throws IOException {
        if (member != null) {
            member.release();
        }
        if (file != null) {
            file.close();
        }
        if (temporary != null && !finished && !kept) {
            Files.deleteIfExists(temporary);
        }
    }

    /** Knows how much was written, and the checksum of it. */
    private static final class Summed extends OutputStream {
        private final FileChannel file;
        private final long sumBefore;
        private final long lengthBefore;
        private final CRC32C behind = new CRC32C();
        private long length;

        Summed(FileChannel file, long length, long sum) {
            this.file = file;
            this.length = length;
            lengthBefore = length;
            sumBefore = sum;
        }

        long sum() {
            return Crc32c.joined(sumBefore, behind.getValue(), length - lengthBefore);
        }

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] source, int from, int count) throws IOException {
            ByteBuffer left = ByteBuffer.wrap(source, from, count);
            while (left.hasRemaining()) {
                file.write(left);
            }
            behind.update(source, from, count);
            length += count;
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
