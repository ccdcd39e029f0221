// SPDX-License-Identifier: Apache-2.0
package io.thalweg.columnar;

/**
 * What a column of a file holds, whatever the format.
 *
 * @param digits of {@link Kind#TIME}, {@link Kind#INSTANT} and {@link Kind#LOCAL}: how many digits of a second the unit
 *     counts, 3, 6 or 9; of {@link Kind#DECIMAL} the scale; otherwise 0
 * @param text as the format has it, for messages
 */
public record ColumnType(Kind kind, int digits, String text) {
    /** The kinds, with the class that stands for a value before it is converted. */
    public enum Kind {
        /** Boolean. */
        BOOLEAN,
        /** Long, or BigInteger if it is too large for one. */
        WHOLE,
        /** Float or Double. */
        FLOATING,
        /** BigDecimal. */
        DECIMAL,
        /** String. */
        TEXT,
        /** byte[]. */
        BYTES,
        /** Long: days since 1970. */
        DATE,
        /** Long: units since midnight. */
        TIME,
        /** Long: units since 1970 in UTC. */
        INSTANT,
        /** Long: units since 1970 by a clock whose time zone nobody knows. */
        LOCAL,
        /** Instant: a timestamp of 96 bits, which says nothing of its time zone. */
        OLD_INSTANT
    }

    public ColumnType(Kind kind, String text) {
        this(kind, 0, text);
    }
}
