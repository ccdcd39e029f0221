// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.storm;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.RefusedException;
import io.thalweg.lab.driver.TupleLayout;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Objects;
import org.apache.storm.task.ShellBolt;
import org.apache.storm.topology.IRichBolt;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.tuple.Fields;
import org.jspecify.annotations.Nullable;

/** A relay in Python, in a process of its own, by Storm's multilang protocol: JSON over its standard input and output. */
final class PythonBolt extends ShellBolt implements IRichBolt {
    private static final long serialVersionUID = 1L;

    private final TupleLayout tuples;

    private PythonBolt(TupleLayout tuples, String... command) {
        super(command);
        this.tuples = tuples;
        changeChildCWD(false);
    }

    /** Puts the scripts into the folder, of which {@code child} names one. */
    static PythonBolt of(Cell cell, TupleLayout tuples, Path folder) throws IOException, RefusedException {
        String python = python();
        copy("/resources/storm.py", folder.resolve("storm.py"));
        String child = cell.value("child");
        if (child.equals("arrow")) {
            requirePyarrow(python);
        }
        Path script = folder.resolve(
                switch (child) {
                    case "lean" -> "lean_relay.py"; // does not use storm.py
                    case "thalweg" -> "frames_relay.py";
                    case "arrow" -> "arrow_relay.py";
                    default -> "relay.py";
                });
        copy(script.getFileName().toString(), script);
        return new PythonBolt(tuples, python, script.toString(), cell.stamps() ? "stamps" : "plain");
    }

    private static String python() throws RefusedException {
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

    private static void copy(String resource, Path file) throws IOException {
        try (InputStream in = Objects.requireNonNull(PythonBolt.class.getResourceAsStream(resource), resource)) {
            Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        declarer.declare(new Fields(tuples.fields()));
    }

    @Override
    public @Nullable Map<String, Object> getComponentConfiguration() {
        return null;
    }
}
