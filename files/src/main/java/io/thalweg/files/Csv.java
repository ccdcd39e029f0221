// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

/** CSV as RFC 4180 has it, with a header. */
public final class Csv {
    private Csv() {}

    /**
     * Reads records of a class. The path is a file, a directory, a glob, or {@code -} for standard input; gzip is
     * recognised.
     *
     * @throws IllegalArgumentException if the class is no record, or has a component that cannot be read
     */
    public static <R> CsvSource<R> read(String path, Class<R> record) {
        return CsvSource.of(path, record);
    }

    /**
     * Writes records of a class, a column a component; those of a record within the record are named with a dot:
     * {@code price.amount}. {@link #read} reads them back. The path is a file, a directory if it ends with {@code /}, or
     * {@code -} for standard output; a name that ends with {@code .gz} is packed.
     *
     * @throws IllegalArgumentException if the class is no record, or has a component that CSV cannot hold, such as a List
     */
    public static <R> CsvSink<R> write(String path, Class<R> record) {
        return CsvSink.ofRecord(path, record);
    }

    /** Writes the columns that are added to the sink: {@code Csv.<Row>write("out.csv").column("day", Row::day)}. */
    public static <T> CsvSink<T> write(String path) {
        return CsvSink.of(path);
    }
}
