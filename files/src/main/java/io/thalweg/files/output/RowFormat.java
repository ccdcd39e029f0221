// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.output;

/** How rows are written. One instance serves one writer, which may write several files one after the other. */
public interface RowFormat<T> {
    /** What stands above the first row. */
    default void header(TextOutput output) {}

    /** True if a line feed ends each row; false for a format that is no text. */
    default boolean lines() {
        return true;
    }

    /**
     * True if a file that breaks off behind a {@link #flush} can be continued there; false if it is nothing without its end, so
     * that a job that takes checkpoints can only write a directory of parts.
     */
    default boolean continuable() {
        return true;
    }

    /** Writes the rows that it holds back: a checkpoint counts on them. */
    default void flush(TextOutput output) throws Exception {}

    /** Writes the rows that it holds back, and what stands below the last row. */
    default void footer(TextOutput output) throws Exception {}

    /**
     * Writes a row, or holds it back, without the line feed that ends it. Where this throws, the row is taken back.
     *
     * @throws io.thalweg.api.operator.BadRecordException if the format cannot hold it
     */
    void row(T row, TextOutput output) throws Exception;
}
