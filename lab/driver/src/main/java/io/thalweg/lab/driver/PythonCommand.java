// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;

/** The Python of this machine, for cells whose processer is a Python program. */
public final class PythonCommand {
    private PythonCommand() {}

    /**
     * The first {@code python3} of the {@code PATH}.
     *
     * @throws RefusedException if there is none, or if the cell's child needs {@code pyarrow}, which it lacks
     */
    public static String of(Cell cell) throws IOException, RefusedException {
        String python = find();
        if (cell.value("child").equals("arrow")) {
            requirePyarrow(python);
        }
        return python;
    }

    private static String find() throws RefusedException {
        for (String folder :
                Objects.requireNonNullElse(System.getenv("PATH"), "").split(":")) {
            Path python = Path.of(folder, "python3");
            if (Files.isExecutable(python)) {
                return python.toString();
            }
        }
        throw new RefusedException("there is no python3 on this machine");
    }

    private static void requirePyarrow(String python) throws IOException, RefusedException {
        Process tried = new ProcessBuilder(python, "-c", "import pyarrow")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (tried.onExit().join().exitValue() != 0) {
            throw new RefusedException("there is no pyarrow for " + python + "; python3 -m pip install pyarrow");
        }
    }

    /** Puts a script that stands beside a class into a file. */
    public static void copy(Class<?> beside, String script, Path file) throws IOException {
        try (InputStream in = Objects.requireNonNull(beside.getResourceAsStream(script), script)) {
            Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
