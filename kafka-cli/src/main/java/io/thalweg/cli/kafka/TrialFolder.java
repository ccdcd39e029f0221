// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.kafka;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.broker.BrokerSetup;
import io.thalweg.broker.TrialBroker;
import io.thalweg.cli.UsageException;
import io.thalweg.run.CacheFolder;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where the data of a trial broker lie, and which processes run on it.
 *
 * @param option what names the folder on the command line; empty for the default one
 */
record TrialFolder(Path path, String option) {
    private static final String ADDRESS = "address";
    private static final String PROCESSES = "processes";
    private static final Duration STOP = Duration.ofSeconds(30);

    /** The system counts a process's start from its own, and may correct that by a second. */
    private static final Duration CORRECTED = Duration.ofSeconds(2);

    /** @param dir what the user names; null for the default */
    static TrialFolder of(@Nullable Path dir) {
        if (dir == null) {
            return new TrialFolder(CacheFolder.ofCluster("kafka"), "");
        }
        try {
            Path path =
                    Files.exists(dir) ? dir.toRealPath() : dir.toAbsolutePath().normalize();
            return new TrialFolder(path, " --dir " + (dir.toString().contains(" ") ? "'" + dir + "'" : dir));
        } catch (IOException e) {
            throw new UsageException("--dir " + dir + " cannot be used: " + reason(e));
        }
    }

