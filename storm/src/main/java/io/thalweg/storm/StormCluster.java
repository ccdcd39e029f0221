// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.run.CacheFolder;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/**
 * A trial cluster on this machine: ZooKeeper, Nimbus, and a supervisor whose workers are processes of their own. All
 * listen on 127.0.0.1 only. It outlives this JVM, until it is stopped.
 */
public final class StormCluster {
    static final String ADDRESS = "nimbus.address";
    private static final String PID = "keeper.pid";
    private static final String LOG = "keeper.log";
    private static final Duration START = Duration.ofSeconds(90);
    private static final Duration STOP = Duration.ofSeconds(20);
    private static final long LOOK_MS = 100;

    private StormCluster() {}

    /** {@code start FOLDER WORKERS}, or {@code stop FOLDER}; the address of its Nimbus is in {@code FOLDER/nimbus.address}. */
    public static void main(String[] arguments) throws InterruptedException {
        Path folder = Path.of(arguments[1]);
        if (arguments[0].equals("start")) {
            start(folder, Integer.parseInt(arguments[2]));
        } else {
            stop(folder);
        }
    }

    /**
     * Starts a cluster and waits until it accepts topologies.
     *
     * @param folder for its files; only one cluster per folder
     * @param workers number of worker slots, for all topologies together
     * @return the address of its Nimbus, as {@code --on storm=} takes it
     * @throws ConnectorException if it does not start, or one runs there already
     */
    public static String start(Path folder, int workers) throws InterruptedException {
        try {
            CacheFolder.ownerOnly(folder);
            Closeable starting = CacheFolder.lock(folder);
            try {
                return startAlone(folder, workers);
            } finally {
                starting.close();
            }
        } catch (IOException e) {
            throw new ConnectorException("Storm does not start: " + e.getMessage(), e);
        }
    }

    private static String startAlone(Path folder, int workers) throws IOException, InterruptedException {
        if (keeper(folder).isPresent()) {
            throw new ConnectorException("a Storm cluster is already running, with its Nimbus at " + address(folder)
                    + "; stop it first, as with 'thalweg storm stop'");
        }
        Files.deleteIfExists(folder.resolve(ADDRESS));
        ZooKeeper.checkRoom(folder);
        Process process = new ProcessBuilder(command(folder, workers))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(LOG).toFile())
                .start();
        boolean listed = false;
        try {
            Files.writeString(folder.resolve(PID), Long.toString(process.pid()));
            listed = true;
        } finally {
            if (!listed) { // nobody could stop it
                process.destroyForcibly();
            }
        }
        return await(folder, process);
    }

    private static List<String> command(Path folder, int workers) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(StormClusterProcess.OPENS);
        command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-cp", classPathText()));
        command.addAll(List.of(
                StormClusterProcess.class.getName(), folder.toAbsolutePath().toString(), Integer.toString(workers)));
        return command;
    }

    private static String await(Path folder, Process process) throws IOException, InterruptedException {
        for (long waitedMs = 0; waitedMs < START.toMillis(); waitedMs += LOOK_MS) {
            if (Files.exists(folder.resolve(ADDRESS))) {
                return address(folder);
            }
            if (process.waitFor(LOOK_MS, TimeUnit.MILLISECONDS)) {
                throw new IOException(lastLine(folder.resolve(LOG)));
            }
        }
        process.destroy();
        throw new IOException("it was not ready after " + START.toSeconds() + " s; see " + folder.resolve(LOG));
    }

    private static String lastLine(Path log) throws IOException {
        List<String> lines = Files.readAllLines(log);
        for (int i = lines.size() - 1; i >= 0; i--) {
            if (!lines.get(i).isBlank() && !lines.get(i).startsWith("\tat ")) {
                return lines.get(i).strip();
            }
        }
        return "it ended at once; see " + log;
    }

    private static String address(Path folder) throws IOException {
        return Files.readString(folder.resolve(ADDRESS)).strip();
    }

    /** Stops a cluster and everything that runs on it; false if none runs. */
    public static boolean stop(Path folder) throws InterruptedException {
        try {
            Optional<ProcessHandle> keeper = keeper(folder);
            if (keeper.isEmpty()) {
                return false;
            }
            ProcessHandle process = keeper.get();
            List<ProcessHandle> all = processes(folder);
            process.destroy();
            for (ProcessHandle each : all) {
                end(each);
            }
            Files.deleteIfExists(folder.resolve(PID));
            Files.deleteIfExists(folder.resolve(ADDRESS));
            return true;
        } catch (IOException e) {
            throw new ConnectorException("Storm cannot be stopped: " + e.getMessage(), e);
        }
    }

    /** All processes of a cluster; empty if none runs. */
    static List<ProcessHandle> processes(Path folder) throws IOException {
        List<ProcessHandle> all = new ArrayList<>();
        keeper(folder).ifPresent(process -> {
            all.addAll(process.descendants().toList());
            all.add(process);
        });
        return all;
    }

    private static void end(ProcessHandle process) throws InterruptedException {
        try {
            process.onExit().get(STOP.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException e) {
            process.destroyForcibly();
        }
    }

    /**
     * The main process of the cluster, if it runs. Not only the id is compared: another process may have it by now. One whose id could not
     * be written, as on a full disk, does not run.
     */
    private static Optional<ProcessHandle> keeper(Path folder) throws IOException {
        try {
            String written = Files.readString(folder.resolve(PID)).strip();
            if (!written.matches("[0-9]{1,18}")) {
                return Optional.empty();
            }
            long pid = Long.parseLong(written);
            String own = folder.toAbsolutePath().toString();
            return ProcessHandle.of(pid)
                    .filter(ProcessHandle::isAlive)
                    .filter(process -> process.info()
                            .arguments()
                            .map(arguments -> List.of(arguments).contains(own))
                            .orElse(true));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    static String classPathText() {
        return classPath().stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    /** Entries of this JVM's class path that exist, as absolute paths. */
    static List<Path> classPath() {
        List<Path> entries = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path path = Path.of(entry).toAbsolutePath();
            if (Files.exists(path)) {
                entries.add(path);
            }
        }
        return entries;
    }
}
