// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.topics;

import io.thalweg.lab.driver.Cell;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A driver of the lab in a JVM of its own, which stays warm from run to run: see {@link io.thalweg.lab.driver.DriverMain}. */
final class Child implements AutoCloseable {
    private static final long TO_END_S = 30;

    private final String name;
    private final Path folder;
    private final Process process;
    private final Writer orders;
    private final BufferedReader answers;
    private int runs;

    private Child(String name, Path folder, Process process) {
        this.name = name;
        this.folder = folder;
        this.process = process;
        orders = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
        answers = process.inputReader(StandardCharsets.UTF_8);
    }

    /** @param folder for its runs and its log */
    static Child start(String name, Path folder, String classPath, String driver, List<String> jvm) throws IOException {
        Files.createDirectories(folder.resolve("tmp"));
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Djava.io.tmpdir=" + folder.resolve("tmp"));
        command.addAll(jvm);
        command.addAll(List.of("-cp", classPath, "io.thalweg.lab.driver.DriverMain", driver));
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectError(folder.resolve("log").toFile())
                .start();
        Child child = new Child(name, folder, process);
        child.answer(); // its version
        return child;
    }

    /** Runs a cell, and answers the folder of the run. */
    Path run(Map<String, String> settings) throws IOException {
        Path run = begin(settings);
        await();
        return run;
    }

    /** Begins to run a cell, and answers the folder of the run. */
    Path begin(Map<String, String> settings) throws IOException {
        Path run = Files.createDirectory(folder.resolve("run-" + runs++));
        Cell.of(settings, run).write();
        orders.write(run + "\n");
        orders.flush();
        return run;
    }

    /** Whether what was begun has ended, or the process has. */
    boolean hasEnded() throws IOException {
        return answers.ready() || !process.isAlive();
    }

    /** Waits until what was begun has ended. */
    void await() throws IOException {
        String answer = answer();
        if (!answer.equals("done")) {
            throw new IOException(name + " " + answer + "; its log is " + folder.resolve("log"));
        }
    }

    private String answer() throws IOException {
        String answer = answers.readLine();
        if (answer == null) {
            throw new IOException(name + " ended; its log is " + folder.resolve("log"));
        }
        return answer;
    }

    /** CPU time of the process and of those that it started. */
    Duration cpu() {
        return cpu(process.toHandle());
    }

    /** CPU time of a process and of those that it started, as far as they live. */
    static Duration cpu(ProcessHandle process) {
        Duration cpu = process.info().totalCpuDuration().orElse(Duration.ZERO);
        return process.children().map(Child::cpu).reduce(cpu, Duration::plus);
    }

    /** By the end of its input, and after a while by force. */
    @Override
    public void close() {
        List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
        try {
            orders.close();
            if (!process.waitFor(TO_END_S, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            process.destroyForcibly(); // it has ended
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        all.forEach(ProcessHandle::destroyForcibly);
    }
}
