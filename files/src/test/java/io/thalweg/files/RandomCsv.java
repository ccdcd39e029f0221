// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import java.util.List;
import java.util.Random;

/** Rows and a text that says them, with quotes, line ends and blank lines as they fall. */
final class RandomCsv {
    private static final String[] PIECES = {"a", "\"", "\n", "\r\n", ",", "ö", "🙂", " ", "\r", "bc", "0", "\"\""};

    private RandomCsv() {}

    static String text(Random random, List<CsvSourceTest.Place> rows, int count, int maxPieces) {
        StringBuilder text = new StringBuilder(random.nextBoolean() ? "\ufeff" : "");
        boolean turned = random.nextBoolean();
        text.append(turned ? "n,name" : "name,n").append(lineEnd(random));
        for (int i = 0; i < count; i++) {
            String name = name(random, maxPieces);
            rows.add(new CsvSourceTest.Place(name, i));
            String field = field(random, name);
            text.append(turned ? i + "," + field : field + "," + i);
            if (i < count - 1 || random.nextBoolean()) {
                text.append(lineEnd(random));
            }
        }
        return text.toString();
    }

    private static String name(Random random, int maxPieces) {
        int pieces = random.nextInt(maxPieces + 2) - 1;
        if (pieces < 0) {
            return null;
        }
        StringBuilder name = new StringBuilder();
        for (int i = 0; i < pieces; i++) {
            name.append(PIECES[random.nextInt(PIECES.length)]);
        }
        return name.toString();
    }

    private static String field(Random random, String name) {
        if (name == null) {
            return "";
        }
        boolean quotes = name.isEmpty() || name.matches("(?s).*[\",\\r\\n].*") || random.nextBoolean();
        return quotes ? '"' + name.replace("\"", "\"\"") + '"' : name;
    }

    private static String lineEnd(Random random) {
        return (random.nextBoolean() ? "\n" : "\r\n") + (random.nextInt(8) == 0 ? "\n" : "");
    }
}
