// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** {@code thalweg storm run} in a JVM of its own, as a user has it, without the classes of the tests. */
record CommandLine(
        Path folder,
        List<String> java,
        List<Path> first,
        @Nullable Path input) {
    private static final int LIMIT_SECONDS = 300;
    private static final int KILLED = 128 + 9;

    record Outcome(int code, String out, String error) {}

    CommandLine(Path folder) {
        this(folder, List.of(), List.of(), null);
    }

    /** With options of the Java machine. */
    CommandLine withJava(String... options) {
        return new CommandLine(folder, List.of(options), first, input);
    }

    /** With these jars before all others, and in place of other versions of them. */
    CommandLine withJars(Path... jars) {
        return new CommandLine(folder, java, List.of(jars), input);
    }

    /** With a file as standard input. */
    CommandLine withInput(Path file) {
        return new CommandLine(folder, java, first, file);
    }

    /** Starts it, with pipes to all three streams; the caller ends it. */
    Process start(String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of("storm", "run"));
        all.addAll(List.of(arguments));
        return process(all);
    }

    /** Folders for temporary files that are there. */
    List<Path> left() throws IOException {
        try (Stream<Path> all = Files.list(temporary())) {
            return all.filter(each -> each.getFileName().toString().startsWith("thalweg-storm-"))
                    .sorted()
                    .toList();
        }
    }

    private Path temporary() throws IOException {
        return Files.createDirectories(folder.resolve("tmp"));
    }

    /** Runs a class beside the command line's. */
    Outcome runClass(Class<?> main) throws Exception {
        return outcome(process(main.getName(), List.of()));
    }

    private Process process(List<String> arguments) throws IOException {
        return process("io.thalweg.cli.Main", arguments);
    }

    private Process process(String main, List<String> arguments) throws IOException {
        List<String> artifacts =
                first.stream().map(each -> artifact(each.toString())).toList();
        String classPath = Stream.concat(
                        first.stream().map(Path::toString),
                        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                                .filter(each -> !artifacts.contains(artifact(each))))
                .filter(each -> !each.endsWith("test-classes"))
                .collect(Collectors.joining(File.pathSeparator));
        List<String> command = new ArrayList<>();
        if (Files.isExecutable(Path.of("/usr/bin/env"))) {
            // A build that runs in the background ignores Ctrl-C, and its children would too.
            command.addAll(List.of("/usr/bin/env", "--default-signal=INT"));
        }
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.add("-Djava.util.logging.SimpleFormatter.format=thalweg: %5$s%6$s%n");
        command.add("-Djava.io.tmpdir=" + temporary());
        command.addAll(java);
        command.addAll(List.of("-cp", classPath, main));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        builder.environment().put("XDG_RUNTIME_DIR", temporary().toString());
        builder.environment().put("XDG_CACHE_HOME", temporary().toString());
        if (input != null) {
            builder.redirectInput(input.toFile());
        }
        Process process = builder.start();
        try (OutputStream nothing = process.getOutputStream()) {
            nothing.flush();
        }
        return process;
    }

    /** The name of a jar without its version. */
    private static String artifact(String jar) {
        return Path.of(jar).getFileName().toString().replaceFirst("-[0-9].*", "");
    }

    Outcome run(String... arguments) throws Exception {
        return outcome(start(arguments));
    }

    /** Another command than {@code storm run}. */
    Outcome call(String... arguments) throws Exception {
        return outcome(process(List.of(arguments)));
    }

    private static Outcome outcome(Process process) throws Exception {
        limit(process, LIMIT_SECONDS);
        try {
            String[] error = new String[1];
            Thread reader = new Thread(() -> error[0] = text(process.getErrorStream()));
            reader.start();
            String out = text(process.getInputStream());
            reader.join();
            assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue())
                    .as("ended by the test; it said: %s", error[0])
                    .isNotEqualTo(KILLED);
            return new Outcome(process.exitValue(), out, error[0]);
        } finally {
            process.destroyForcibly();
        }
    }

    /** Ends it after that time, so that whoever reads what it writes comes to an end. */
    static void limit(Process process, int seconds) {
        var unused = process.onExit().orTimeout(seconds, TimeUnit.SECONDS).whenComplete((ended, late) -> {
            if (late != null) {
                process.destroyForcibly();
            }
        });
    }

    static void awaitLines(Process process, StringBuilder error, String end) throws IOException {
        while (error.indexOf(end) < 0) {
            int next = process.getErrorStream().read();
            assertThat(next).as(error.toString()).isNotNegative();
            error.append((char) next);
        }
    }

    static String text(InputStream in) {
        try (in) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
