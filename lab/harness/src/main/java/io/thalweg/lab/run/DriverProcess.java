// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import io.thalweg.lab.LabException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The JVM of one driver, and all that it started: see {@link io.thalweg.lab.driver.DriverMain}. One thread uses it. */
final class DriverProcess implements AutoCloseable {
    /** Exit status of a process that SIGKILL ended. */
    private static final int KILLED = 137;

    private static final Duration TO_START = Duration.ofSeconds(60);
    private static final Duration TO_END = Duration.ofSeconds(20);
    private static final Duration TO_DIE = Duration.ofSeconds(5);

    private final Process process;
    private final Writer orders;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

    /** The last line of its output that is no answer; empty if there is none. */
    private volatile String stray = "";

    private final Path log;
    private final Engine engine;
    private final String version;

    private DriverProcess(Engine engine, Process process, Path log) {
        this.engine = engine;
        this.process = process;
        this.log = log;
        orders = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
        Thread reader =
                new Thread(this::read, "answers of " + engine.description().engine());
        reader.setDaemon(true);
        reader.start();
        try {
            version = word("version", TO_START);
        } catch (LabException e) {
            close();
            throw e;
        }
    }

    /**
     * Starts it in a folder of its own, where it also writes its log and temporary files, so that nothing is left elsewhere when it
     * is killed; {@code heap} as for {@link Engine#command}.
     */
    static DriverProcess start(Engine engine, Path folder, @Nullable String heap) {
        return start(engine, folder, folder, heap, JobJars.NONE);
    }

    /**
     * The same, but in this process's own working directory, from which users' topologies find what they read, and with jars beside those
     * of the engine.
     */
    static DriverProcess startHere(Engine engine, Path folder, @Nullable String heap, JobJars jars) {
        return start(engine, folder, Path.of("").toAbsolutePath(), heap, jars);
    }

    private static DriverProcess start(
            Engine engine, Path folder, Path directory, @Nullable String heap, JobJars jars) {
        Path log = folder.resolve("driver.log");
        try {
            List<String> command = new ArrayList<>(engine.command(heap, jars));
            command.add(1, "-Djava.io.tmpdir=" + Files.createDirectory(folder.resolve("tmp")));
            Process process = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectError(log.toFile())
                    .start();
            return new DriverProcess(engine, process, log);
        } catch (IOException e) {
            throw new LabException(
                    "the driver of " + engine.description().engine() + " cannot be started: " + e.getMessage(), e);
        }
    }

    private void read() {
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            String line;
            while ((line = reader.readLine()) != null) {
                if (isAnswer(line)) {
                    answers.add(line);
                } else if (!line.isBlank()) {
                    stray = line;
                }
            }
        } catch (IOException e) {
            // it has ended
        }
        answers.add("ended");
    }

    /** Others are of the JVM itself, which warns on standard output, or of what shares it. */
    private static boolean isAnswer(String line) {
        return line.equals("done")
                || line.startsWith("version ")
                || line.startsWith("refused ")
                || line.startsWith("failed ");
    }

    private String word(String expected, Duration atMost) {
        String answer = answer(atMost);
        if (answer == null) {
            throw new LabException("the driver of " + engine.description().engine() + " said nothing for "
                    + atMost.toSeconds() + " s" + lastWords());
        }
        if (!answer.startsWith(expected + " ")) {
            throw new LabException("the driver of " + engine.description().engine() + " "
                    + (answer.equals("ended") ? "ended" + lastWords() : answer));
        }
        return answer.substring(expected.length() + 1);
    }

    String version() {
        return version;
    }

    /** Where all of its files are. */
    Path folder() {
        return log.resolveSibling("");
    }

    ProcessHandle handle() {
        return process.toHandle();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    void order(Path folder) {
        try {
            orders.write(folder + "\n");
            orders.flush();
        } catch (IOException e) {
            answers.add("ended");
        }
    }

    /** What it answers in time: done, refused WHY, failed WHY, or ended where the process is gone; null if nothing. */
    @Nullable String answer(Duration atMost) {
        try {
            return answers.poll(atMost.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "ended";
        }
    }

    /** Whether somebody else ended it by force, as the system does with the largest process where memory runs out. */
    boolean wasKilled() {
        return !process.isAlive() && process.exitValue() == KILLED;
    }

    /** The last line of its log that is not of a stack trace, or of its output if there is none, to be appended to a message. */
    String lastWords() {
        try (Stream<String> lines = Files.lines(log, StandardCharsets.ISO_8859_1)) {
            return lines.filter(line -> !line.isBlank() && !line.startsWith("\tat ") && !line.startsWith("\t..."))
                    .reduce((before, line) -> line)
                    .or(() -> Optional.of(stray).filter(line -> !line.isEmpty()))
                    .map(line -> ": " + line.strip())
                    .orElse("");
        } catch (IOException e) {
            return "";
        }
    }

    /** Ends it and everything it started: by the end of its input, and after a while by force. */
    @Override
    public void close() {
        List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
        all.add(process.toHandle());
        try {
            orders.close();
        } catch (IOException e) {
            // it has ended
        }
        awaitExit(all, TO_END);
        destroy(all);
    }

    /** At once, for when it hangs or the lab itself is told to end. */
    void kill() {
        List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
        all.add(process.toHandle());
        destroy(all);
    }

    private static void destroy(List<ProcessHandle> all) {
        all.stream()
                .sorted(Comparator.comparing(ProcessHandle::pid))
                .filter(ProcessHandle::isAlive)
                .forEach(ProcessHandle::destroyForcibly);
        awaitExit(all, TO_DIE);
    }

    private static void awaitExit(List<ProcessHandle> all, Duration atMost) {
        try {
            CompletableFuture.allOf(all.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new))
                    .get(atMost.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // it lives on
        }
    }
}
