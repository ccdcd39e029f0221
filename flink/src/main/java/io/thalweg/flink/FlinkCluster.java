// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.run.CacheFolder;
import io.thalweg.run.FreePorts;
import io.thalweg.run.TrialCluster;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint;
import org.apache.flink.runtime.taskexecutor.TaskManagerRunner;
import org.apache.flink.runtime.util.EnvironmentInformation;

/** A standalone session cluster on this machine: a JobManager and some TaskManagers, each a process of its own. */
public final class FlinkCluster implements TrialCluster {
    private static final String HOST = "127.0.0.1";
    private static final int PORT = 8081;

    /** Enough slots for a job with one task per core after a TaskManager was lost. */
    private static final int SLOTS = 2 * Runtime.getRuntime().availableProcessors();

    /**
     * Frequent heartbeats, which carry accumulators and detect lost TaskManagers; tasks are spread evenly over
     * TaskManagers.
     */
    private static final Map<String, String> LIVELY = Map.of(
            "heartbeat.interval",
            "1 s",
            "heartbeat.timeout",
            "10 s",
            "metrics.fetcher.update-interval",
            "1 s",
            "taskmanager.load-balance.mode",
            "SLOTS",
            "web.refresh-interval",
            "500 ms");

    private static final Duration START = Duration.ofMinutes(2);
    private static final Duration STOP = Duration.ofSeconds(20);
    private static final long LOOK_EVERY_MS = 200;
    private static final String PIDS = "processes";

    /** Packages of the JDK that must be opened for Flink. */
    public static final List<String> OPENS = List.of(
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/java.util=ALL-UNNAMED",
            "--add-opens=java.base/java.time=ALL-UNNAMED");

    @Override
    public String name() {
        return "flink";
    }

    @Override
    public String start(Path folder, int workers) throws IOException, InterruptedException {
        return start(folder, workers, PORT);
    }

    /** @param port of the REST endpoint */
    String start(Path folder, int workers, int port) throws IOException, InterruptedException {
        CacheFolder.ownerOnly(folder);
        Closeable starting = CacheFolder.lock(folder);
        try {
            startAlone(folder, workers, port);
        } finally {
            starting.close();
        }
        String address = HOST + ":" + port;
        return "Flink " + EnvironmentInformation.getVersion() + " accepts jobs at " + address + ": a JobManager and "
                + workers
                + (workers == 1 ? " TaskManager with " : " TaskManagers with ") + SLOTS
                + " slots each; logs in " + folder + "\n"
                + "  a job:    thalweg run JOB --on flink=" + address + "\n"
                + "  stop it:  thalweg flink stop";
    }

    private void startAlone(Path folder, int workers, int port) throws IOException, InterruptedException {
        if (!running(folder).isEmpty()) {
            throw new ConnectorException(
                    "a Flink cluster is already running in " + folder + "; stop it with 'thalweg flink stop'");
        }
        checkFree(port);
        Files.deleteIfExists(folder.resolve(PIDS));
        try {
            ClusterKeys keys = ClusterKeys.make(folder);
            Map<String, String> common = addresses(port, FreePorts.find(1)[0]);
            common.putAll(keys.options());
            common.putAll(LIVELY);
            daemon(folder, "jobmanager", StandaloneSessionClusterEntrypoint.class, List.of("-Xmx512m"), common);
            for (int i = 1; i <= workers; i++) {
                Map<String, String> options = new TreeMap<>(common);
                options.putAll(memory());
                options.put("taskmanager.resource-id", "taskmanager-" + i);
                daemon(folder, "taskmanager-" + i, TaskManagerRunner.class, List.of("-Xms1g", "-Xmx1g"), options);
            }
            await(folder, workers, port, keys);
            keys.write(folder, HOST + ":" + port);
        } catch (IOException | InterruptedException | RuntimeException e) {
            stop(folder);
            throw e;
        }
    }

    /** Options with which the processes of a cluster find each other, on this machine only. */
    public static Map<String, String> addresses(int restPort, int rpcPort) {
        Map<String, String> options = new TreeMap<>();
        options.put("jobmanager.rpc.address", HOST);
        options.put("jobmanager.rpc.port", Integer.toString(rpcPort));
        options.put("jobmanager.bind-host", HOST);
        options.put("taskmanager.host", HOST);
        options.put("taskmanager.bind-host", HOST);
        options.put("rest.address", HOST);
        options.put("rest.bind-address", HOST);
        options.put("rest.port", Integer.toString(restPort));
        options.put("cluster.registration.error-delay", "200 ms"); // not 10 s: the JobManager is starting
        options.put("cluster.registration.max-timeout", "1 s");
        options.put("security.delegation.tokens.enabled", "false");
        options.put("pekko.startup-timeout", "2 min"); // not 10 s: the machine may be busy
        return options;
    }

    /** A TaskManager that is not started by Flink's scripts needs the size of each part of its memory. */
    private static Map<String, String> memory() {
        Map<String, String> options = new TreeMap<>();
        options.put("taskmanager.numberOfTaskSlots", Integer.toString(SLOTS));
        options.put("taskmanager.cpu.cores", SLOTS + ".0");
        options.put("taskmanager.memory.task.heap.size", "896m");
        options.put("taskmanager.memory.task.off-heap.size", "0m");
        options.put("taskmanager.memory.framework.heap.size", "128m");
        options.put("taskmanager.memory.framework.off-heap.size", "128m");
        options.put("taskmanager.memory.managed.size", "64m");
        options.put("taskmanager.memory.network.min", "128m");
        options.put("taskmanager.memory.network.max", "128m");
        options.put("taskmanager.memory.jvm-metaspace.size", "256m");
        options.put("taskmanager.memory.jvm-overhead.min", "192m");
        options.put("taskmanager.memory.jvm-overhead.max", "192m");
        return options;
    }

