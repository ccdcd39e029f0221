// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.input;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * A split as a stream of bytes, decompressed if they are gzip, for formats that are no text. It knows the checksum of what was
 * read, so that {@link #fingerprint} and {@link #changed} can be asked of it as of a
 * {@link io.thalweg.api.connector.SplitReader}.
 */
public final class CheckedInput extends InputStream {
    private static final int BUFFER_BYTES = 64 * 1024;

    private final ByteInput input;
    /** Null if nobody asks for it. */
    private final @Nullable ReadSoFar readSoFar;

    private final byte[] buffer = new byte[BUFFER_BYTES];
    /** Offset in the input of the buffer's first byte. */
    private long base;

    private int at;
    private int end;

    private CheckedInput(ByteInput input, boolean fingerprints) {
        this.input = input;
        readSoFar = fingerprints && input.attributes() != null ? new ReadSoFar() : null;
    }

    /**
     * @param fingerprints {@link #fingerprint} will be asked for
     * @throws io.thalweg.api.connector.ConnectorException if the split cannot be read; so do the other methods
     */
    public static CheckedInput open(String split, boolean fingerprints) {
        return new CheckedInput(ByteInput.open(split), fingerprints);
    }

    /** What is read, for messages. */
    public String name() {
        return input.split();
    }

    @Override
    public int read() {
        return at < end || fill() ? buffer[at++] & 0xff : -1;
    }

    @Override
    public int read(byte[] into, int offset, int length) {
        if (length == 0) {
            return 0;
        }
        if (at == end && !fill()) {
            return -1;
        }
        int taken = Math.min(length, end - at);
        System.arraycopy(buffer, at, into, offset, taken);
        at += taken;
        return taken;
    }

    /** False at the end. */
    private boolean fill() {
        count();
        base += end;
        at = 0;
        end = Math.max(0, input.read(buffer, 0, buffer.length));
        return end > 0;
    }

    private void count() {
        if (readSoFar != null) {
            readSoFar.upTo(base + at, buffer, base);
        }
    }

    /** What is known of the bytes that were read; nothing if they are of no file, or nobody was to ask. */
    public byte[] fingerprint() throws IOException {
        if (readSoFar == null) {
            return new byte[0];
        }
        count();
        return input.fingerprint(readSoFar.length(), readSoFar.checksum(), false)
                .toBytes();
    }

    /** What has changed of the bytes that a former input knew of, in words; null if nothing has. */
    public @Nullable String changed(byte[] fingerprint) throws IOException {
        FileFingerprint before = FileFingerprint.of(fingerprint);
        String difference = before.changed(input.split(), input.packed());
        if (readSoFar != null && difference == null) {
            readSoFar.begin(before.length(), before.checksum());
        }
        return difference;
    }

    @Override
    public void close() throws IOException {
        input.close();
    }
}
