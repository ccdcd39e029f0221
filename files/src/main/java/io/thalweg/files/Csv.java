// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

/**
 * CSV according to RFC 4180, with a header.
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
}
