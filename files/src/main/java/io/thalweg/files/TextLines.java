// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sink;
import io.thalweg.files.output.OutputFiles;
import java.util.List;

/** Plain text in UTF-8, one record per line. */
public final class TextLines {
    private TextLines() {}

    /**
     * Reads lines, without the LF or CRLF at their end; an empty line is an empty text.
     *
     * @param path a file, a directory, a glob, or {@code -} for standard input; gzip is detected
     */
    public static TextLinesSource read(String path) {
        return TextLinesSource.of(path);
    }

    /**
     * Reads the lines that files contain and those that are appended to them, without an end, as {@code tail -F} does.
     * A file that was renamed is read to its end, then the new one with its name; one that was truncated is read from
     * its beginning. A file that does not exist yet is waited for. A line counts once its line end is written.
     *
     * @param paths one split each
     */
    public static FollowedLines<String> follow(String... paths) {
        return FollowedLines.of(List.of(paths), Type.of(String.class), () -> TextLinesSource::text);
    }

    /**
     * Writes each text as a line; a text that contains a line feed becomes two lines.
     *
     * @param path a file, a directory if it ends with {@code /}, or {@code -} for standard output; compressed if the
     *     name ends with {@code .gz}
     */
    public static Sink<String> write(String path) {
        return new RowSink<>(new OutputFiles(path, ".txt"), () -> (text, output) -> output.text(text));
    }
}
