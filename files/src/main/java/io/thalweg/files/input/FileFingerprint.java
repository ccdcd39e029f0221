// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.input;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.connector.ConnectorException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * What a checkpoint knows of a file that was read up to some byte.
 *
 * @param length bytes that were read, decompressed
 * @param checksum of these bytes
 * @param lastChecksum of the last {@link #LAST_BYTES} of them, or of all if there are fewer; 0 for a compressed file
 * @param openLine the file ended there, and its last line was read without a line end
 * @param file which file it was and how it looked from outside
 */
record FileFingerprint(long length, int checksum, int lastChecksum, boolean openLine, FileAttributes file) {
    private static final int VERSION = 1;
    private static final int LAST_BYTES = 4096;
    private static final int BUFFER_BYTES = 64 * 1024;

    /** What was found in the first bytes of a file, decompressed. */
    record Prefix(long bytes, int checksum, int lastByte) {
        static final Prefix EMPTY = new Prefix(0, 0, '\n');

        boolean endsLine() {
            return lastByte == '\n';
        }

        /** Reads them all, fewer than asked for if the file has fewer. */
        static Prefix read(String split, long length) throws IOException {
            CRC32C checksum = new CRC32C();
            byte[] buffer = new byte[BUFFER_BYTES];
            long left = length;
            int lastByte = '\n';
            try (ByteInput input = ByteInput.open(split)) {
                while (left > 0) {
                    int count = input.read(buffer, 0, (int) Math.min(left, buffer.length));
                    if (count < 0) {
                        break;
                    }
                    checksum.update(buffer, 0, count);
                    lastByte = buffer[count - 1];
                    left -= count;
                }
            }
            return new Prefix(length - left, (int) checksum.getValue(), lastByte);
        }
    }

    static int lastChecksum(FileChannel file, long length) throws IOException {
        ByteBuffer last = ByteBuffer.allocate((int) Math.min(LAST_BYTES, length));
        long at = length - last.capacity();
        while (last.hasRemaining() && file.read(last, at + last.position()) >= 0) {
            // a read may give less than was asked for
        }
        CRC32C checksum = new CRC32C();
        checksum.update(last.flip());
        return (int) checksum.getValue();
    }

    byte[] toBytes() {
        ByteWriter out = new ByteWriter(128);
        out.writeVarLong(VERSION);
        out.writeVarLong(length);
        out.writeVarLong(checksum);
        out.writeVarLong(lastChecksum);
        out.writeBoolean(openLine);
        file.writeTo(out);
        return out.toByteArray();
    }

    /** @throws ConnectorException if another version was written */
    static FileFingerprint of(byte[] bytes) {
        ByteReader in = new ByteReader(bytes);
        long version = in.readVarLong();
        if (version != VERSION) {
            throw new ConnectorException("the fingerprint of a file was saved in format version " + version
                    + ", but this Thalweg reads " + VERSION);
        }
        return new FileFingerprint(
                in.readVarLong(),
                (int) in.readVarLong(),
                (int) in.readVarLong(),
                in.readBoolean(),
                FileAttributes.read(in));
    }

    /** What is different in a file now, in words; null if it begins with the same bytes. */
    @Nullable String changed(String split, boolean packed) throws IOException {
        Path path = Path.of(split);
        FileAttributes now = FileAttributes.of(path);
        if (file.surelySame(now) && (packed || lastChecksum(path) == lastChecksum)) {
            return null;
        }
        Prefix prefix = Prefix.read(split, length);
        if (prefix.bytes < length) {
            return length + " bytes of it had been read" + (packed ? ", decompressed" : "") + ", and it has "
                    + prefix.bytes + file.replacedBy(now);
        }
        if (prefix.checksum == checksum) {
            return openLine && Prefix.read(split, length + 1).bytes > length
                    ? "its last line had no line end and was read as it was, up to byte " + length
                            + ", and the line goes on now"
                    : null;
        }
        return "its first " + length + " bytes" + (packed ? ", decompressed," : "") + " have changed (CRC-32C "
                + Integer.toHexString(prefix.checksum) + ", not " + Integer.toHexString(checksum) + ")"
                + file.replacedBy(now);
    }

    private int lastChecksum(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path)) {
            return lastChecksum(channel, length);
        }
    }
}