    private static void daemon(
            Path folder, String name, Class<?> main, List<String> memory, Map<String, String> options)
            throws IOException {
        Path own = Files.createDirectories(folder.resolve(name));
        List<String> lines = new ArrayList<>();
        new TreeMap<>(options).forEach((option, value) -> lines.add(option + ": " + value));
        lines.add("io.tmp.dirs: " + own);
        Files.write(own.resolve("config.yaml"), lines);
        try (InputStream log = FlinkCluster.class.getResourceAsStream("/thalweg-flink-log4j2.properties")) {
            Files.write(own.resolve("log4j2.properties"), log == null ? new byte[0] : log.readAllBytes());
        }
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(OPENS);
        command.addAll(memory);
        command.add("-Dthalweg.flink.log=info");
        command.add("-Dlog4j2.configurationFile=" + own.resolve("log4j2.properties"));
        command.addAll(List.of("-cp", classPath(), main.getName(), "--configDir", own.toString()));
        File log = folder.resolve(name + ".log").toFile();
        Process process = new ProcessBuilder(command)
                .directory(own.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log)
                .start();
        process.getOutputStream().close();
        boolean listed = false;
        try {
            Files.writeString(
                    folder.resolve(PIDS),
                    process.pid() + " "
                            + process.info()
                                    .startInstant()
                                    .map(Object::toString)
                                    .orElse("?") + "\n",
                    java.nio.file.StandardOpenOption.CREATE,
                    java.nio.file.StandardOpenOption.APPEND);
            listed = true;
        } finally {
            if (!listed) { // nobody could stop it
                process.destroyForcibly();
            }
        }
    }

    /** Flink only: a job brings its other classes, as on any cluster. */
    private static String classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(Pattern.quote(File.pathSeparator)))
                .filter(entry -> entry.endsWith(".jar")
                        && !Path.of(entry).getFileName().toString().startsWith("thalweg-"))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static void await(Path folder, int workers, int port, ClusterKeys keys) throws InterruptedException {
        HttpClient client = keys.client().build();
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://" + HOST + ":" + port + "/overview"))
                .timeout(Duration.ofSeconds(5))
                .build();
        long looks = START.toMillis() / LOOK_EVERY_MS;
        for (long look = 0; look < looks; look++) {
            try {
                String answer = client.send(request, HttpResponse.BodyHandlers.ofString())
                        .body();
                if (answer.contains("\"taskmanagers\":" + workers + ",")) {
                    return;
                }
            } catch (IOException e) {
                // not up yet
            }
            List<ProcessHandle> processes = running(folder);
            if (processes.size() < workers + 1 || endedMeanwhile(processes)) {
                throw new ConnectorException(
                        "a process of the Flink cluster ended while it started; see the logs in " + folder);
            }
        }
        throw new ConnectorException(
                "the Flink cluster did not start within " + START.toSeconds() + " s; see the logs in " + folder);
    }

    /** Waits a moment; true if one of them has ended. */
    private static boolean endedMeanwhile(List<ProcessHandle> processes) throws InterruptedException {
        CompletableFuture<?>[] ends =
                processes.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new);
        try {
            CompletableFuture.anyOf(ends).get(LOOK_EVERY_MS, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void checkFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        } catch (IOException e) {
            throw new ConnectorException(
                    "port " + port + " of this machine, Flink's REST port, is in use: " + e.getMessage(), e);
        }
    }

    /**
     * The processes started with this folder that still run; compares process ids and start times. Of a list that could not be written
     * to its end, as on a full disk, the last one does not run.
     */
    static List<ProcessHandle> running(Path folder) {
        List<ProcessHandle> running = new ArrayList<>();
        try {
            if (!Files.exists(folder.resolve(PIDS))) {
                return running;
            }
            for (String line : Files.readAllLines(folder.resolve(PIDS))) {
                String[] parts = line.split(" ", 2);
                if (parts.length < 2 || !parts[0].matches("[0-9]{1,18}")) {
                    continue;
                }
                Optional<ProcessHandle> process = ProcessHandle.of(Long.parseLong(parts[0]));
                if (process.isPresent()
                        && process.get().isAlive()
                        && process.get()
                                .info()
                                .startInstant()
                                .map(Object::toString)
                                .orElse("?")
                                .equals(parts[1])) {
                    running.add(process.get());
                }
            }
        } catch (IOException e) {
            throw new ConnectorException(
                    "the list of running processes cannot be read from " + folder + ": " + e.getMessage(), e);
        }
        return running;
    }

    @Override
    public boolean stop(Path folder) throws IOException, InterruptedException {
        List<ProcessHandle> processes = running(folder);
        processes.forEach(ProcessHandle::destroy);
        CompletableFuture<?>[] ends =
                processes.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new);
        try {
            CompletableFuture.allOf(ends).get(STOP.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            processes.forEach(ProcessHandle::destroyForcibly);
        }
        Files.deleteIfExists(folder.resolve(PIDS));
        ClusterKeys.forget(folder);
        return !processes.isEmpty();
    }
}
