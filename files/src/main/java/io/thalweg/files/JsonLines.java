// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sink;
import io.thalweg.files.json.JsonFormat;
import io.thalweg.files.json.JsonReader;
import io.thalweg.files.json.JsonValue;
import io.thalweg.files.output.OutputFiles;
import java.util.List;

/**
 * JSON lines: one JSON object per line, according to RFC 8259.
 *
 * <pre>{@code topology.from(JsonLines.read("quakes.jsonl", Quake.class))}</pre>
 */
public final class JsonLines {
    private JsonLines() {}

    /**
     * Reads records of a class. Fields are matched with components by name; other fields are ignored.
     *
     * @param path a file, a directory, a glob, or {@code -} for standard input; gzip is detected
     * @param record a record class
     * @throws IllegalArgumentException if the class is not a record, or has a component that cannot be read
     */
    public static <R> JsonLinesSource<R> read(String path, Class<R> record) {
        return JsonLinesSource.of(path, record);
    }

    /**
     * Reads JSON values for which there is no class, one per line.
     *
     * @param path as in {@link #read(String, Class)}
     */
    public static JsonLinesSource<JsonValue> read(String path) {
        return JsonLinesSource.of(path, JsonValue.class);
    }

    /**
     * Reads records from what a file contains and what is appended to it, without an end; see {@link TextLines#follow}.
     *
     * @throws IllegalArgumentException if the class is not a record, or has a component that cannot be read
     */
    public static <R> FollowedLines<R> follow(String path, Class<R> record) {
        JsonReader.of(record, JsonReader.DEFAULT_MAX_DEPTH);
        return FollowedLines.of(
                List.of(path),
                Type.of(record),
                () -> new JsonLinesSource.Lines<>(JsonReader.of(record, JsonReader.DEFAULT_MAX_DEPTH)));
    }

    /**
     * Writes JSON values, one per line; numbers exactly as they were read.
     *
     * @param path as in {@link #write(String, Class)}
     */
    public static Sink<JsonValue> write(String path) {
        return write(path, JsonValue.class);
    }

    /**
     * Writes records of a class, one object per line: all components in their order, null as {@code null}. A record
     * that JSON cannot represent, such as one with a NaN, is bad.
     *
     * @param path a file, a directory if it ends with {@code /}, or {@code -} for standard output; compressed if the
     *     name ends with {@code .gz}
     * @param record a record class
     * @throws IllegalArgumentException if the class is not a record, or has a component that could not be read back
     */
    public static <R> Sink<R> write(String path, Class<R> record) {
        JsonReader.of(record, JsonReader.DEFAULT_MAX_DEPTH);
        return new RowSink<>(new OutputFiles(path, ".jsonl"), JsonFormat::new);
    }
}
