// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.stats;

import java.io.Serializable;

/**
 * Bad records that are bad for the same reason, apart from numbers and quoted values. All texts are truncated to 200
 * characters and contain no control characters.
 *
 * @param operator the source that could not read them, or the operator that rejected them
 * @param reason what they have in common: {@code byte #, 'shop-id': a number is expected}
 * @param count the number of records; a lower bound if a job has had more than 200 different reasons
 * @param split where the first of them came from; may be empty
 * @param line of the first, from 1; 0 if its source has no lines
 * @param offset of the first
 * @param example the reason of the first, as it was reported
 */
public record BadReason(
        String operator, String reason, long count, String split, long line, long offset, String example)
        implements Serializable {
    /** Where the first of them was: {@code quakes.jsonl, line 17, offset 5321}; empty if unknown. */
    public String place() {
        return split.isEmpty() ? "" : split + (line > 0 ? ", line " + line : "") + ", offset " + offset;
    }
}
