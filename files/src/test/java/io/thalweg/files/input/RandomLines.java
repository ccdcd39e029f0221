// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.input;

import java.util.Random;

/** Files of lines that are right, wrong, blank or long as it falls. */
final class RandomLines {
    private static final String[] CSV = {
        "\"", "\"", "\"\"", ",", ",", ",", "\n", "\n", "\r\n", "\r", "a", "bc", "ö", "#", " ", "1", "\",\"", "\"\n"
    };

    private RandomLines() {}

    static String text(Random random) {
        StringBuilder text = new StringBuilder();
        int lines = random.nextInt(40);
        for (int i = 0; i < lines; i++) {
            text.append("x".repeat(random.nextInt(random.nextInt(8) == 0 ? 100 : 12)))
                    .append(i)
                    .append(random.nextInt(5) == 0 ? "\r" : "")
                    .append(i == lines - 1 && random.nextBoolean() ? "" : random.nextInt(6) == 0 ? "\n\n" : "\n");
        }
        return text.toString();
    }

    static String json(Random random) {
        StringBuilder text = new StringBuilder();
        int lines = random.nextInt(40);
        for (int i = 0; i < lines; i++) {
            text.append(
                            switch (random.nextInt(8)) {
                                case 0 -> "";
                                case 1 -> "{\"n\":";
                                case 2 -> "{\"n\":\"x\"}";
                                case 3 -> "{\"n\":7}";
                                default -> "{\"n\":" + random.nextInt(1_000) + ",\"s\":\"t" + random.nextInt(3) + "\"}";
                            })
                    .append(i == lines - 1 && random.nextBoolean() ? "" : "\n");
        }
        return text.toString();
    }

    /** Quotes wherever they fall. */
    static String csv(Random random) {
        StringBuilder text = new StringBuilder();
        int pieces = random.nextInt(120);
        for (int i = 0; i < pieces; i++) {
            text.append(random.nextInt(4) == 0 ? "a,b\n" : CSV[random.nextInt(CSV.length)]);
        }
        return text.toString();
    }

    /** Right rows, many of them over many lines, and at times a quote that nobody closes. */
    static String quoted(Random random) {
        StringBuilder text = new StringBuilder("a,b\n");
        int rows = random.nextInt(30);
        for (int i = 0; i < rows; i++) {
            String breaks = "t,\"\"u\n".repeat(random.nextInt(random.nextInt(6) == 0 ? 40 : 4));
            text.append(random.nextInt(12) == 0 ? "\"open," : "\"" + breaks + "\",")
                    .append(i)
                    .append(i == rows - 1 && random.nextBoolean() ? "" : "\n");
        }
        return text.toString();
    }
}
