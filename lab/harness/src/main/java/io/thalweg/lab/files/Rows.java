// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.files;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Reads the CSV that an engine wrote: a file, or a folder of them, with headers or without. No field has a line break. */
final class Rows {
    private Rows() {}

    /** Hands each row to an answer, and returns how many there were. */
    static long read(Path output, Answer answer) throws IOException {
        long rows = 0;
        for (Path file : files(output)) {
            try (BufferedReader in = Files.newBufferedReader(file)) {
                String line;
                while ((line = in.readLine()) != null) {
                    List<String> fields = fields(line);
                    if (!line.isEmpty() && !fields.equals(answer.header())) {
                        answer.row(fields);
                        rows++;
                    }
                }
            }
        }
        return rows;
    }

    /** Hidden files are no output yet, or no longer. */
    private static List<Path> files(Path output) throws IOException {
        try (Stream<Path> all = Files.walk(output)) {
            return all.filter(Files::isRegularFile)
                    .filter(file -> {
                        Path within = output.relativize(file);
                        return file.equals(output)
                                || Stream.of(within.toString().split("/"))
                                        .noneMatch(name -> name.startsWith(".") || name.startsWith("_"));
                    })
                    .sorted()
                    .toList();
        }
    }

    static List<String> fields(String line) {
        List<String> fields = new ArrayList<>();
        StringBuilder field = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char letter = line.charAt(i);
            if (quoted && letter == '"' && i + 1 < line.length() && line.charAt(i + 1) == '"') {
                field.append('"');
                i++;
            } else if (letter == '"') {
                quoted = !quoted;
            } else if (letter == ',' && !quoted) {
                fields.add(field.toString());
                field.setLength(0);
            } else {
                field.append(letter);
            }
        }
        fields.add(field.toString());
        return fields;
    }
}
