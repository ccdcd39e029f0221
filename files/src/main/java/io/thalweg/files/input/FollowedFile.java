// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.input;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.SourceContext;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What is appended to a file, and, once it was rotated, the rest of the old file and what is appended to the new one of the same
 * name, as {@code tail -F} has it. Positions count the bytes of all these files, one behind the other.
 */
final class FollowedFile implements Closeable {
    private static final int VERSION = 1;
    private static final int READ_BYTES = 256 * 1024;

    /** So often it is looked whether the name leads to another file. */
    private static final long LOOK_NS = 100_000_000L;

    /** Who renames a file may go on writing to it for so long, before it opens the new one. */
    private static final long GRACE_NS = 1_000_000_000L;

    /** Files that were read to their end and are still known, for records that are sent again from them. */
    private static final int FILES_KNOWN = 8;

    /** The byte order mark, which is left out. */
    private static final byte[] MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

    /** What log files are called once they were rotated: the name, and a number or a time. */
    private static final Pattern ROTATED = Pattern.compile("[.-][0-9][0-9T:_.-]*");

    /**
     * Whole lines.
     *
     * @param bytes with some slack behind {@code length}
     * @param lines of the file before these; -1 if it is not known
     */
    record Piece(byte[] bytes, int length, long position, long lines, byte[] fingerprint) {}

    /** A file that was, or is, read from this position on. */
    private record Part(long position, FileFingerprint file) {}

    /** A file that was opened, and is known to be the one with this key. */
    private record Opened(Path path, FileChannel channel, Outside outside) {
        /** Null if it is not there, or was replaced while it was opened. */
        static @Nullable Opened of(Path file) throws IOException {
            try {
                if (!Files.readAttributes(file, BasicFileAttributes.class).isRegularFile()) {
                    throw new ConnectorException("cannot follow " + file + ": it is not a regular file");
                }
                Outside before = Outside.of(file);
                FileChannel channel = FileChannel.open(file);
                if (keyOf(file).equals(before.key())) {
                    return new Opened(file, channel, before);
                }
                channel.close();
            } catch (NoSuchFileException e) {
                // it is waited for
            }
            return null;
        }

        /** Empty if the file is gone. */
        private static String keyOf(Path file) throws IOException {
            try {
                return Outside.of(file).key();
            } catch (NoSuchFileException e) {
                return "";
            }
        }
    }

    private final Path path;
    private final int maxLineBytes;
    private final SourceContext context;

    private final ReadSoFar readSoFar = new ReadSoFar();

    /** Those before the current file, oldest first. */
    private final List<Part> before = new ArrayList<>();

    private @Nullable FileChannel channel;

    /** The name under which the current file was found; it may have another one by now. */
    private Path found;

    private Outside outside = new Outside("", 0, 0);

    /** Position of the current file's first byte. */
    private long base;

    private byte[] buffer = new byte[READ_BYTES];
    private int size;

    /** Offset in the current file of the buffer's first byte. */
    private long offset;

    private long lines;

    /** The rest of a line that is too long is passed over. */
    private boolean passing;

    private long lookedNs;

    /** Since when another file has the name, and nothing more came from the current one; 0 if that is not so. */
    private long replacedNs;

    FollowedFile(Path path, int maxLineBytes, SourceContext context) {
        this.path = path;
        this.maxLineBytes = maxLineBytes;
        this.context = context;
        found = path;
    }

    private long position() {
        return base + offset;
    }

    /** Nothing, with where it stands; null if the file is not there yet. */
    @Nullable Piece begin() throws IOException {
        return channel == null && !open(path)
                ? null
                : new Piece(new byte[Long.BYTES], 0, position(), lines, fingerprint());
    }

    /** What has come; null if there is nothing now. */
    @Nullable Piece next() throws IOException {
        if (channel == null && !open(path)) {
            return null;
        }
        int count = read();
        if (count > 0) {
            replacedNs = 0;
            return wholeLines(false);
        }
        return look();
    }

    private boolean open(Path file) throws IOException {
        Opened opened = Opened.of(file);
        if (opened != null) {
            use(opened);
        }
        return opened != null;
    }

    private void use(Opened opened) {
        channel = opened.channel();
        outside = opened.outside();
        found = opened.path();
    }

    private FileChannel opened() {
        if (channel == null) {
            throw new IllegalStateException(path + " is not open");
        }
        return channel;
    }

    private int read() throws IOException {
        if (size == buffer.length) {
            buffer = Arrays.copyOf(buffer, (int) Math.min(buffer.length * 2L, maxLineBytes + 2L * READ_BYTES));
        }
        int count = opened().read(ByteBuffer.wrap(buffer, size, buffer.length - size), offset + size);
        size += Math.max(count, 0);
        return count;
    }

