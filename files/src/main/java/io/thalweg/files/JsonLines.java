// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sink;
import io.thalweg.files.json.JsonFormat;
import io.thalweg.files.json.JsonReader;
import io.thalweg.files.json.JsonValue;
import io.thalweg.files.output.OutputFiles;
import java.util.List;

/** JSON lines: one object a line, as RFC 8259 has it. */
public final class JsonLines {
    private JsonLines() {}

    /**
     * Reads records of a class. The path is a file, a directory, a glob, or {@code -} for standard input; gzip is
     * recognised.
     *
     * @throws IllegalArgumentException if the class is no record, or has a component that cannot be read
     */
    public static <R> JsonLinesSource<R> read(String path, Class<R> record) {
        return JsonLinesSource.of(path, record);
    }

    /** Reads any JSON values, a line a value, for which there is no class. */
    public static JsonLinesSource<JsonValue> read(String path) {
        return JsonLinesSource.of(path, JsonValue.class);
    }

    /**
     * Reads records of a class from what a file holds and what is appended to it, without an end; see {@link TextLines#follow}.
     *
     * @throws IllegalArgumentException if the class is no record, or has a component that cannot be read
     */
    public static <R> FollowedLines<R> follow(String path, Class<R> record) {
        JsonReader.of(record, JsonReader.DEFAULT_MAX_DEPTH);
        return FollowedLines.of(
                List.of(path),
                Type.of(record),
                () -> new JsonLinesSource.Lines<>(JsonReader.of(record, JsonReader.DEFAULT_MAX_DEPTH)));
    }

    /** Writes JSON values, one a line; numbers as they were read. The path is as for {@link #write(String, Class)}. */
    public static Sink<JsonValue> write(String path) {
        return write(path, JsonValue.class);
    }

    /**
     * Writes records of a class, one object a line: all components in their order, null as {@code null}. The path is a file,
     * a directory if it ends with {@code /}, or {@code -} for standard output; a name that ends with {@code .gz} is
     * packed. A record that JSON cannot say, with a NaN in it, is bad.
     *
     * @throws IllegalArgumentException if the class is no record, or has a component that could not be read again
     */
    public static <R> Sink<R> write(String path, Class<R> record) {
        JsonReader.of(record, JsonReader.DEFAULT_MAX_DEPTH);
        return new RowSink<>(new OutputFiles(path, ".jsonl"), JsonFormat::new);
    }
}
