// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

/**
 * A record that could not be read or written, and where it was.
 *
 * @param split the file or other split it came from
 * @param line from 1; 0 if the source has no lines
 * @param offset where it begins, in bytes of the (uncompressed) file or in the source's own unit
 * @param reason what is wrong with it, in one line
 * @param bytes the record as it was read, truncated if it is longer than the reader's limit
 */
public record BadRecord(String split, long line, long offset, String reason, byte[] bytes) {
    /** In one line: {@code quakes.jsonl, line 17, offset 5321: a number is expected}. */
    public String describe() {
        return split + (line > 0 ? ", line " + line : "") + ", offset " + offset + ": " + reason;
    }
}
