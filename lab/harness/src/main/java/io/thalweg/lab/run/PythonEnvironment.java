// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import io.thalweg.lab.LabException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Consumer;

/** A virtual environment with pinned packages, beside an engine's driver.yaml; made on first use, and anew for other packages. */
final class PythonEnvironment {
    private static final Duration LONGEST = Duration.ofMinutes(10);

    private final Path target;
    private final String engine;
    private final List<String> packages;
    private final ChildProcess process;

    /** @param process what it runs in */
    PythonEnvironment(Path module, String engine, List<String> packages, ChildProcess process) {
        this.process = process;
        target = module.resolve("target");
        this.engine = engine;
        this.packages = packages;
    }

    static Path python(Path module) {
        return module.resolve("target/venv/bin/python3");
    }

    private Path made() {
        return target.resolve("venv/made");
    }

    private String wanted() {
        return String.join("\n", packages) + "\n";
    }

    boolean isMade() throws IOException {
        return Files.exists(made()) && Files.readString(made()).equals(wanted());
    }

    /** @throws LabException if it cannot be made; the message says why */
    void prepare(Consumer<String> say) {
        try {
            Files.createDirectories(target);
            // Another lab may be making it.
            try (FileChannel file = FileChannel.open(
                            target.resolve("venv.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock lock = file.lock()) {
                if (lock.isValid() && isMade()) {
                    return;
                }
                say.accept("fetching " + String.join(", ", packages) + " for " + engine + " ...");
                Files.deleteIfExists(made());
                run(List.of(
                        "python3",
                        "-m",
                        "venv",
                        "--clear",
                        target.resolve("venv").toString()));
                List<String> install = new ArrayList<>(List.of(
                        target.resolve("venv/bin/python3").toString(),
                        "-m",
                        "pip",
                        "install",
                        "-q",
                        "--disable-pip-version-check",
                        "--only-binary=:all:"));
                install.addAll(packages);
                run(install);
                Files.writeString(made(), wanted());
            }
        } catch (IOException e) {
            throw new LabException(engine + " needs a Python: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LabException("interrupted while fetching " + packages, e);
        }
    }

    private void run(List<String> command) throws IOException, InterruptedException {
        Path log = target.resolve("venv.log");
        OptionalInt ended = process.run(command, Path.of("").toAbsolutePath(), log, LONGEST);
        if (ended.isEmpty()) {
            throw new LabException("the packages of " + engine + " had not come after " + LONGEST.toMinutes()
                    + " minutes; see " + log);
        }
        if (ended.getAsInt() != 0) {
            String last = Files.readAllLines(log).stream()
                    .filter(line -> !line.isBlank())
                    .reduce("", (before, line) -> line);
            throw new LabException("the packages of " + engine + " (" + String.join(", ", packages)
                    + ") cannot be had: " + last + " (all of it in " + log + ")");
        }
    }
}
