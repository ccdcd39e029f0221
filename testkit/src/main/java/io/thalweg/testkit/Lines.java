// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** Reads text outputs back. */
public final class Lines {
    private Lines() {}

    /** The lines of a file, compressed or not, or of all visible files in a directory. */
    public static List<String> in(Path path) throws IOException {
        if (!Files.isDirectory(path)) {
            try (InputStream file = Files.newInputStream(path);
                    InputStream in = path.toString().endsWith(".gz") ? new GZIPInputStream(file) : file) {
                return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                        .lines()
                        .toList();
            }
        }
        List<String> lines = new ArrayList<>();
        try (Stream<Path> parts = Files.list(path)) {
            for (Path part : parts.toList()) {
                if (!part.getFileName().toString().startsWith(".")) {
                    lines.addAll(in(part));
                }
            }
        }
        return lines;
    }

    /** The elements that {@code some} contains more often than {@code others}, with the difference in numbers. */
    public static List<String> surplus(Collection<String> some, Collection<String> others) {
        List<String> surplus = new ArrayList<>();
        Map<String, Integer> left = new HashMap<>();
        others.forEach(line -> left.merge(line, 1, Integer::sum));
        for (String line : some) {
            if (left.merge(line, -1, Integer::sum) < 0) {
                surplus.add(line);
            }
        }
        return surplus;
    }
}
