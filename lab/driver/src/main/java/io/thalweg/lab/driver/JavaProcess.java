// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A daemon of a cluster, in a JVM of its own with this JVM's Java. Its output goes to a file. It does not outlive this JVM, even
 * when that is killed.
 */
public final class JavaProcess implements AutoCloseable {
    /**
     * Below the ports that systems give away by themselves: until a server listens, its port is free, and any client may be given
     * one of those.
     */
    private static final int LOWEST_PORT = 20_000;

    private static final int BEYOND_PORTS = 32_768;
    private static final int TRIES = 1_000;

    /** Given in this JVM: until a server listens there, such a port looks free. */
    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

    private final Process process;
    private final String name;
    private final Path log;

    private JavaProcess(Process process, String name, Path log) {
        this.process = process;
        this.name = name;
        this.log = log;
    }

    /** Starts {@code java options -cp classPath mainAndArguments} in {@code folder}, with its output in {@code NAME.log} there. */
    public static JavaProcess start(
            String name,
            Path folder,
            Map<String, String> environment,
            List<String> options,
            String classPath,
            List<String> mainAndArguments)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"));
        command.addAll(options);
        command.add("-cp");
        command.add(classPath + File.pathSeparator + placeOf(Tether.class));
        command.add(Tether.class.getName());
        command.addAll(mainAndArguments);
        Path log = folder.resolve(name + ".log");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        return new JavaProcess(builder.start(), name, log);
    }

    private static String placeOf(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Ports of 127.0.0.1 that were free a moment ago, all different. */
    public static int[] freePorts(int count) throws IOException {
        int[] ports = new int[count];
        for (int i = 0; i < count; i++) {
            ports[i] = freePort();
        }
        return ports;
    }

    private static int freePort() throws IOException {
        for (int tries = 0; tries < TRIES; tries++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST_PORT, BEYOND_PORTS);
            if (!GIVEN.add(port)) {
                continue;
            }
            try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return free.getLocalPort();
            } catch (IOException e) {
                // somebody has it
            }
        }
        throw new IOException("no port from " + LOWEST_PORT + " to " + (BEYOND_PORTS - 1) + " of this machine is free");
    }

    /**
     * Waits until {@code ready} answers true; while it throws, it is not ready.
     *
     * @throws IOException with the last lines of its output, if the process ended or did not become ready in time
     */
    public void await(Callable<Boolean> ready, Duration atMost) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (true) {
            boolean answered;
            try {
                answered = ready.call();
            } catch (Exception e) {
                answered = false;
            }
            if (answered) {
                return;
            }
            if (!process.isAlive()) {
                throw new IOException(name + " ended with code " + process.exitValue() + ": " + lastLine());
            }
            if (System.nanoTime() - deadline > 0) {
                throw new IOException(name + " was not ready after " + atMost.toSeconds() + " s: " + lastLine());
            }
            Thread.sleep(100);
        }
    }

    /** Waits until it has ended, and says by which code. */
    public int waitFor() throws InterruptedException {
        return process.waitFor();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    public long pid() {
        return process.pid();
    }

    /** The last line of its output that is not a place in a stack trace: mostly why it ended. */
    public String lastLine() throws IOException {
        List<String> lines = Files.readAllLines(log);
        for (int i = lines.size() - 1; i >= 0; i--) {
            if (!lines.get(i).isBlank()
                    && !lines.get(i).startsWith("\tat ")
                    && !lines.get(i).startsWith("\t...")) {
                return lines.get(i).strip();
            }
        }
        return "it printed nothing";
    }

    /** Ends the process and those it started: politely, and after five seconds by force. */
    @Override
    public void close() {
        List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
        all.add(process.toHandle());
        all.forEach(ProcessHandle::destroy);
        awaitExit(all, 5);
        all.forEach(ProcessHandle::destroyForcibly);
        awaitExit(all, 60); // which takes a moment, but where the machine is busy
    }

    private static void awaitExit(List<ProcessHandle> all, long atMostSeconds) {
        try {
            CompletableFuture.allOf(all.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new))
                    .get(atMostSeconds, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // still there
        }
    }
}
