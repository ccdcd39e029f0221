// SPDX-License-Identifier: Apache-2.0
package io.thalweg.columnar;

/**
 * The type of a column in a file, the same for Parquet and Avro.
 *
 * @param kind which values it has
 * @param digits of {@link Kind#TIME}, {@link Kind#INSTANT} and {@link Kind#LOCAL}: how many digits of a second the unit
 *     counts, 3, 6 or 9; of {@link Kind#DECIMAL} the scale; otherwise 0
 * @param text the type in the words of the format, for messages
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
        /** Long: units since 1970 in local time, without a time zone. */
        LOCAL,
        /** Instant: a timestamp of 96 bits, which may be in UTC or in local time. */
        OLD_INSTANT
    }

    /** A type without digits. */
    public ColumnType(Kind kind, String text) {
        this(kind, 0, text);
    }
}
