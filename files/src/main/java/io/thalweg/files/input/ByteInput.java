// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.input;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.SourceContext;
import java.io.ByteArrayInputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The bytes of one split, decompressed if they are gzip. */
public final class ByteInput implements AutoCloseable {
    private static final String STANDARD_NAME = "standard input";

    private final String split;

    /** Null if the bytes are to be had only once. */
    private final @Nullable FileInputStream file;

    private InputStream stream;
    private final boolean gzip;
    private final @Nullable FileAttributes attributes;
    private long offset;

    private ByteInput(
            String split,
            @Nullable FileInputStream file,
            InputStream stream,
            boolean gzip,
            @Nullable FileAttributes attributes) {
        this.attributes = attributes;
        this.split = split;
        this.file = file;
        this.stream = stream;
        this.gzip = gzip;
    }

    /** @throws ConnectorException if the file cannot be read */
    public static ByteInput open(String split) {
        if (split.equals(InputFiles.STANDARD_INPUT)) {
            return begin(STANDARD_NAME, null, System.in);
        }
        check(Path.of(split));
        try {
            FileInputStream stream = new FileInputStream(split);
            try {
                return begin(split, isRegular(Path.of(split)) ? stream : null, stream);
            } catch (IOException | RuntimeException e) {
                stream.close();
                throw e;
            }
        } catch (IOException e) {
            throw new ConnectorException("cannot read " + split + ": " + reason(e), e);
        }
    }

    /** Of a split whose bytes come from elsewhere. */
    static ByteInput nothing(String split) {
        return new ByteInput(split, null, InputStream.nullInputStream(), false, null);
    }

    /** Of a split whose bytes this stream gives. */
    static ByteInput of(String split, InputStream stream) {
        return new ByteInput(split, null, stream, false, null);
    }

