// SPDX-License-Identifier: Apache-2.0
package io.thalweg.avro;

/** Avro: files of records, packed block by block, with their schema. */
public final class Avro {
    private Avro() {}

    /**
     * Reads records of a class. The path is a file, a directory, a glob, or {@code -} for standard input. Only the fields that
     * the record declares are kept; one that is missing, or holds what its component cannot, ends the job when it starts.
     * Deflate, snappy and zstandard are recognised. No class is loaded that a file names.
     *
     * @throws IllegalArgumentException if the class is no record, or has a component that no field can hold
     */
    public static <R> AvroSource<R> read(String path, Class<R> record) {
        return AvroSource.of(path, record);
    }

    /**
     * Writes records of a class, a field for each component. The path is a file, or a directory of parts if it ends with
     * {@code /}. A record that does not fit is bad.
     *
     * @throws IllegalArgumentException if the class is no record, or has a component that no field can hold, or whose name
     *     Avro does not have
     */
    public static <R> AvroSink<R> write(String path, Class<R> record) {
        return AvroSink.of(path, record);
    }
}
