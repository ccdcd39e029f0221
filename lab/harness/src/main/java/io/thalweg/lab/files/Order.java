// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.files;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.SplittableRandom;

/** A row of the orders. Order i is made of i alone, on every machine the same. */
record Order(long id, Instant time, String shop, String product, long quantity, double price, String note) {
    static final String HEADER = "id,time,shop,product,quantity,price,note";

    private static final int SHOPS = 250;

    /** 85,000 pairs of a shop and a product. */
    private static final int PRODUCTS = 340;

    private static final long SEED = 74;
    private static final long FIRST_S = Instant.parse("2026-01-01T00:00:00Z").getEpochSecond();
    private static final int PER_SECOND = 50;
    private static final String[] TOWNS = {"Utrecht", "Porto", "Graz", "Lund", "Bergen", "Cork", "Gdansk", "Split"};
    private static final String[] THINGS = {"lamp", "chair", "desk", "shelf", "rug", "mirror", "clock", "stool", "vase"
    };

    /** Some need quotes, some have letters beyond ASCII, most are empty, as such columns are. */
    private static final String[] NOTES = {
        "", "", "", "", "gift", "fragile, upright", "für Zoë", "call first", "leave \"here\""
    };

    static Order of(long i) {
        SplittableRandom random = new SplittableRandom(SEED + i);
        int shop = random.nextInt(SHOPS);
        int product = random.nextInt(PRODUCTS);
        return new Order(
                i,
                Instant.ofEpochSecond(FIRST_S + i / PER_SECOND),
                TOWNS[shop % TOWNS.length] + "-" + shop,
                THINGS[product % THINGS.length] + " " + product,
                1 + random.nextInt(1_000),
                random.nextInt(100_000) / 100.0,
                NOTES[random.nextInt(NOTES.length)]);
    }

    /** Writes orders 0 to {@code rows - 1} below a header. */
    static void write(Path file, long rows) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
            out.write(HEADER + "\n");
            StringBuilder line = new StringBuilder();
            for (long i = 0; i < rows; i++) {
                Order order = of(i);
                line.setLength(0);
                line.append(order.id)
                        .append(',')
                        .append(order.time)
                        .append(',')
                        .append(order.shop)
                        .append(',');
                line.append(order.product).append(',').append(order.quantity).append(',');
                appendCents(line, Math.round(order.price * 100)).append(',');
                appendQuoted(line, order.note).append('\n');
                out.append(line);
            }
        }
    }

    private static StringBuilder appendCents(StringBuilder line, long cents) {
        return line.append(cents / 100).append('.').append(cents / 10 % 10).append(cents % 10);
    }

    private static StringBuilder appendQuoted(StringBuilder line, String text) {
        return text.indexOf(',') < 0 && text.indexOf('"') < 0
                ? line.append(text)
                : line.append('"').append(text.replace("\"", "\"\"")).append('"');
    }
}
