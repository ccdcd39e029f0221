// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Properties;

/**
 * What a module says of itself in its {@code part.properties}. The launcher reads these files, too, and says in which folder they are:
 * so the command line knows of modules that are not on its class path.
 *
 * @param name of the module: {@code kafka-cli}
 */
record Part(String name, Properties said) {
    private static final String FOLDERS = "thalweg.parts";

    /** By name; none if no launcher has started this process. */
    static List<Part> all() {
        List<Part> parts = new ArrayList<>();
        String folder = System.getProperty(FOLDERS);
        if (folder != null) {
            try (DirectoryStream<Path> modules = Files.newDirectoryStream(Path.of(folder))) {
                for (Path module : modules) {
                    Path file = module.resolve("part.properties");
                    if (Files.exists(file)) {
                        parts.add(read(module.getFileName().toString(), file));
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        parts.sort(Comparator.comparing(Part::name));
        return parts;
    }

    private static Part read(String name, Path file) throws IOException {
        Properties said = new Properties();
        try (Reader in = Files.newBufferedReader(file)) {
            said.load(in);
        }
        return new Part(name, said);
    }

    /** Empty if it says nothing of that. */
    String said(String key) {
        return said.getProperty(key, "");
    }
}
