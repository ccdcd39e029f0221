// SPDX-License-Identifier: Apache-2.0
package io.thalweg.examples;

import io.thalweg.cli.ClassArchive;
import io.thalweg.testkit.FoldersInMemory;
import io.thalweg.testkit.ShortJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** The command line in a JVM of its own, with a folder to work in. */
final class Thalweg {
    private static final ShortJvm JVM =
            ShortJvm.of(System.getProperty("java.class.path"), ClassArchive.class.getName());

    private static final int LIMIT_SECONDS = 900;

    /** Of compiled jobs: each is compiled once for all tests. */
    private static final Path CACHE = cache();

    private final Path folder;

    Thalweg(Path folder) {
        this.folder = folder;
    }

    /** What a job says only where it takes seconds, as any does on a machine that is busy enough. */
    private static final Pattern OF_BUSY_MACHINES =
            Pattern.compile("(?m)^thalweg: (after [0-9][^:]*: |slow: task |slow start: task ).*\\R?");

    /** How a run ended, and what it wrote to standard output and to standard error; without what it says only on busy machines. */
    record Ended(int code, String out, String error) {}

    private static Path cache() {
        try {
            return FoldersInMemory.createUntilExit();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Path job(String path) {
        return Path.of(path).toAbsolutePath();
    }

    /** Starts with output and error going to files, and waits for the end. */
    Ended command(String... arguments) throws IOException, InterruptedException {
        Path out = folder.resolve("out.txt");
        Path error = folder.resolve("error.txt");
        Process process = builder(arguments)
                .redirectOutput(out.toFile())
                .redirectError(error.toFile())
                .start();
        int code = end(process);
        String said = OF_BUSY_MACHINES.matcher(Files.readString(error)).replaceAll("");
        return new Ended(code, Files.readString(out), said);
    }

    /** Starts with pipes to all three streams. */
    Process start(String... arguments) throws IOException {
        return builder(arguments).start();
    }

    static int end(Process process) throws InterruptedException {
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("it did not end within " + LIMIT_SECONDS + " s");
        }
        return process.exitValue();
    }

    private ProcessBuilder builder(String... arguments) {
        List<String> command = new ArrayList<>(JVM.options());
        command.addAll(List.of("-cp", JVM.classPath(), "io.thalweg.cli.Main"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().put("XDG_CACHE_HOME", CACHE.toString());
        return builder;
    }
}
