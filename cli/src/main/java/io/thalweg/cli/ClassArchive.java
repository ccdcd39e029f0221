// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs a small job that loads the classes that most jobs need. The launcher starts it with {@code -XX:ArchiveClassesAtExit}, so
 * that later starts need not load and verify them.
 */
public final class ClassArchive {
    private ClassArchive() {}

    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createTempDirectory("thalweg-classes");
        Path job = copy("Typical.java", folder);
        Path in = copy("readings.csv", folder);
        Path out = folder.resolve("out.csv");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(List.of(out, in, job, folder))));
        Main.main(new String[] {"run", job.toString(), "--set", "in=" + in, "--set", "out=" + out});
    }

    private static Path copy(String name, Path folder) throws IOException {
        Path file = folder.resolve(name);
        try (InputStream in = ClassArchive.class.getResourceAsStream("archive/" + name)) {
            if (in == null) {
                throw new IOException("archive/" + name + " is not in " + ClassArchive.class.getModule());
            }
            Files.copy(in, file);
        }
        return file;
    }

    private static void delete(List<Path> files) {
        for (Path file : files) {
            file.toFile().delete();
        }
    }
}
