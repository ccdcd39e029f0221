// SPDX-License-Identifier: Apache-2.0
package io.thalweg.parquet;

/**
 * Parquet: columnar files in compressed pages.
 *
 * <pre>{@code
 * topology.from(Parquet.read("probes/*.parquet", Probe.class))
 *         .filter(Probe::valid)
 *         .to(Parquet.write("valid/", Probe.class));
 * }</pre>
 */
public final class Parquet {
    private Parquet() {}

    /**
     * Reads records of a class. Only the columns that the record declares are read. A column that is missing, or whose
     * type its component cannot hold, ends the job when it starts. A null in a component that is neither {@code
     * @Nullable} nor an
     * Optional makes the record bad, as does a value out of the component's range. A damaged file ends the job. Snappy,
     * Zstandard
     * and gzip are detected.
     *
     * @param path a file, a directory or a glob
     * @param record a record class
     * @throws IllegalArgumentException if the class is not a record, or has a component that no column can hold
     */
    public static <R> ParquetSource<R> read(String path, Class<R> record) {
        return ParquetSource.of(path, record);
    }

    /**
     * Writes records of a class, one column per component. A record with a value that its column cannot hold is bad,
     * and nothing of
     * it is written.
     *
     * @param path a file, or a directory of part files if it ends with {@code /}; in a job with checkpoints it must be
     *     a directory
     * @param record a record class
     * @throws IllegalArgumentException if the class is not a record, or has no components, or one that no column can hold
     */
    public static <R> ParquetSink<R> write(String path, Class<R> record) {
        return ParquetSink.of(path, record);
    }
}
