// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.kafka;

import io.thalweg.broker.BrokerSetup;
import io.thalweg.testkit.ShortJvm;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** {@code thalweg kafka} in a JVM of its own, as a user has it. */
final class CommandLine {
    private static final ShortJvm JVM =
            ShortJvm.of(System.getProperty("java.class.path"), TypicalCommand.class.getName());

    /** A machine that many others use may need minutes for a command. */
    private static final int LIMIT_SECONDS = 1_200;

    /** Of a broker that is not started again, which would wait for that: a busy machine may leave it no time to answer its controller. */
    static final BrokerSetup STEADY = BrokerSetup.single().with("broker.session.timeout.ms", "60000");

    private static final Pattern OF_BUSY_MACHINES = Pattern.compile(
            "(?m)^thalweg: (no Kafka broker at \\S+ answers(; still trying| any more; waiting until one does)"
                    + "|a Kafka broker at \\S+ answers again|the broker at \\S+ does not answer yet;.*)\\R");

    private final Path folder;
    private final Map<String, String> environment = new TreeMap<>();
    private String command = "kafka";

    /** @param folder for its caches */
    CommandLine(Path folder) {
        this.folder = folder;
    }

    /**
     * @param out as text in UTF-8
     * @param error without what a command says only where a broker takes seconds to answer, as any does on a machine that is busy enough
     */
    record Outcome(int code, String out, byte[] bytes, String error) {}

    CommandLine with(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    /** Another command than {@code kafka}. */
    CommandLine of(String other) {
        command = other;
        return this;
    }

    Outcome run(String... arguments) throws Exception {
        return runOn("", arguments);
    }

    Outcome runOn(String input, String... arguments) throws Exception {
        return runOn(input.getBytes(StandardCharsets.UTF_8), arguments);
    }

    /** Runs it until a broker counts as alive: one that had no time to answer its controller does not for a moment. */
    Outcome runUnlessFenced(String... arguments) throws Exception {
        Outcome outcome = run(arguments);
        while (outcome.error().contains("currently fenced")) {
            outcome = run(arguments);
        }
        return outcome;
    }

    Outcome runOn(byte[] input, String... arguments) throws Exception {
        Path in = Files.write(Files.createTempFile(folder, "stdin", ""), input);
        return run(builder(arguments).redirectInput(in.toFile()));
    }

    /** With a standard input that cannot be read. */
    Outcome runOnFolder(String... arguments) throws Exception {
        ProcessBuilder builder = builder(arguments);
        builder.command().addAll(0, List.of("/bin/sh", "-c", "exec \"$@\" <.", "sh"));
        return run(builder);
    }

    private Outcome run(ProcessBuilder builder) throws Exception {
        Path out = Files.createTempFile(folder, "stdout", "");
        Path error = Files.createTempFile(folder, "stderr", "");
        Process process = builder.redirectOutput(out.toFile())
                .redirectError(error.toFile())
                .start();
        int code = end(process);
        return new Outcome(
                code,
                new String(Files.readAllBytes(out), StandardCharsets.UTF_8),
                Files.readAllBytes(out),
                ofAnyMachine(Files.readString(error)));
    }

    static String ofAnyMachine(String said) {
        return OF_BUSY_MACHINES.matcher(said).replaceAll("");
    }

    /** All that a process has written to standard error and nobody has read, without what it says only on busy machines. */
    static String error(Process process) throws IOException {
        return ofAnyMachine(new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8));
    }

    /** Starts, with pipes to all three streams; the caller ends it. */
    Process open(String... arguments) throws IOException {
        return builder(arguments).start();
    }

    /** The same, with nothing to read. */
    Process start(String... arguments) throws IOException {
        Process process = open(arguments);
        try (OutputStream nothing = process.getOutputStream()) {
            nothing.flush();
        }
        return process;
    }

    static int end(Process process) throws InterruptedException {
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("the command did not end");
        }
        return process.exitValue();
    }

    private ProcessBuilder builder(String... arguments) {
        List<String> line = new ArrayList<>();
        if (Files.isExecutable(Path.of("/usr/bin/env"))) {
            // A build that runs in the background ignores Ctrl-C, and its children would too.
            line.addAll(List.of("/usr/bin/env", "--default-signal=INT"));
        }
        line.addAll(JVM.options());
        line.addAll(List.of("-cp", JVM.classPath(), "io.thalweg.cli.Main", command));
        line.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(line).directory(folder.toFile());
        builder.environment().put("XDG_CACHE_HOME", folder.resolve("cache").toString());
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        builder.environment().putAll(environment);
        return builder;
    }
}
