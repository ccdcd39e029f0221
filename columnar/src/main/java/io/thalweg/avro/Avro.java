// SPDX-License-Identifier: Apache-2.0
package io.thalweg.avro;

/**
 * Avro container files: records in compressed blocks, with their schema.
 *
 * <pre>{@code
 * topology.from(Avro.read("probes/*.avro", Probe.class))
 *         .filter(Probe::valid)
 *         .to(Avro.write("valid/", Probe.class));
 * }</pre>
 */
public final class Avro {
    private Avro() {}

    /**
     * Reads records of a class. Only the fields that the record declares are kept. A field that is missing, or whose
     * type its component cannot hold, ends the job when it starts; only a pipe is checked when it is read. A null in a
     * component
     * that is neither {@code @Nullable} nor an Optional makes the record bad, as does a value out of the component's range. A
     * damaged file ends the job. Deflate, Snappy and Zstandard are detected. Class names in files are never loaded.
     *
     * @param path a file, a directory, a glob, or {@code -} for standard input
     * @param record a record class
     * @throws IllegalArgumentException if the class is not a record, or has a component that no field can hold
     */
    public static <R> AvroSource<R> read(String path, Class<R> record) {
        return AvroSource.of(path, record);
    }

    /**
     * Writes records of a class, one field per component, in blocks of about 64 KiB. A record with a value that its
     * field cannot
     * hold is bad, and nothing of it is written.
     *
     * @param path a file, or a directory of part files if it ends with {@code /}
     * @param record a record class
     * @throws IllegalArgumentException if the class is not a record, or has a component that no field can hold, or
     *     whose name Avro does not allow
     */
    public static <R> AvroSink<R> write(String path, Class<R> record) {
        return AvroSink.of(path, record);
    }
}