    /** @param ended the file has no more, and its last line is one without a line end, too */
    private @Nullable Piece wholeLines(boolean ended) throws IOException {
        pass();
        if (offset == 0 && size >= MARK.length && Arrays.equals(buffer, 0, MARK.length, MARK, 0, MARK.length)) {
            drop(MARK.length);
        }
        int end = size;
        while (end > 0 && buffer[end - 1] != '\n') {
            end--;
        }
        if (ended) {
            end = size;
        } else if (end == 0 && size > maxLineBytes + 2L) {
            passing = true;
            end = size;
        }
        if (end == 0) {
            return null;
        }
        byte[] bytes = Arrays.copyOf(buffer, end + Long.BYTES);
        long position = position();
        long linesBefore = lines;
        for (int i = 0; i < end; i++) {
            lines += bytes[i] == '\n' ? 1 : 0;
        }
        drop(end);
        return new Piece(bytes, end, position, linesBefore, fingerprint());
    }

    private void pass() {
        int at = 0;
        while (passing && at < size) {
            passing = buffer[at] != '\n';
            at++;
        }
        lines += at > 0 && !passing ? 1 : 0;
        drop(at);
    }

    private void drop(int count) {
        if (context.checkpoints()) {
            readSoFar.upTo(offset + count, buffer, offset);
        }
        offset += count;
        size -= count;
        System.arraycopy(buffer, count, buffer, 0, size);
    }

    // ---- rotation

    private @Nullable Piece look() throws IOException {
        long nowNs = context.nowNs();
        if (nowNs - lookedNs < LOOK_NS && lookedNs != 0) {
            return null;
        }
        lookedNs = nowNs;
        if (opened().size() < offset + size) {
            return truncated();
        }
        Path next = next(outside);
        if (next == null) {
            replacedNs = 0;
            return null;
        }
        if (replacedNs == 0) {
            replacedNs = nowNs;
        }
        boolean gone = !found.equals(path); // it was found under the name it has since it was rotated
        if (!gone && nowNs - replacedNs < GRACE_NS) {
            return null;
        }
        return goTo(next);
    }

    private @Nullable Piece truncated() throws IOException {
        context.warn(found + " was truncated to " + opened().size() + " bytes after " + (offset + size)
                + " had been read; it is read from its beginning");
        return goTo(found);
    }

    /** Goes on with another file, unless it was renamed meanwhile; gives what is left of the current one. */
    private @Nullable Piece goTo(Path next) throws IOException {
        Opened other = Opened.of(next);
        if (other == null) {
            return null; // it is found again at the next look
        }
        Piece rest = wholeLines(true);
        if (context.checkpoints()) {
            before.add(new Part(base, known()));
            if (before.size() > FILES_KNOWN) {
                before.remove(0);
            }
        }
        opened().close();
        begin(base + offset, 0, 0, 0);
        use(other);
        return rest;
    }

    private void begin(long filePosition, long fileOffset, int checksum, long linesBefore) {
        base = filePosition;
        offset = fileOffset;
        lines = linesBefore;
        size = 0;
        passing = false;
        replacedNs = 0;
        readSoFar.begin(fileOffset, checksum);
    }

    /** The file that follows one in time; null if there is none. */
    private @Nullable Path next(Outside current) throws IOException {
        if (hasName(current)) {
            return null;
        }
        List<Dated> siblings = siblings();
        Outside now = siblings.stream()
                .map(Dated::outside)
                .filter(each -> each.key().equals(current.key()))
                .findFirst()
                .orElse(current);
        List<Dated> later = new ArrayList<>();
        for (Dated each : siblings) {
            String rest = each.name().substring(name().length());
            long modifiedNs = each.outside().modifiedNs();
            boolean follows = modifiedNs > now.modifiedNs()
                    || (modifiedNs == now.modifiedNs()
                            && !readBefore(each.outside().key()));
            if (each.outside().key().equals(now.key())) {
                continue;
            }
            if (follows && rest.endsWith(".gz")) {
                throw new ConnectorException("cannot follow " + path + ": " + each.path()
                        + " was compressed before it was read; unpack it and start the job again");
            }
            if (rest.isEmpty() || (follows && ROTATED.matcher(rest).matches())) {
                later.add(each);
            }
        }
        return later.stream()
                .min(Comparator.comparing((Dated each) -> each.path().equals(path))
                        .thenComparing(each -> each.outside().modifiedNs()))
                .map(Dated::path)
                .orElse(null);
    }

