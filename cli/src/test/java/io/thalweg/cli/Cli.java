// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.testkit.FoldersInMemory;
import io.thalweg.testkit.ShortJvm;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;

/** The command line in a JVM of its own, as a user has it, in a folder of its own. */
final class Cli {
    private static final ShortJvm JVM =
            ShortJvm.of(System.getProperty("java.class.path"), ClassArchive.class.getName());

    /** Of compiled jobs: most tests run one that another has run. */
    private static final Path CACHE = cache();

    private static final int LIMIT_SECONDS = 600;

    /** What a job says only where it takes seconds, as any does on a machine that is busy enough. */
    private static final Pattern OF_BUSY_MACHINES =
            Pattern.compile("(?m)^thalweg: (after [0-9][^:]*: |slow: task |slow start: task ).*\\R?");

    private final Path folder;
    private String classPath = JVM.classPath();
    private final List<String> javaOptions = new ArrayList<>();
    private final Map<String, String> environment = new HashMap<>();
    private final List<Process> started = new ArrayList<>();

    Cli(Path folder) {
        this.folder = folder;
    }

    /** Of jobs with a server that waits as long for whoever asks, and for its answer, as a busy machine needs. */
    static Cli patientServer(Path folder) {
        return new Cli(folder)
                .withJava("-Dsun.net.httpserver.maxReqTime=240")
                .withJava("-Dsun.net.httpserver.maxRspTime=240");
    }

    private static Path cache() {
        try {
            return FoldersInMemory.createUntilExit();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a run left; without what it says only on busy machines. */
    record Outcome(int code, String out, String error) {
        List<String> outLines() {
            return out.lines().toList();
        }

        List<String> errorLines() {
            return error.lines().toList();
        }
    }

    Cli withJava(String option) {
        javaOptions.add(option);
        return this;
    }

    Cli withClassPath(Path more) {
        classPath += File.pathSeparator + more;
        return this;
    }

    /** Nothing is kept from other tests. */
    Cli withOwnCache() {
        return withEnvironment("XDG_CACHE_HOME", folder.resolve("cache").toString());
    }

    Cli withEnvironment(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    /** Writes a file into the folder, a job most often. */
    Path write(String name, String text) {
        try {
            return Files.writeString(folder.resolve(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes a job of which only the body of {@code define} matters. */
    Path job(String name, String define) {
        return write(name + ".java", """
                import io.thalweg.api.connector.*;
                import io.thalweg.api.operator.*;
                import io.thalweg.api.topology.*;
                import io.thalweg.api.window.*;
                import java.time.Duration;
                import java.util.*;

                public class %s implements TopologyDefinition {
                    @Override
                    public void define(Topology topology, Settings settings) throws Exception {
                        %s
                    }
                }
                """.formatted(name, define));
    }

    /** Runs to the end, with nothing to read. */
    Outcome run(String... arguments) throws Exception {
        return runOn("", arguments);
    }

    /** Runs to the end. */
    Outcome runOn(String input, String... arguments) throws Exception {
        return run(builder(arguments), input);
    }

    private Outcome run(ProcessBuilder builder, String input) throws Exception {
        Path out = Files.createTempFile(folder, "stdout", "");
        Path error = Files.createTempFile(folder, "stderr", "");
        Process process = builder.redirectOutput(out.toFile())
                .redirectError(error.toFile())
                .start();
        started.add(process);
        try (OutputStream in = process.getOutputStream()) {
            in.write(input.getBytes(StandardCharsets.UTF_8));
        }
        int code = end(process);
        String said = OF_BUSY_MACHINES.matcher(Files.readString(error)).replaceAll("");
        Outcome outcome = new Outcome(code, Files.readString(out), said);
        Files.delete(out);
        Files.delete(error);
        return outcome;
    }

    /** Starts, with pipes to all three streams; ends with {@link #destroy} at the latest. */
    Process start(String... arguments) throws IOException {
        Process process = builder(arguments).start();
        started.add(process);
        return process;
    }

    /** As {@link #start}, by another command that starts what it is given. */
    Process startUnder(String launcher, String... arguments) throws IOException {
        ProcessBuilder builder = builder(arguments);
        List<String> command = new ArrayList<>(builder.command());
        command.add(command.indexOf(JVM.options().get(0)), launcher); // behind what sets signals back
        Process process = builder.command(command).start();
        started.add(process);
        return process;
    }

    /**
     * Runs a shell script in which {@code "$@"} is the command line, and which may mount what nobody else sees: all it mounts
     * goes with it.
     */
    Outcome runScript(String script) throws Exception {
        List<String> command =
                new ArrayList<>(List.of("unshare", "--mount", "--map-root-user", "sh", "-c", script, "sh"));
        command.addAll(builder().command());
        return run(builder().command(command), "");
    }

    /** Leaves no process behind that could write into the folder, which is deleted. */
    void destroy() {
        started.forEach(Process::destroyForcibly);
        started.forEach(process -> process.onExit().join());
    }

    static int end(Process process) throws InterruptedException {
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            Assertions.fail("the command line did not end");
        }
        return process.exitValue();
    }

    /** {@code INT} or {@code TERM}, as a shell sends it. */
    static void signal(Process process, String name) throws Exception {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
        Assertions.assertThat(kill.waitFor()).isZero();
    }

    static BufferedReader lines(java.io.InputStream stream) {
        return new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
    }

    /** The next line, other than those that tell how far a job is, or that it starts slowly: how many there are depends on the machine. */
    static @Nullable String next(BufferedReader error) throws IOException {
        String line = error.readLine();
        while (line != null && (line.startsWith("thalweg: after ") || line.startsWith("thalweg: slow start: "))) {
            line = error.readLine();
        }
        return line;
    }

    private ProcessBuilder builder(String... arguments) {
        List<String> command = new ArrayList<>();
        if (Files.isExecutable(Path.of("/usr/bin/env"))
                && System.getProperty("os.name").equals("Linux")) {
            // A build in the background ignores Ctrl-C, one under nohup SIGHUP, and its children would too.
            command.addAll(List.of("/usr/bin/env", "--default-signal=INT,HUP"));
        }
        command.addAll(JVM.options());
        command.addAll(javaOptions);
        command.addAll(List.of("-cp", classPath, "io.thalweg.cli.Main"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().put("XDG_CACHE_HOME", CACHE.toString());
        builder.environment().put("XDG_RUNTIME_DIR", folder.toString());
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        builder.environment().putAll(environment);
        return builder;
    }
}
