// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The command line in JVMs of its own, with the class path of this one, in a folder of its own. One at a time; closing it ends those
 * that run.
 */
public final class CommandLineJvms implements AutoCloseable {
    private static final int LIMIT_MINUTES = 10;

    private final Path folder;
    private final List<String> java;
    private final List<Process> started = new ArrayList<>();

    /**
     * What a run left.
     *
     * @param code with which it ended
     * @param out what it wrote to standard output
     * @param error what it wrote to standard error
     */
    public record Outcome(int code, String out, String error) {}

    /**
     * @param folder in which they run, and leave all that they leave
     * @param java options of the Java machine
     */
    public CommandLineJvms(Path folder, List<String> java) throws IOException {
        this.folder = folder;
        this.java = List.copyOf(java);
        Files.createDirectories(temporary());
    }

    /** Their folder for temporary files. */
    public Path temporary() {
        return folder.resolve("tmp");
    }

    /** What they have left there. */
    public List<Path> left() throws IOException {
        try (Stream<Path> all = Files.list(temporary())) {
            return all.filter(each -> each.getFileName().toString().startsWith("thalweg-"))
                    .toList();
        }
    }

    /** Writes a job of which only the body of {@code define} matters. */
    public void job(String name, String define) throws IOException {
        Files.writeString(folder.resolve(name + ".java"), """
                import io.thalweg.api.connector.*;
                import io.thalweg.api.topology.*;

                public class %s implements TopologyDefinition {
                    @Override
                    public void define(Topology topology, Settings settings) {
                        %s
                    }
                }
                """.formatted(name, define));
    }

    /** Starts one, with nothing to read. */
    public Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        if (Files.isExecutable(Path.of("/usr/bin/env"))) {
            // A build that runs in the background ignores Ctrl-C, and its children would too.
            command.addAll(List.of("/usr/bin/env", "--default-signal=INT"));
        }
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(java);
        command.add("-Djava.io.tmpdir=" + temporary());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "io.thalweg.cli.Main"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        for (String place : List.of("XDG_CACHE_HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME")) {
            builder.environment().put(place, folder.resolve("cache").toString());
        }
        Process process = builder.redirectOutput(folder.resolve("out").toFile())
                .redirectError(folder.resolve("error").toFile())
                .start();
        started.add(process);
        process.getOutputStream().close();
        return process;
    }

    /** Waits for its end. */
    public Outcome end(Process process) throws IOException, InterruptedException {
        if (!process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)) {
            throw new IllegalStateException(
                    "the command line did not end: " + Files.readString(folder.resolve("error")));
        }
        return new Outcome(
                process.exitValue(),
                Files.readString(folder.resolve("out")),
                Files.readString(folder.resolve("error")));
    }

    /** Runs one to its end. */
    public Outcome run(String... arguments) throws IOException, InterruptedException {
        return end(start(arguments));
    }

    @Override
    public void close() {
        started.forEach(Process::destroyForcibly);
        started.forEach(process -> process.onExit().join());
    }
}
