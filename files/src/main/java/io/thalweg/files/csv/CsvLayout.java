// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.csv;

import java.io.Serializable;

/**
 * How a file of CSV is laid out.
 *
 * @param delimiter between fields
 * @param header the first row names the columns
 * @param skipLines at the beginning of each file
 * @param comments the character that begins a comment line; 0 if there are no comments
 */
public record CsvLayout(char delimiter, boolean header, int skipLines, char comments) implements Serializable {
    /** Commas, a header, no comments. */
    public static final CsvLayout DEFAULT = new CsvLayout(',', true, 0, (char) 0);

    /** @throws IllegalArgumentException if fields and comments could not be told apart */
    public CsvLayout {
        Delimiter.check(delimiter);
        if (comments != 0 && (comments == delimiter || comments >= 0x80 || comments == '"' || comments < ' ')) {
            throw new IllegalArgumentException(
                    "comments begin with a character of ASCII, neither a quote nor the delimiter");
        }
        if (skipLines < 0) {
            throw new IllegalArgumentException("skipLines must not be negative, and is " + skipLines);
        }
    }

    /** The same layout with another delimiter. */
    public CsvLayout withDelimiter(char character) {
        return new CsvLayout(character, header, skipLines, comments);
    }

    /** The same layout without a header. */
    public CsvLayout withoutHeader() {
        return new CsvLayout(delimiter, false, skipLines, comments);
    }

    /** The same layout after this number of lines at the beginning. */
    public CsvLayout skipping(int lines) {
        return new CsvLayout(delimiter, header, lines, comments);
    }

    /** The same layout with comments that begin with this character. */
    public CsvLayout withComments(char character) {
        return new CsvLayout(delimiter, header, skipLines, character);
    }
}
