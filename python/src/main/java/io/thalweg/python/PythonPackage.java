// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** The package {@code thalweg} of Python, which comes with this module. */
public final class PythonPackage {
    private static final List<String> FILES = List.of(
            "__init__.py",
            "_arrow.py",
            "_msgpack.py",
            "_rows.py",
            "_storm_arrow.py",
            "_worker.py",
            "storm.py",
            "py.typed");

    private PythonPackage() {}

    /**
     * Writes the package into a folder that interpreters are to look into, as by {@code PYTHONPATH}.
     *
     * @throws IOException if it cannot be written
     */
    public static void writeTo(Path folder) throws IOException {
        Path to = Files.createDirectories(folder.resolve("thalweg"));
        for (String name : FILES) {
            String resource = "thalweg/" + name;
            try (InputStream in = Objects.requireNonNull(PythonPackage.class.getResourceAsStream(resource), resource)) {
                Files.write(to.resolve(name), in.readAllBytes());
            }
        }
    }
}
