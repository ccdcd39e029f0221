// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.csv;

import org.jspecify.annotations.Nullable;

/** Reads ordinary rows into records of one class, by code that {@link RowReaderGenerator} makes. One instance serves one reader. */
abstract class RowReader {
    /** Of each column of the record that is a text. */
    final ColumnTexts[] texts;

    /** Where the text of the row that was read ends, before its line break. */
    int end;

    RowReader(ColumnTexts[] texts) {
        this.texts = texts;
    }

    /**
     * Null if the row is unusual: {@link CsvParser} reads it then, and says what is wrong.
     *
     * @param at where the row begins; a word may be taken there and at every place before the limit
     * @param limit where the bytes end that were read so far
     */
    abstract @Nullable Object read(byte[] bytes, int at, int limit);
}
