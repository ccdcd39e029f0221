// SPDX-License-Identifier: Apache-2.0
package io.thalweg.parquet;

/** Parquet: files of columns, packed page by page. */
public final class Parquet {
    private Parquet() {}

    /**
     * Reads records of a class. The path is a file, a directory or a glob. Only the columns that the record declares are
     * read; a column that is missing, or holds what its component cannot, ends the job when it starts. Snappy, zstd and gzip
     * are recognised.
     *
     * @throws IllegalArgumentException if the class is no record, or has a component that no column can hold
     */
    public static <R> ParquetSource<R> read(String path, Class<R> record) {
        return ParquetSource.of(path, record);
    }

    /**
     * Writes records of a class, a column for each component. The path is a file, or a directory of parts if it ends with
     * {@code /}; in a job that takes checkpoints it must be a directory. A record that does not fit is bad.
     *
     * @throws IllegalArgumentException if the class is no record, or has a component that no column can hold
     */
    public static <R> ParquetSink<R> write(String path, Class<R> record) {
        return ParquetSink.of(path, record);
    }
}
