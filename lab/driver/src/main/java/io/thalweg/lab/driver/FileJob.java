// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

/**
 * What a cell with workload {@code files} does with its input. The output is CSV, a file or a folder of files, rows in any order;
 * columns in the order given here, below a header or without one.
 */
public enum FileJob {
    /** Reads shop, product, quantity and price of all 7 columns of orders: {@code n, chars, quantity, price}: rows, letters of both texts, sum, maximum. */
    CSV_READ,
    /** Orders by shop and product: {@code shop, product, n, price, quantity}: rows, maximum, sum. */
    CSV_GROUP,
    /** Orders of more than {@link #QUANTITY} pieces, all columns. */
    CSV_FILTER,
    /** Reads all fields of telecom records: {@code n, chars, wholes, reals, truths}; a null counts as nothing. */
    JSON_READ,
    /** Telecom records by city and app: {@code city, app, n, bytesDown}: rows, sum. */
    JSON_GROUP,
    /** Earthquakes by network and type of magnitude: {@code net, magType, n, mag, sig}: rows, maximum, sum. */
    QUAKES;

    /** Half of the orders are larger. */
    public static final long QUANTITY = 500;
}
