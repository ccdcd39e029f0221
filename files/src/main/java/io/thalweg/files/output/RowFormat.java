// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.output;

/** How rows are written as text. One instance serves one writer. */
public interface RowFormat<T> {
    /** What stands above the first row. */
    default void header(TextOutput output) {}

    /**
     * Writes a row, save the line feed that ends it. Where this throws, the row is taken back.
     *
     * @throws io.thalweg.api.operator.BadRecordException where the format cannot hold it
     */
    void row(T row, TextOutput output) throws Exception;
}