    /**
     * Starts brokers that outlive this process, and waits until they answer.
     *
     * @param brokers null for as many as the folder has the data of, 1 if it is new
     * @param slow hears in a line of a broker that does not answer after some seconds
     * @return their address
     * @throws ConnectorException if they run already or do not come up
     */
    String start(@Nullable Integer brokers, int port, Consumer<String> slow) throws InterruptedException {
        try {
            if (path.toString().contains(",")) {
                throw new UsageException("Kafka takes a comma for the end of a folder's name: choose one without");
            }
            checkOwn();
            CacheFolder.ownerOnly(path);
            Closeable starting = CacheFolder.lock(path);
            try {
                return startAlone(brokers, port, slow);
            } finally {
                starting.close();
            }
        } catch (UncheckedIOException e) {
            throw notStarted(e.getCause());
        } catch (IOException e) {
            throw notStarted(e);
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    private ConnectorException notStarted(@Nullable IOException e) {
        return new ConnectorException("Kafka does not start in " + path + ": " + (e == null ? "" : reason(e)), e);
    }

    private String startAlone(@Nullable Integer brokers, int port, Consumer<String> slow)
            throws IOException, InterruptedException {
        if (!running().isEmpty()) {
            String where = address().map(at -> " at " + at).orElse(", but is not ready");
            throw new ConnectorException("Kafka is already running in " + path + where
                    + "; stop it with 'thalweg kafka stop" + option + "', or start another with --dir and --port");
        }
        Files.deleteIfExists(path.resolve(ADDRESS));
        Files.deleteIfExists(path.resolve(PROCESSES));
        int there = TrialBroker.brokersIn(path);
        int number = brokers == null ? Math.max(1, there) : brokers;
        if (there != 0 && there != number) {
            throw new UsageException(path + " has the data of " + there + (there == 1 ? " broker" : " brokers")
                    + "; start it with --brokers " + there + ", or another one with --dir");
        }
        BrokerSetup setup =
                BrokerSetup.single().withBrokers(number).withPort(port).outliving();
        TrialBroker broker = TrialBroker.start(path, setup, this::keep, slow);
        try {
            Files.writeString(path.resolve(ADDRESS), broker.address());
        } catch (IOException e) {
            broker.close();
            throw e;
        }
        return broker.address();
    }

    private void keep(ProcessHandle process) {
        String line = process.pid() + " "
                + process.info().startInstant().map(Instant::toString).orElse("?") + "\n";
        try {
            Files.writeString(path.resolve(PROCESSES), line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            process.destroyForcibly();
            throw new UncheckedIOException(e);
        }
    }

    /** A folder with other things in it gets neither data nor rights of its own. */
    private void checkOwn() throws IOException {
        if (!Files.isDirectory(path) || TrialBroker.brokersIn(path) != 0) {
            return;
        }
        try (Stream<Path> files = Files.list(path)) {
            Optional<Path> other = files.filter(file -> !file.endsWith("lock") && !file.endsWith(PROCESSES))
                    .findAny();
            if (other.isPresent()) {
                throw new UsageException(path + " holds other files, such as "
                        + other.get().getFileName() + "; name a new folder with --dir");
            }
        }
    }

    /** Where clients find the brokers; empty if none run. */
    Optional<String> address() {
        try {
            Path file = path.resolve(ADDRESS);
            return Files.exists(file) && !running().isEmpty()
                    ? Optional.of(Files.readString(file).strip())
                    : Optional.empty();
        } catch (IOException e) {
            throw new ConnectorException("the address of the trial broker cannot be read: " + reason(e), e);
        }
    }

    /** Ends the processes that were started with this folder; false if none runs. */
    boolean stop() throws InterruptedException {
        try {
            List<ProcessHandle> processes = running();
            processes.forEach(ProcessHandle::destroy);
            CompletableFuture<?>[] ends =
                    processes.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new);
            try {
                CompletableFuture.allOf(ends).get(STOP.toSeconds(), TimeUnit.SECONDS);
            } catch (ExecutionException | TimeoutException e) {
                processes.forEach(ProcessHandle::destroyForcibly);
            }
            Files.deleteIfExists(path.resolve(ADDRESS));
            Files.deleteIfExists(path.resolve(PROCESSES));
            return !processes.isEmpty();
        } catch (IOException e) {
            throw new ConnectorException("Kafka cannot be stopped in " + path + ": " + reason(e), e);
        }
    }

    /** Those started with this folder that still run. */
    List<ProcessHandle> running() throws IOException {
        List<ProcessHandle> running = new ArrayList<>();
        Path file = path.resolve(PROCESSES);
        if (Files.exists(file)) {
            for (String line : Files.readAllLines(file)) {
                String[] parts = line.split(" ", 2);
                if (parts.length == 2 && parts[0].matches("\\d{1,18}")) {
                    ProcessHandle.of(Long.parseLong(parts[0]))
                            .filter(process -> isOwn(process, parts[1]))
                            .ifPresent(running::add);
                }
            }
        }
        return running;
    }

    /** A number alone could be that of another process by now: when it started, and with which folder, must agree too. */
    private boolean isOwn(ProcessHandle process, String started) {
        boolean own = process.info()
                .arguments()
                .map(arguments -> Stream.of(arguments).anyMatch(each -> each.startsWith(path.toString())))
                .orElse(true);
        boolean then = process.info()
                .startInstant()
                .map(start -> isAbout(start, started))
                .orElse(started.equals("?"));
        return process.isAlive() && own && then;
    }

    private static boolean isAbout(Instant start, String recorded) {
        try {
            return Duration.between(start, Instant.parse(recorded)).abs().compareTo(CORRECTED) <= 0;
        } catch (DateTimeParseException e) {
            return false;
        }
    }

    /** Why a file cannot be used, and what to try. */
    private static String reason(IOException e) {
        if (e instanceof AccessDeniedException denied) {
            return denied.getFile() + " cannot be written by this user; name another folder with --dir";
        }
        String message = String.valueOf(e.getMessage());
        if (e instanceof FileSystemException file && file.getReason() != null) {
            message = file.getFile() + ": " + file.getReason();
        }
        if (message.contains("No space left") || message.contains("Read-only file system")) {
            return message + "; name another folder with --dir";
        }
        if (message.startsWith("port ")) {
            return message + "; name another one with --port, or --port 0 for any that is free";
        }
        if (message.contains("Failed to acquire lock")) {
            return "another broker uses this folder; name another one with --dir (" + message + ")";
        }
        return message;
    }
}
