// SPDX-License-Identifier: Apache-2.0
package io.thalweg.parquet;

/**
 * Parquet: columnar files in compressed pages.
 *
 * <pre>{@code topology.from(Parquet.read("probes/*.parquet", Probe.class))}</pre>
 */
public final class Parquet {
    private Parquet() {}

    /**
     * Reads records of a class. Only the columns that the record declares are read. A column that is missing, or whose
     * type its component cannot hold, ends the job when it starts. Snappy, Zstandard and gzip are detected.
     *
     * @param path a file, a directory or a glob
     * @param record a record class
     * @throws IllegalArgumentException if the class is not a record, or has a component that no column can hold
     */
    public static <R> ParquetSource<R> read(String path, Class<R> record) {
        return ParquetSource.of(path, record);
    }

    /**
     * Writes records of a class, one column per component. A record that does not fit is bad.
     *
     * @param path a file, or a directory of part files if it ends with {@code /}; in a job with checkpoints it must be
     *     a directory
     * @param record a record class
     * @throws IllegalArgumentException if the class is not a record, or has a component that no column can hold
     */
    public static <R> ParquetSink<R> write(String path, Class<R> record) {
        return ParquetSink.of(path, record);
    }
}
