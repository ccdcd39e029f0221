// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a user's function to say that the current record is bad. The record is counted and kept as a dead letter
 * and the job continues, unless it runs with {@code --on-bad fail} or exceeds its limit of bad records. Has no stack
 * trace, so throwing it is cheap.
 *
 * <pre>{@code
 * lines.map(line -> {
 *     if (!line.startsWith("v1 ")) {
 *         throw new BadRecordException("the line must begin with v1", line);
 *     }
 *     return line.substring(3);
 * });
 * }</pre>
 */
public final class BadRecordException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final byte[] bytes;
    private final byte @Nullable [] key;
    private final List<MessageHeader> headers;

    /**
     * A bad record, as bytes.
     *
     * @param reason what is wrong with it, in one line; similar reasons are grouped in reports
     * @param bytes the record as it came in, for the dead letters; copied
     */
    public BadRecordException(String reason, byte[] bytes) {
        this(reason, bytes, null, List.of());
    }

    /**
     * A bad record that was read from a message with a key or headers. These are kept of what a source cannot read; of what
     * an operator throws, reason and bytes alone.
     *
     * @param reason what is wrong with it, in one line; similar reasons are grouped in reports
     * @param bytes the record as it came in, for the dead letters; copied
     * @param key of the message, for the dead letters; copied; null if it has none
     * @param headers of the message, for the dead letters; the list is copied, the values are not
     */
    public BadRecordException(String reason, byte[] bytes, byte @Nullable [] key, List<MessageHeader> headers) {
        super(reason, null, false, false);
        this.bytes = bytes.clone();
        this.key = key == null ? null : key.clone();
        this.headers = List.copyOf(headers);
    }

    /**
     * A bad record, as text.
     *
     * @param reason what is wrong with it, in one line; similar reasons are grouped in reports
     * @param text the record as it came in; kept in UTF-8
     */
    public BadRecordException(String reason, String text) {
        this(reason, text.getBytes(StandardCharsets.UTF_8));
    }

    /** A copy of the record's bytes. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** A copy of the key of the message that the record was read from; null if there is none. */
    public byte @Nullable [] key() {
        return key == null ? null : key.clone();
    }

    /** The headers of the message that the record was read from; empty if there are none. */
    public List<MessageHeader> headers() {
        return headers;
    }
}
