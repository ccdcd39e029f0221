// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.MessageHeader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record that could not be read or written, and where it was.
 *
 * @param split the file or other split it came from
 * @param line from 1; 0 if the source has no lines
 * @param offset where it begins, in bytes of the (uncompressed) file or in the source's own unit
 * @param reason what is wrong with it, in one line
 * @param bytes the record as it was read, truncated if it is longer than the reader's limit
 * @param key of the message that it was read from; null if there is none
 * @param headers of that message, in their order; empty if there are none
 */
public record BadRecord(
        String split,
        long line,
        long offset,
        String reason,
        byte[] bytes,
        byte @Nullable [] key,
        List<MessageHeader> headers) {
    /** A record without a key and headers. */
    public BadRecord(String split, long line, long offset, String reason, byte[] bytes) {
        this(split, line, offset, reason, bytes, null, List.of());
    }

    /** A record that could not be read for what was thrown. */
    public static BadRecord of(String split, long line, long offset, BadRecordException thrown) {
        return new BadRecord(
                split,
                line,
                offset,
                String.valueOf(thrown.getMessage()),
                thrown.bytes(),
                thrown.key(),
                thrown.headers());
    }

    /** In one line: {@code quakes.jsonl, line 17, offset 5321: a number is expected}. */
    public String describe() {
        return split + (line > 0 ? ", line " + line : "") + ", offset " + offset + ": " + reason;
    }
}
