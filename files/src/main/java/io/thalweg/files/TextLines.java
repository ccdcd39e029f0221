// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sink;
import io.thalweg.files.output.OutputFiles;
import java.util.List;

/** Plain text in UTF-8, a line a record. */
public final class TextLines {
    private TextLines() {}

    /**
     * Reads lines, without the LF or CRLF that ends them; an empty line is an empty text. The path is a file, a directory, a
     * glob, or {@code -} for standard input; gzip is recognised.
     */
    public static TextLinesSource read(String path) {
        return TextLinesSource.of(path);
    }

    /**
     * Reads the lines that files hold and those that are appended to them, without an end, as {@code tail -F} does. A file that was
     * renamed is read to its end, then the new one of its name; one that was truncated is read from its beginning. A file that is not
     * there yet is waited for. A line counts once its line end is written.
     */
    public static FollowedLines<String> follow(String... paths) {
        return FollowedLines.of(List.of(paths), Type.of(String.class), () -> TextLinesSource::text);
    }

    /**
     * Writes a line a text; one with a line feed in it becomes two. The path is a file, a directory if it ends with
     * {@code /}, or {@code -} for standard output; a name that ends with {@code .gz} is packed.
     */
    public static Sink<String> write(String path) {
        return new RowSink<>(new OutputFiles(path, ".txt"), () -> (text, output) -> output.text(text));
    }
}
