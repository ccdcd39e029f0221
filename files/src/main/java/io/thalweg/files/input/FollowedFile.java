// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.input;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.WriteTarget;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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

    /** Who renames a file may continue writing to it for so long, before it opens the new one. */
    private static final long GRACE_NS = 1_000_000_000L;

    /** Files that were read to their end and are still known, for records that are resent from them. */
    private static final int FILES_KNOWN = 8;

    /** So often a file is looked for that is renamed repeatedly. */
    private static final int TRIES = 10;

    /** The byte order mark, which is left out. */
    private static final byte[] MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

    /** What log files are called once they were rotated: the name, and a number or a time. */
    private static final Pattern ROTATED = Pattern.compile("[.-][0-9][0-9T:_.-]*");

    private static final String PACKED = ".gz";

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
    private record Opened(Path path, FileChannel channel, FileAttributes attributes) {
        /** Null if it is not there, or was replaced while it was opened. */
        static @Nullable Opened of(Path file) throws IOException {
            try {
                if (!Files.readAttributes(file, BasicFileAttributes.class).isRegularFile()) {
                    throw new ConnectorException("cannot follow " + file + ": it is not a regular file");
                }
                FileAttributes before = FileAttributes.of(file);
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
                return FileAttributes.of(file).key();
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

    private FileAttributes attributes = new FileAttributes("", 0, 0);

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

    /** Another file was opened, and nobody was told yet. */
    private boolean switched;

    /** Keys of files beside this one that need not be read, until another one is opened. */
    private final Set<String> dealtWith = new HashSet<>();

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
        if (switched) {
            switched = false;
            return begin(); // a checkpoint is not to name the old file any longer
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
        attributes = opened.attributes();
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
        if (offset == 0 && Utf16.begins(buffer, size)) {
            throw Utf16.refusal("follow " + found);
        }
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
        readSoFar.upTo(offset + count, buffer, offset);
        offset += count;
        size -= count;
        System.arraycopy(buffer, count, buffer, 0, size);
    }

    // ---- rotation

    static boolean reads(Path path, WriteTarget place) {
        Path absolute = path.toAbsolutePath();
        Path parent = absolute.getParent();
        Path name = absolute.getFileName();
        if (parent == null || name == null) {
            return false; // the root
        }
        Path directory = WriteTarget.real(parent);
        return place.has(path)
                || place.files().stream()
                        .anyMatch(file -> directory.equals(file.getParent()) && isRotated(file.getFileName(), name));
    }

    private static boolean isRotated(Path file, Path name) {
        String rest = file.toString();
        return rest.startsWith(name.toString())
                && ROTATED.matcher(rest.substring(name.toString().length())).matches();
    }

    private @Nullable Piece look() throws IOException {
        long nowNs = context.nowNs();
        if (nowNs - lookedNs < LOOK_NS && lookedNs != 0) {
            return null;
        }
        lookedNs = nowNs;
        Path shorter = opened().size() < offset + size ? nameNow() : null;
        if (shorter != null) {
            return truncated(shorter);
        }
        Path next = following();
        if (next == null) {
            replacedNs = 0;
            return null;
        }
        if (replacedNs == 0) {
            replacedNs = nowNs;
        }
        boolean longAgo = !found.equals(path) && !next.equals(path); // it was rotated twice since it was written
        if (!longAgo && nowNs - replacedNs < GRACE_NS) {
            return null;
        }
        return goTo(next, true);
    }

    private @Nullable Piece truncated(Path file) throws IOException {
        String message = file + " was truncated to " + opened().size() + " bytes after " + (offset + size)
                + " had been read; it is read from its beginning";
        FileChannel old = opened();
        Piece rest = goTo(file, false);
        if (opened() != old) {
            context.warn(message);
        }
        return rest;
    }

    /**
     * Goes on with another file, unless it was renamed meanwhile; gives what is left of the current one.
     *
     * @param ended the current one has its last line; else the line may have been cut off, and is left out
     */
    private @Nullable Piece goTo(Path next, boolean ended) throws IOException {
        Opened other = Opened.of(next);
        if (other == null) {
            return null; // it is found again at the next look
        }
        Piece rest = wholeLines(ended);
        before.add(new Part(base, known()));
        if (before.size() > FILES_KNOWN) {
            before.remove(0);
        }
        opened().close();
        begin(base + offset, 0, 0, 0);
        use(other);
        switched = true;
        return rest;
    }

    private void begin(long filePosition, long fileOffset, int checksum, long linesBefore) {
        base = filePosition;
        offset = fileOffset;
        lines = linesBefore;
        size = 0;
        passing = false;
        replacedNs = 0;
        dealtWith.clear();
        readSoFar.begin(fileOffset, checksum);
    }

    /** The file that follows the current one in time; null if there is none. */
    private @Nullable Path following() throws IOException {
        if (hasName()) {
            return null;
        }
        List<Dated> siblings = siblings();
        siblings.forEach(each -> seen(each.attributes()));
        Set<String> names = siblings.stream().map(Dated::name).collect(Collectors.toSet());
        List<Dated> later = new ArrayList<>();
        for (Dated each : siblings) {
            boolean own = each.name().equals(name());
            boolean current = each.attributes().key().equals(attributes.key());
            if (current || (!own && each.attributes().modifiedNs() < attributes.modifiedNs())) {
                continue;
            }
            String rest = each.name().substring(name().length());
            String plain = rest.endsWith(PACKED) ? rest.substring(0, rest.length() - PACKED.length()) : rest;
            boolean packed = !plain.equals(rest);
            boolean inWork = packed && names.contains(name() + plain); // it is being compressed
            if (!own && (!ROTATED.matcher(plain).matches() || inWork || isDealtWith(each, packed))) {
                continue;
            }
            if (!packed) {
                later.add(each);
            } else {
                throw new ConnectorException("cannot follow " + path + ": " + each.path()
                        + " was compressed before it was read; unpack it and start the job again");
            }
        }
        return later.stream()
                .min(Comparator.comparing((Dated each) -> each.path().equals(path))
                        .thenComparing(each -> each.attributes().modifiedNs()))
                .map(Dated::path)
                .orElse(null);
    }

    /** True if the name leads to the file that is read. */
    private boolean hasName() throws IOException {
        try {
            if (!Files.readAttributes(path, BasicFileAttributes.class).isRegularFile()) {
                throw new ConnectorException("cannot follow " + path + ": it is not a regular file any more");
            }
            return seen(FileAttributes.of(path));
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** Keeps the time of the current file, for when it is gone; false if this is another file. */
    private boolean seen(FileAttributes now) {
        boolean current = now.key().equals(attributes.key());
        if (current) {
            attributes = new FileAttributes(now.key(), attributes.bytes(), now.modifiedNs());
        }
        return current;
    }

    /** The name that the current file has now; null if it has none. */
    private @Nullable Path nameNow() throws IOException {
        return siblings().stream()
                .filter(each -> each.attributes().key().equals(attributes.key()))
                .map(Dated::path)
                .findFirst()
                .orElse(null);
    }

    /** True if the file was read before, or is the compressed form of one that was, or of the current one. */
    private boolean isDealtWith(Dated each, boolean packed) throws IOException {
        String key = each.attributes().key();
        boolean is = dealtWith.contains(key) || (packed && unpacksTo(each.path(), opened().size(), known()));
        for (int i = 0; i < before.size() && !is; i++) {
            FileFingerprint file = before.get(i).file();
            is = packed
                    ? unpacksTo(each.path(), file.length(), file)
                    : file.file().key().equals(key)
                            && (file.length() > 0 || each.attributes().bytes() == 0)
                            && file.changed(each.path().toString(), false) == null;
        }
        if (is) {
            dealtWith.add(key);
        }
        return is;
    }

    /** True if a compressed file has so many bytes and begins with what is known of a file. */
    private static boolean unpacksTo(Path packed, long length, FileFingerprint file) throws IOException {
        String split = packed.toString();
        try {
            return FileFingerprint.Prefix.read(split, file.length()).checksum() == file.checksum()
                    && FileFingerprint.Prefix.read(split, length + 1).bytes() == length;
        } catch (ConnectorException e) {
            return false; // it is not gzip
        }
    }

    private record Dated(Path path, String name, FileAttributes attributes) {}

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
                            all.add(new Dated(own ? path : each, name, FileAttributes.of(each)));
                        }
                    } catch (NoSuchFileException e) {
                        // renamed meanwhile
                    }
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
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
                new FileAttributes(attributes.key(), attributes.bytes(), 0)); // its time changes as it grows
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

    /**
     * The file under the name that it has now, or its only copy beside it, such as one that was compressed and decompressed again; null
     * if there is none with the same beginning.
     */
    private @Nullable Path locate(FileFingerprint file) throws IOException {
        List<Path> copies = new ArrayList<>();
        for (Dated each : siblings()) {
            boolean same = file.file().key().isEmpty()
                    || each.attributes().key().equals(file.file().key());
            String rest = each.name().substring(name().length());
            boolean copy = file.length() > 0
                    && (rest.isEmpty() || ROTATED.matcher(rest).matches());
            if ((same || copy) && file.changed(each.path().toString(), false) == null) {
                if (same) {
                    return each.path();
                }
                copies.add(each.path());
            }
        }
        return copies.size() == 1 ? copies.get(0) : null;
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
        List<Part> earlier = List.copyOf(before.subList(0, last));
        before.clear();
        before.addAll(earlier);
        long from = position - part.position();
        boolean there = false;
        for (int tries = 0; from >= 0 && !there && tries < TRIES; tries++) {
            there = open(part, from);
        }
        if (!there) {
            throw new ConnectorException(
                    "cannot follow " + path + " from position " + position + ": the file that was read there is gone");
        }
    }

    /** False if the file is gone, or was renamed meanwhile. */
    private boolean open(Part part, long from) throws IOException {
        Path file = locate(part.file());
        Opened opened = file == null ? null : Opened.of(file);
        if (file == null || opened == null) {
            return false;
        }
        try {
            FileFingerprint.Prefix prefix = FileFingerprint.Prefix.read(file.toString(), from);
            long linesBefore = LineCount.before(ByteInput.open(file.toString()), from);
            if (part.file().changed(file.toString(), false) == null
                    && Opened.keyOf(file).equals(opened.attributes().key())) {
                begin(part.position(), from, prefix.checksum(), linesBefore);
                passing = from > MARK.length && !prefix.endsLine();
                use(opened);
                return true;
            }
        } catch (NoSuchFileException e) {
            // it is looked for under its new name
        }
        opened.channel().close();
        return false;
    }

    @Override
    public void close() throws IOException {
        if (channel != null) {
            channel.close();
        }
    }
}
