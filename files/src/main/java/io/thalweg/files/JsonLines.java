// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

/** JSON lines: one object a line, as RFC 8259 has it. */
public final class JsonLines {
    private JsonLines() {}

    /**
     * Reads records of a class. The path is a file, a directory, a glob, or {@code -} for standard input; gzip is
     * recognised.
     *
     * @throws IllegalArgumentException where the class is no record, or has a component that cannot be read
     */
    public static <R> JsonLinesSource<R> read(String path, Class<R> record) {
        return JsonLinesSource.of(path, record);
    }
}