    /** True if the name leads to the file that is read, or nobody knows. */
    private boolean hasName(Outside current) throws IOException {
        try {
            return Outside.of(path).key().equals(current.key());
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private boolean readBefore(String key) {
        return before.stream().anyMatch(part -> part.file().file().key().equals(key));
    }

    private record Dated(Path path, String name, Outside outside) {}

    private String name() {
        return String.valueOf(path.getFileName());
    }

    /** The files beside this one, and itself, whose names begin with its name. */
    private List<Dated> siblings() throws IOException {
        List<Dated> all = new ArrayList<>();
        Path folder = path.toAbsolutePath().getParent();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder == null ? Path.of("/") : folder)) {
            for (Path each : files) {
                String name = String.valueOf(each.getFileName());
                if (name.startsWith(name())) {
                    try {
                        if (Files.readAttributes(each, BasicFileAttributes.class)
                                .isRegularFile()) {
                            boolean own = name.equals(name());
                            all.add(new Dated(own ? path : each, name, Outside.of(each)));
                        }
                    } catch (NoSuchFileException e) {
                        // renamed meanwhile
                    }
                }
            }
        }
        return all;
    }

    // ---- checkpoints

    private FileFingerprint known() throws IOException {
        return new FileFingerprint(
                readSoFar.length(),
                readSoFar.checksum(),
                FileFingerprint.lastChecksum(opened(), readSoFar.length()),
                false,
                new Outside(outside.key(), outside.bytes(), 0)); // its time changes as it grows
    }

    /** What is known of the file, and of those before it. */
    private byte[] fingerprint() throws IOException {
        if (!context.checkpoints()) {
            return new byte[0];
        }
        ByteWriter out = new ByteWriter(256);
        out.writeVarLong(VERSION);
        List<Part> all = new ArrayList<>(before);
        all.add(new Part(base, known()));
        out.writeVarLong(all.size());
        for (Part part : all) {
            out.writeVarLong(part.position());
            out.writeBytes(part.file().toBytes());
        }
        return out.toByteArray();
    }

    private static List<Part> parts(byte[] fingerprint) {
        ByteReader in = new ByteReader(fingerprint);
        long version = in.readVarLong();
        if (version != VERSION) {
            throw new ConnectorException("the fingerprint of a followed file was saved in format version " + version
                    + ", but this Thalweg reads " + VERSION);
        }
        List<Part> parts = new ArrayList<>();
        for (long left = in.readVarLong(); left > 0; left--) {
            parts.add(new Part(in.readVarLong(), FileFingerprint.of(in.readBytes())));
        }
        return parts;
    }

    /** As {@link io.thalweg.api.connector.LiveReader#changed} has it. */
    @Nullable String changed(byte[] fingerprint) throws IOException {
        List<Part> parts = parts(fingerprint);
        before.clear();
        before.addAll(parts);
        FileFingerprint last = parts.get(parts.size() - 1).file();
        if (locate(last) != null) {
            return null;
        }
        before.clear();
        return "the file of which " + last.length() + " bytes had been read, with key "
                + last.file().key() + ", is not there any more under its name or beside it, or it is not what it was";
    }

    /** The file under the name that it has now; null if there is none with the same beginning. */
    private @Nullable Path locate(FileFingerprint file) throws IOException {
        for (Dated each : siblings()) {
            boolean same = file.file().key().isEmpty()
                    || each.outside().key().equals(file.file().key());
            if (same && file.changed(each.path().toString(), false) == null) {
                return each.path();
            }
        }
        return null;
    }

    /** Goes to a position, after {@link #changed}; if something has changed, to the beginning of what is there now. */
    void seek(long position) throws IOException {
        int last = before.size() - 1;
        while (last > 0 && before.get(last).position() > position) {
            last--;
        }
        if (last < 0) {
            begin(position, 0, 0, 0);
            return;
        }
        Part part = before.get(last);
        Path file = locate(part.file());
        if (file == null) {
            throw new ConnectorException(
                    "cannot follow " + path + " from position " + position + ": the file that was read there is gone");
        }
        List<Part> earlier = List.copyOf(before.subList(0, last));
        before.clear();
        before.addAll(earlier);
        long from = position - part.position();
        FileFingerprint.Prefix prefix = FileFingerprint.Prefix.read(file.toString(), from);
        begin(part.position(), from, prefix.checksum(), LineCount.before(file.toString(), from));
        open(file);
    }

    @Override
    public void close() throws IOException {
        if (channel != null) {
            channel.close();
        }
    }
}
