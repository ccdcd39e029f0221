// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.control;

import io.thalweg.run.PlainText;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The socket on which the job of this process can be asked how it is, and told to stop. Its owner alone can reach it. */
public final class JobControl implements AutoCloseable {
    static final String SOCKET = ".sock";
    static final String UNBOUND = ".new";
    private static final int LONGEST_NAME = 40;
    private static final int MOST_OF_ONE_PROCESS = 100;

    private final String id;
    private final Path socket;
    private final ControlServer server;

    private JobControl(String id, Path socket, ControlServer server) {
        this.id = id;
        this.socket = socket;
        this.server = server;
    }

    /**
     * Opens the socket of a job.
     *
     * @param answers gives a line for a line; must not wait
     * @param say told in one line if the job cannot be reached; it runs nevertheless
     * @return null if it cannot be reached
     */
    public static @Nullable JobControl open(
            String topology, Function<String, CompletableFuture<String>> answers, Consumer<String> say) {
        return open(ControlDirectory.places(), topology, answers, say);
    }

    static @Nullable JobControl open(
            List<Path> places,
            String topology,
            Function<String, CompletableFuture<String>> answers,
            Consumer<String> say) {
        List<String> reasons = new ArrayList<>();
        for (Path place : places) {
            try {
                ControlDirectory.create(place);
                LocalJob.all(List.of(place)); // which removes the sockets of processes that were killed
                return bound(place, topology, answers);
            } catch (IOException | RuntimeException e) { // also: sockets that this system does not have
                reasons.add(place + ": " + reason(e, place));
            }
        }
        say.accept("the job runs, but thalweg status and thalweg stop cannot reach it: " + String.join("; ", reasons));
        return null;
    }

    private static String reason(Exception e, Path place) {
        String message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        String rest = message.startsWith(place + ": ")
                ? message.substring(place.toString().length() + 2)
                : message;
        return PlainText.line(
                rest.startsWith(place + " ") ? rest.substring(place.toString().length() + 1) : rest);
    }

    private static JobControl bound(Path place, String topology, Function<String, CompletableFuture<String>> answers)
            throws IOException {
        String name = name(topology) + "-" + ProcessHandle.current().pid();
        for (int i = 1; i <= MOST_OF_ONE_PROCESS; i++) {
            String id = i == 1 ? name : name + "-" + i;
            Path socket = place.resolve(id + SOCKET);
            if (!Files.exists(socket, LinkOption.NOFOLLOW_LINKS) || !isListening(socket)) {
                ServerSocketChannel channel = bind(place.resolve(id + UNBOUND), socket);
                try {
                    ControlServer server = new ControlServer(channel, answers);
                    server.start();
                    return new JobControl(id, socket, server);
                } catch (IOException | RuntimeException | Error e) {
                    channel.close();
                    Files.deleteIfExists(socket);
                    throw e;
                }
            }
        }
        throw new IOException("too many jobs of one process");
    }

    /** It gets its name when it listens, so that nobody takes it for that of a process that is gone. */
    private static ServerSocketChannel bind(Path unbound, Path socket) throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            Files.deleteIfExists(unbound);
            channel.bind(UnixDomainSocketAddress.of(unbound));
            Files.move(unbound, socket, StandardCopyOption.ATOMIC_MOVE);
            return channel;
        } catch (IOException | RuntimeException e) {
            channel.close();
            Files.deleteIfExists(unbound);
            throw e;
        }
    }

    /** False if the process that listened is gone. */
    static boolean isListening(Path socket) {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.configureBlocking(false); // a process that is halted takes no more after some
            channel.connect(UnixDomainSocketAddress.of(socket));
            return true;
        } catch (java.net.ConnectException e) {
            return false;
        } catch (IOException e) {
            return true; // it is not known to be gone
        }
    }

    private static String name(String topology) {
        String plain = topology.replaceAll("[^A-Za-z0-9._-]", "-").replaceFirst("^[.-]", "_");
        return plain.substring(0, Math.min(LONGEST_NAME, plain.length()));
    }

    /** Names the job among those of its user on this machine. */
    public String id() {
        return id;
    }

    /** Sends the answers that are there, and removes the socket. */
    @Override
    public void close() {
        try {
            Files.deleteIfExists(socket);
        } catch (IOException e) {
            // nobody listens any more, and who looks for jobs removes it
        }
        server.close();
    }
}
