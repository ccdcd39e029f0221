// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

/**
 * CSV according to RFC 4180, in files with a header, or as messages of one row each.
 *
 * <pre>{@code
 * record Sale(String shop, LocalDate day, BigDecimal amount) {}
 *
 * Stream<Sale> sales = topology.from(Csv.read("sales/*.csv.gz", Sale.class).delimiter(';'));
 * sales.to(Csv.write("out.csv", Sale.class));
 * }</pre>
 */
public final class Csv {
    private Csv() {}

    /**
     * Reads records of a class. Columns are matched with record components by name.
     *
     * @param path a file, a directory, a glob, or {@code -} for standard input; gzip is detected
     * @param record a record class
     * @throws IllegalArgumentException if the class is not a record, or has a component that cannot be read
     */
    public static <R> CsvSource<R> read(String path, Class<R> record) {
        return CsvSource.of(path, record);
    }

    /**
     * Writes records of a class, one column per component; columns of a nested record are named with a dot: {@code
     * price.amount}. {@link #read} reads them back.
     *
     * @param path a file, a directory if it ends with {@code /}, or {@code -} for standard output; compressed if the
     *     name ends with {@code .gz}
     * @param record a record class
     * @throws IllegalArgumentException if the class is not a record, or has a component that CSV cannot represent, such
     *     as a List
     */
    public static <R> CsvSink<R> write(String path, Class<R> record) {
        return CsvSink.ofRecord(path, record);
    }

    /**
     * Writes the columns that are added to the sink: {@code Csv.<Row>write("out.csv").column("day", Row::day)}.
     *
     * @param path as in {@link #write(String, Class)}
     */
    public static <T> CsvSink<T> write(String path) {
        return CsvSink.of(path);
    }

    /**
     * Decodes messages that are one row each, directly from the bytes that a source received. The fields are the
     * components of the record, in their order, unless {@link CsvDecoder#header} names them. A malformed row is a bad
     * record.
     *
     * <pre>{@code Kafka.read("localhost:9092", "sales", Csv.decoder(Sale.class).delimiter(';'))}</pre>
     *
     * @throws IllegalArgumentException if the class is not a record, or has a component that cannot be read
     */
    public static <R> CsvDecoder<R> decoder(Class<R> record) {
        return CsvDecoder.of(record);
    }

    /**
     * Encodes records of a class as messages of one row each, one field per component. {@link #decoder} reads them
     * back.
     *
     * <pre>{@code Kafka.write("localhost:9092", "sales", Csv.encoder(Sale.class))}</pre>
     *
     * @throws IllegalArgumentException if the class is not a record, or has a component that CSV cannot represent, such
     *     as a List
     */
    public static <R> CsvEncoder<R> encoder(Class<R> record) {
        return CsvEncoder.ofRecord(record);
    }

    /** Encodes the columns that are added: {@code Csv.<Row>encoder().column("day", Row::day)}. */
    public static <T> CsvEncoder<T> encoder() {
        return CsvEncoder.of();
    }
}
