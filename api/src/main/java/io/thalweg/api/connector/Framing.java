// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import io.thalweg.api.operator.BadRecordException;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** How records stand one behind the other in a stream of bytes. */
interface Framing<T> extends Serializable {
    /** There is no whole record yet. */
    int NOT_YET = -1;

    /**
     * The length of the first record, with all that belongs to it; {@link #NOT_YET} if it is not all there.
     *
     * @param searched so many of these bytes were given before
     * @param ended nothing follows
     * @throws ConnectorException if this cannot be a record
     */
    int length(byte[] bytes, int from, int to, int searched, boolean ended, int maxBytes);

    /** @throws BadRecordException if it cannot be decoded, or is too long */
    T decode(byte[] bytes, int from, int to, int maxBytes);

    /** What is kept of a record that is too long. */
    int KEPT_BYTES = 64 * 1024;

    /** Lines of UTF-8 that end with LF or CRLF; the last may go without. */
    record Lines() implements Framing<String> {
        private static final long serialVersionUID = 1L;

        @Override
        public int length(byte[] bytes, int from, int to, int searched, boolean ended, int maxBytes) {
            for (int at = from + searched; at < to; at++) {
                if (bytes[at] == '\n') {
                    return at + 1 - from;
                }
            }
            return ended && to > from ? to - from : NOT_YET;
        }

        @Override
        public String decode(byte[] bytes, int from, int to, int maxBytes) {
            int end = to > from && bytes[to - 1] == '\n' ? to - 1 : to;
            end = end > from && bytes[end - 1] == '\r' ? end - 1 : end;
            if (end - from > maxBytes) {
                throw new BadRecordException(
                        "the line is longer than " + maxBytes + " bytes",
                        Arrays.copyOfRange(bytes, from, from + Math.min(maxBytes, KEPT_BYTES)));
            }
            return text(bytes, from, end, "the line");
        }
    }

    /** @throws BadRecordException if it is not UTF-8 */
    static String text(byte[] bytes, int from, int to, String what) {
        if (ascii(bytes, from, to)) {
            return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, from, to - from))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new BadRecordException(what + " is not valid UTF-8", Arrays.copyOfRange(bytes, from, to));
        }
    }

    private static boolean ascii(byte[] bytes, int from, int to) {
        for (int at = from; at < to; at++) {
            if (bytes[at] < 0) {
                return false;
            }
        }
        return true;
    }

    /** Four bytes, the first the highest, say how many follow. */
    record Frames() implements Framing<byte[]> {
        private static final long serialVersionUID = 1L;

        @Override
        public int length(byte[] bytes, int from, int to, int searched, boolean ended, int maxBytes) {
            if (to - from < Integer.BYTES) {
                return incomplete(ended && to > from);
            }
            int length = ByteBuffer.wrap(bytes).getInt(from);
            if (length < 0 || length > maxBytes) {
                throw new ConnectorException(
                        "a frame of " + Integer.toUnsignedString(length) + " bytes, but " + maxBytes
                                + " are allowed; does the server send four bytes with the length before each record?");
            }
            return to - from - Integer.BYTES >= length ? Integer.BYTES + length : incomplete(ended);
        }

        private static int incomplete(boolean ended) {
            if (ended) {
                throw new ConnectorException("the connection ended within a frame");
            }
            return NOT_YET;
        }

        @Override
        public byte[] decode(byte[] bytes, int from, int to, int maxBytes) {
            return Arrays.copyOfRange(bytes, from + Integer.BYTES, to);
        }
    }
}
