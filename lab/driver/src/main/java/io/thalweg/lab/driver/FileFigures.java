// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import java.io.Serializable;

/**
 * The figures of one group of a {@link FileJob}, or of one record until it is added to its group, for engines that hand out lines. It
 * changes, and has public fields, since Flink serializes those by itself.
 */
public final class FileFigures implements Serializable {
    private static final long serialVersionUID = 1L;

    public String first = "";
    public String second = "";
    public long n;
    public long whole;
    public long more;
    public long most;
    public double real;

    /** The columns that {@link FileJob#CSV_READ} and {@link FileJob#CSV_GROUP} read, and no other. */
    public static FileFigures ofOrder(String line, boolean grouped) {
        int shop = line.indexOf(',', line.indexOf(',') + 1) + 1;
        int product = line.indexOf(',', shop) + 1;
        int quantity = line.indexOf(',', product) + 1;
        int price = line.indexOf(',', quantity) + 1;
        FileFigures figures = new FileFigures();
        figures.n = 1;
        figures.real = Double.parseDouble(line.substring(price, line.indexOf(',', price)));
        figures.whole = Long.parseLong(line, quantity, price - 1, 10);
        String shopName = line.substring(shop, product - 1);
        String productName = line.substring(product, quantity - 1);
        if (grouped) {
            figures.first = shopName;
            figures.second = productName;
        } else {
            figures.more = (long) shopName.length() + productName.length();
        }
        return figures;
    }

    /** Three of the fields of a telecom record. */
    public record Probe(Cell cell, Service service, Measures measures) {
        public record Cell(String city) {}

        public record Service(String app) {}

        public record Measures(long bytesDown) {}

        public FileFigures figures() {
            FileFigures figures = new FileFigures();
            figures.first = cell.city;
            figures.second = service.app;
            figures.n = 1;
            figures.whole = measures.bytesDown;
            return figures;
        }
    }

    /** An earthquake. */
    public record Quake(Properties properties) {
        public record Properties(String net, String magType, double mag, long sig) {}

        public FileFigures figures() {
            FileFigures figures = new FileFigures();
            figures.first = properties.net;
            figures.second = properties.magType;
            figures.n = 1;
            figures.whole = properties.sig;
            figures.real = properties.mag;
            return figures;
        }
    }

    /** Adds those of another record, or of a part of the same group. */
    public FileFigures add(FileFigures other, FileJob job) {
        n += other.n;
        whole += other.whole;
        more += other.more;
        most += other.most;
        real = job == FileJob.JSON_READ ? real + other.real : Math.max(real, other.real);
        return this;
    }

    /** The row that the job writes, without an end of line. */
    public String line(FileJob job) {
        return switch (job) {
            case CSV_READ -> n + "," + more + "," + whole + "," + real;
            case JSON_READ -> n + "," + more + "," + whole + "," + real + "," + most;
            case JSON_GROUP -> first + "," + second + "," + n + "," + whole;
            case CSV_GROUP, QUAKES -> first + "," + second + "," + n + "," + real + "," + whole;
            case CSV_FILTER -> throw new IllegalArgumentException("it has no figures");
        };
    }
}
