// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.csv;

import io.thalweg.files.input.LineInput;
import io.thalweg.files.record.MalformedException;
import java.util.List;

/**
 * Reads messages that are one row each, by the rules for files: a message may end with a line break and begin with a byte order mark.
 * Only an empty message differs from an empty line, which files skip: it is a row of one field, which is null. One instance serves one
 * thread.
 */
public final class CsvMessages<R> {
    private final LineInput lines = LineInput.ofMessages();
    private final CsvParser<R> parser;

    /**
     * @param columns of each message, from left to right
     * @param named a user gave them, so messages call them the header
     * @throws IllegalArgumentException if the class cannot be read from CSV, or has no column for a component
     */
    public CsvMessages(Class<R> type, char delimiter, List<String> columns, boolean named) {
        parser = CsvParser.of(type, new CsvLayout(delimiter, named, 0, (char) 0), columns);
    }

    /**
     * Reads the message between {@code from} and {@code to}.
     *
     * @throws MalformedException if it is not one valid row
     */
    public R read(byte[] bytes, int from, int to) {
        lines.refill(bytes, from, to);
        R record = parser.parseNext(lines);
        if (record == null) {
            lines.next();
            record = parser.row(lines);
        }
        int rest = lines.ahead();
        if (rest < lines.limit()) {
            throw new MalformedException(
                    "byte " + rest + ": the message continues after its row; a message is one row, without a header",
                    rest);
        }
        return record;
    }
}
