// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/** The parts that sinks have shown in their directories, all of which are in one folder. A job may be writing there meanwhile. */
public final class Parts {
    private Parts() {}

    /** Their paths in the folder, such as {@code out/part-00000-000003.txt}, in order. */
    public static List<String> in(Path folder) throws IOException {
        List<String> parts = new ArrayList<>();
        for (Path output : inside(folder)) {
            if (Files.isDirectory(output)) {
                for (Path file : inside(output)) {
                    if (file.getFileName().toString().startsWith("part-")) {
                        parts.add(folder.relativize(file).toString());
                    }
                }
            }
        }
        Collections.sort(parts);
        return parts;
    }

    /** Names alone: the job renames files meanwhile. */
    private static List<Path> inside(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }

    /**
     * How many lines the parts of one sink have.
     *
     * @param output name of its directory
     */
    public static long lines(Path folder, String output) throws IOException {
        long lines = 0;
        for (String part : in(folder)) {
            if (Path.of(part).startsWith(output)) {
                lines += Files.readAllLines(folder.resolve(part)).size();
            }
        }
        return lines;
    }
}
