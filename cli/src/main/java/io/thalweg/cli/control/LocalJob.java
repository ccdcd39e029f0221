// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.control;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.run.Clock;
import io.thalweg.run.PlainText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A job of this user that runs on this machine, as its socket shows it. */
public final class LocalJob {
    /** A job answers at once, unless its process is halted or has no memory. */
    private static final Duration ANSWER = Duration.ofSeconds(10);

    private static final int LONGEST_REPLY = 1 << 20;

    /** A socket that is being bound is not listened to yet. */
    private static final Duration MOMENT = Duration.ofMinutes(1);

    private final String id;
    private final Path socket;

    private LocalJob(String id, Path socket) {
        this.id = id;
        this.socket = socket;
    }

    /** Those that run, sorted by id. Sockets of processes that are gone are removed. */
    public static List<LocalJob> all() {
        return all(ControlDirectory.places());
    }

    static List<LocalJob> all(List<Path> places) {
        Map<String, LocalJob> jobs = new TreeMap<>();
        for (Path place : places) {
            if (!ControlDirectory.isTrusted(place)) {
                continue;
            }
            try (DirectoryStream<Path> sockets = Files.newDirectoryStream(place, "*" + JobControl.SOCKET)) {
                for (Path socket : sockets) {
                    if (JobControl.isListening(socket)) {
                        String name = socket.getFileName().toString();
                        String id = name.substring(0, name.length() - JobControl.SOCKET.length());
                        jobs.putIfAbsent(id, new LocalJob(id, socket));
                    } else {
                        Files.deleteIfExists(socket);
                    }
                }
                removeUnbound(place);
            } catch (IOException e) {
                throw new ConnectorException("cannot look for jobs in " + place + ": " + e.getMessage(), e);
            }
        }
        return List.copyOf(jobs.values());
    }

    /** Those of processes that were killed in the moment in which they bound them. */
    private static void removeUnbound(Path place) throws IOException {
        long nowMs = Clock.system().epochMs();
        try (DirectoryStream<Path> sockets = Files.newDirectoryStream(place, "*" + JobControl.UNBOUND)) {
            for (Path socket : sockets) {
                if (!JobControl.isListening(socket) && ageMs(socket, nowMs) > MOMENT.toMillis()) {
                    Files.deleteIfExists(socket);
                }
            }
        }
    }

    private static long ageMs(Path socket, long nowMs) throws IOException {
        try {
            return nowMs - Files.getLastModifiedTime(socket).toMillis();
        } catch (NoSuchFileException e) {
            return 0; // it has got its name
        }
    }

    /**
     * The job of an id, or the only one of a topology.
     *
     * @throws ConnectorException if there is none, or more than one
     */
    public static LocalJob find(String name, List<LocalJob> all) {
        List<LocalJob> found = new ArrayList<>();
        for (LocalJob job : all) {
            if (job.id.equals(name)) {
                return job;
            }
            try {
                if (name.equals(ControlJson.read(job.status()).get("topology"))) {
                    found.add(job);
                }
            } catch (IOException | ConnectorException e) {
                // one that does not answer can be named by its id
            }
        }
        if (found.size() > 1) {
            throw new ConnectorException(found.size() + " jobs run topology '" + name + "': "
                    + String.join(", ", found.stream().map(LocalJob::id).toList()) + "; name one of these");
        }
        if (found.isEmpty()) {
            throw new ConnectorException("no job '" + name + "' of this user runs on this machine"
                    + (all.isEmpty()
                            ? ""
                            : "; there " + (all.size() == 1 ? "is " : "are ")
                                    + String.join(
                                            ", ", all.stream().map(LocalJob::id).toList())));
        }
        return found.get(0);
    }

    public String id() {
        return id;
    }

    /** How it is, in JSON. */
    public String status() {
        return ask("status", ANSWER);
    }

    /** How it is: values by name. */
    public Map<String, String> values() {
        return read(status());
    }

    /** Returns when it has ended: how it is then. */
    public Map<String, String> stop(boolean drain) {
        return read(ask(drain ? "drain" : "stop", Duration.ofDays(36_500)));
    }

    /** @return where it is */
    public String savepoint(String directory) {
        return read(ask(directory.isEmpty() ? "savepoint" : "savepoint " + directory, Duration.ofDays(36_500)))
                .getOrDefault("savepoint", "");
    }

    /**
     * Values of an answer of its, by name.
     *
     * @throws ConnectorException if it is none
     */
    public Map<String, String> read(String reply) {
        try {
            return ControlJson.read(reply);
        } catch (IOException e) {
            throw new ConnectorException(id + " sent what is no answer: " + PlainText.line(reply, 100), e);
        }
    }

    /** @throws ConnectorException if it does not answer, or that it cannot do this */
    private String ask(String request, Duration limit) {
        CompletableFuture<String> reply = new CompletableFuture<>();
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            Thread thread = new Thread(() -> exchange(channel, request, reply), "thalweg-ask");
            thread.setDaemon(true);
            thread.start();
            String line = reply.get(limit.toMillis(), TimeUnit.MILLISECONDS);
            if (line.isEmpty()) {
                throw new ConnectorException("the process of " + id
                        + " ended without an answer; what it printed to standard error says why");
            }
            String error = read(line).get("error");
            if (error != null) {
                throw new ConnectorException(error);
            }
            return line;
        } catch (TimeoutException e) {
            throw new ConnectorException(
                    id + " does not answer within " + limit.toSeconds() + " s; is its process halted?", e);
        } catch (ExecutionException e) {
            throw new ConnectorException("cannot ask " + id + ": " + e.getCause(), e);
        } catch (IOException e) {
            throw new ConnectorException("cannot ask " + id + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ConnectorException("interrupted while " + id + " was asked", e);
        }
    }

    private void exchange(SocketChannel channel, String request, CompletableFuture<String> reply) {
        try {
            channel.connect(UnixDomainSocketAddress.of(socket));
            ByteBuffer out = ByteBuffer.wrap((request + "\n").getBytes(StandardCharsets.UTF_8));
            while (out.hasRemaining()) {
                channel.write(out);
            }
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            ByteBuffer in = ByteBuffer.allocate(8_192);
            while (channel.read(in) >= 0 && bytes.size() <= LONGEST_REPLY) {
                bytes.write(in.array(), 0, in.position());
                in.clear();
            }
            reply.complete(bytes.toString(StandardCharsets.UTF_8).strip());
        } catch (IOException | RuntimeException e) {
            reply.completeExceptionally(e);
        }
    }
}