    /** {@link Files#isRegularFile} answers false, too, if the disk fails to answer: a file would be read as a pipe. */
    private static boolean isRegular(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class).isRegularFile();
    }

    private static ByteInput begin(String split, @Nullable FileInputStream file, InputStream stream) {
        try {
            byte[] magic = first(stream);
            InputStream all = stream;
            if (file == null) {
                all = new SequenceInputStream(new ByteArrayInputStream(magic), stream);
            } else {
                file.getChannel().position(0); // and not the same, which would close the file at its end
            }
            boolean gzip = GzipInput.isMagic(magic);
            if (!gzip && split.endsWith(".gz") && magic.length > 0) {
                throw new ConnectorException(
                        "cannot read " + split + ": the name says gzip, but the content is not gzip");
            }
            return new ByteInput(
                    split,
                    file,
                    gzip ? new GzipInput(all) : all,
                    gzip,
                    file == null ? null : FileAttributes.of(Path.of(split)));
        } catch (IOException e) {
            throw new ConnectorException("cannot read " + split + ": " + reason(e), e);
        }
    }

    /** Two bytes, fewer at the end. {@link FileInputStream#readNBytes} would ask a pipe where it is. */
    private static byte[] first(InputStream stream) throws IOException {
        byte[] magic = new byte[2];
        int size = 0;
        for (int count = 0; size < magic.length && count >= 0; size += Math.max(count, 0)) {
            count = stream.read(magic, size, magic.length - size);
        }
        return Arrays.copyOf(magic, size);
    }

    /** The same bytes from their beginning. */
    ByteInput again() throws IOException {
        if (file == null) {
            throw new UnsupportedOperationException(split + " cannot be replayed");
        }
        close();
        return open(split);
    }

    /**
     * The same bytes from their beginning, read beside this input: from the file that is open here, though its name may lead to another
     * one by now, or to none.
     */
    ByteInput beside() {
        if (file == null) {
            throw new UnsupportedOperationException(split + " cannot be replayed");
        }
        FileChannel channel = file.getChannel();
        if (!channel.isOpen()) {
            return open(split);
        }
        InputStream bytes = new OpenFileInput(channel);
        return new ByteInput(split, null, gzip ? new GzipInput(bytes) : bytes, gzip, null);
    }

    /** Throws what is to be said of a file that cannot be opened. */
    static void check(Path file) {
        if (!Files.exists(file)) {
            throw new ConnectorException("cannot read " + file + ": no such file"
                    + (file.isAbsolute() ? "" : " in " + Path.of("").toAbsolutePath()));
        }
        if (Files.isDirectory(file)) {
            throw new ConnectorException("cannot read " + file + ": it is a directory");
        }
        if (!Files.isReadable(file)) {
            throw new ConnectorException("cannot read " + file + ": permission denied");
        }
    }

    /** Why a file cannot be read or written, in a few words that follow its name in a message. */
    public static String reason(IOException e) {
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (e instanceof NoSuchFileException) {
            return "no such file";
        }
        if (e instanceof FileSystemException system) { // its message begins with the name, or is it
            return system.getReason() == null ? e.getClass().getSimpleName() : system.getReason();
        }
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    /** At least one byte, or -1 at the end. */
    int read(byte[] bytes, int from, int length) {
        try {
            int count = stream.read(bytes, from, length);
            if (count < 0) {
                checkNotTruncated();
            }
            offset += Math.max(count, 0);
            return count;
        } catch (IOException e) {
            throw new ConnectorException("cannot read " + split + " after byte " + offset + ": " + reason(e), e);
        }
    }

    /** An early end is no end. Decompressing notices by itself, and some files of the system are shorter than their size says. */
    private void checkNotTruncated() throws IOException {
        if (file == null || attributes == null || gzip || offset >= attributes.bytes()) {
            return;
        }
        long bytes = file.getChannel().size();
        if (bytes < attributes.bytes()) {
            throw new ConnectorException("cannot read " + split + " after byte " + offset + ": it was truncated from "
                    + attributes.bytes() + " to " + bytes
                    + " bytes while it was read; write a new file and rename it instead, and run the job again");
        }
    }

    /** Goes to a place in the decompressed bytes, before the first read. */
    void seek(long position) throws IOException {
        if (position == 0) {
            return;
        }
        if (file == null) {
            throw new UnsupportedOperationException(split + " cannot be replayed");
        }
        if (!gzip) {
            file.getChannel().position(position);
        } else {
            stream.skipNBytes(position);
        }
        offset = position;
    }

    /** From now on blocks of gzip are inflated ahead, in pieces of the engine's; nothing changes for other inputs. */
    void inflateAhead(SourceContext context, int blockBytes) {
        if (stream instanceof GzipInput packed) {
            stream = file != null && packed.inMeasured()
                    ? new BgzfAhead(packed, file, context, blockBytes)
                    : new InflatingAhead(packed, context, blockBytes);
        }
    }

    /** False if a piece inflates what comes within so many bytes. */
    boolean has(int bytes) {
        return !(stream instanceof Unpacked packed) || packed.has(bytes);
    }

    /** All was read, but a bgzip file would go on with the empty block that ends it. */
    boolean lacksEnd() {
        return stream instanceof Unpacked packed && packed.lacksEnd();
    }

    /** A file that is named as gzip has not one byte, as even gzip of nothing has. */
    boolean lacksAll() {
        return attributes != null && attributes.bytes() == 0 && split.endsWith(".gz");
    }

    /** How much is likely to be read, or a large number if nobody knows. */
    long likelyLength() {
        try {
            return file == null || gzip ? Long.MAX_VALUE : file.getChannel().size();
        } catch (IOException e) {
            return Long.MAX_VALUE;
        }
    }

    String split() {
        return split;
    }

    boolean packed() {
        return gzip;
    }

    /** The file as it was when it was opened; null if it is none. */
    @Nullable FileAttributes attributes() {
        return attributes;
    }

    /** What is to be known of a file of which so many bytes were read. */
    FileFingerprint fingerprint(long length, int checksum, boolean openLine) throws IOException {
        if (file == null || attributes == null) {
            throw new IllegalStateException(split + " is no file");
        }
        FileAttributes now = unchangedName(attributes);
        int last = gzip ? 0 : FileFingerprint.lastChecksum(file.getChannel(), length);
        return new FileFingerprint(length, checksum, last, openLine, now);
    }

    /** The file as it is now; where its name has gone to another one or to none, its time is not worth knowing. */
    private FileAttributes unchangedName(FileAttributes opened) {
        try {
            FileAttributes now = FileAttributes.of(Path.of(split));
            return now.key().equals(opened.key()) ? now : new FileAttributes(opened.key(), opened.bytes(), 0);
        } catch (IOException e) {
            return new FileAttributes(opened.key(), opened.bytes(), 0);
        }
    }

    @Override
    public void close() throws IOException {
        if (!split.equals(STANDARD_NAME)) { // which belongs to the whole JVM
            stream.close();
        }
    }
}
