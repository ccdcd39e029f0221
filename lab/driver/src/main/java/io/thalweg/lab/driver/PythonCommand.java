// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/** The Python of this machine, for cells whose processer is a Python program. */
public final class PythonCommand {
    private static final Pattern STORM_JAR = Pattern.compile("/multilang-python-[^/]*!/");

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

    /**
     * The command of a child that speaks Storm's protocol and hands every tuple on; the cell's {@code child} says which one.
     *
     * @param folder where its script is put, beside Apache Storm's {@code storm.py}, which whoever calls this has on its class path
     * @throws RefusedException as {@link #of}
     */
    public static List<String> ofStorm(Cell cell, Path folder) throws IOException, RefusedException {
        String python = of(cell);
        String script = switch (cell.value("child")) {
            case "lean" -> "lean_relay.py"; // does not use storm.py
            case "thalweg" -> "frames_relay.py";
            case "arrow" -> "arrow_relay.py";
            default -> "relay.py";
        };
        try (InputStream in = stormPy().openStream()) {
            Files.copy(in, folder.resolve("storm.py"), StandardCopyOption.REPLACE_EXISTING);
        }
        copy(PythonCommand.class, script, folder.resolve(script));
        return List.of(python, folder.resolve(script).toString(), cell.stamps() ? "stamps" : "plain");
    }

    /** JStorm's jar has one too, of Python 2. */
    private static URL stormPy() throws IOException {
        List<URL> all = Collections.list(PythonCommand.class.getClassLoader().getResources("resources/storm.py"));
        return all.stream()
                .filter(url -> STORM_JAR.matcher(url.getPath()).find())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no storm.py of Apache Storm in " + all));
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
