// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import java.time.Instant;

/**
 * A row of the orders, for jobs over files of engines that hand out lines: read and written by code that a person would write for
 * speed, without a library and without a regular expression.
 */
public record FileOrder(long id, Instant time, String shop, String product, long quantity, double price, String note) {
    private static final int COLUMNS = 7;

    /** The first column's name, which no row begins with. */
    private static final String HEADER = "id,";

    public static boolean isHeader(String line) {
        return line.startsWith(HEADER);
    }

    public static FileOrder of(String line) {
        String[] fields = new String[COLUMNS];
        int from = 0;
        for (int i = 0; i < COLUMNS - 1; i++) {
            int to = line.indexOf(',', from);
            fields[i] = line.substring(from, to);
            from = to + 1;
        }
        return new FileOrder(
                Long.parseLong(fields[0]),
                Instant.parse(fields[1]),
                fields[2],
                fields[3],
                Long.parseLong(fields[4]),
                Double.parseDouble(fields[5]),
                unquoted(line.substring(from)));
    }

    /** Only the last column has quotes. */
    private static String unquoted(String field) {
        return field.startsWith("\"") ? field.substring(1, field.length() - 1).replace("\"\"", "\"") : field;
    }

    /** The row again, without an end of line. */
    public String line() {
        boolean quotes = note.indexOf(',') >= 0 || note.indexOf('"') >= 0;
        return id + "," + time + "," + shop + "," + product + "," + quantity + "," + price + ","
                + (quotes ? "\"" + note.replace("\"", "\"\"") + "\"" : note);
    }
}
