// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.control;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Answers one line with one line, for any number of clients, on one thread of its own that never waits for any of them. A
 * client may send anything or nothing, and need not read: all it can reach is that it is not answered. If there are more clients
 * than {@link #MOST_CLIENTS}, the one that has been silent longest goes.
 */
final class ControlServer implements AutoCloseable {
    static final int MOST_CLIENTS = 64;
    static final int LONGEST_REQUEST = 8_192;
    private static final long WITHOUT_DESCRIPTORS_MS = 1_000;
    private static final long CLOSE_MS = 2_000;

    private static final class Client {
        final SocketChannel channel;
        final SelectionKey key;
        final ByteBuffer request = ByteBuffer.allocate(LONGEST_REQUEST);
        boolean asked;

        @Nullable ByteBuffer reply;

        Client(SocketChannel channel, SelectionKey key) {
            this.channel = channel;
            this.key = key;
        }
    }

    private record Reply(Client to, String text) {}

    private final ServerSocketChannel server;
    private final SelectionKey accepting;
    private final Selector selector;
    private final Function<String, CompletableFuture<String>> answers;
    private final Queue<Reply> ready = new ConcurrentLinkedQueue<>();
    private final Thread thread = new Thread(this::serve, "thalweg-control");
    private volatile boolean closing;

    /** In the order in which they came; the thread's. */
    private final Set<Client> clients = new LinkedHashSet<>();

    /**
     * @param server bound; closed with this
     * @param answers gives a line for a line; called by the server's thread, and must not wait
     */
    ControlServer(ServerSocketChannel server, Function<String, CompletableFuture<String>> answers) throws IOException {
        this.server = server;
        this.answers = answers;
        selector = Selector.open();
        server.configureBlocking(false);
        accepting = server.register(selector, SelectionKey.OP_ACCEPT);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void serve() {
        while (!closing) {
            try {
                boolean paused = accepting.interestOps() == 0;
                selector.select(paused ? WITHOUT_DESCRIPTORS_MS : 0);
                if (paused) {
                    accepting.interestOps(SelectionKey.OP_ACCEPT);
                }
                for (SelectionKey key : selector.selectedKeys()) {
                    handle(key);
                }
                selector.selectedKeys().clear();
                sendReady();
            } catch (IOException | RuntimeException | Error e) {
                accepting.interestOps(0); // such as out of memory: what there is to say can wait a second
            }
        }
        sendReady();
        for (Client client : Set.copyOf(clients)) {
            close(client);
        }
    }

    private void handle(SelectionKey key) {
        if (key == accepting) {
            accept();
            return;
        }
        Client client = (Client) key.attachment();
        try {
            if (key.isValid() && key.isReadable()) {
                read(client);
            }
            if (key.isValid() && key.isWritable()) {
                write(client);
            }
        } catch (IOException | RuntimeException | Error e) {
            close(client);
        }
    }

    private void accept() {
        try {
            SocketChannel channel = server.accept();
            if (channel == null) {
                return;
            }
            try {
                channel.configureBlocking(false);
                SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
                Client client = new Client(channel, key);
                key.attach(client);
                clients.add(client);
            } catch (IOException | RuntimeException | Error e) {
                channel.close();
                throw e;
            }
        } catch (IOException e) {
            accepting.interestOps(0); // the process may open no more files; the job needs those that it has
        }
        if (clients.size() > MOST_CLIENTS) { // who has just come stays, even if all others wait for an answer
            close(clients.stream()
                    .limit(MOST_CLIENTS)
                    .filter(client -> !client.asked)
                    .findFirst()
                    .orElseGet(() -> clients.iterator().next()));
        }
    }

    private void read(Client client) throws IOException {
        ByteBuffer request = client.request;
        int begin = request.position();
        boolean ended = client.channel.read(request) < 0;
        for (int i = begin; i < request.position() && !client.asked; i++) {
            if (request.get(i) == '\n') {
                client.asked = true;
                client.key.interestOps(0);
                byte[] line = new byte[i];
                request.get(0, line);
                ask(client, new String(line, StandardCharsets.UTF_8));
            }
        }
        if (client.asked) {
            return;
        }
        if (ended) {
            close(client);
        } else if (!request.hasRemaining()) {
            client.asked = true;
            client.key.interestOps(0);
            ready.add(new Reply(client, ControlJson.error("a request has at most " + LONGEST_REQUEST + " bytes")));
        }
    }

    private void ask(Client client, String line) {
        CompletableFuture<String> answer;
        try {
            answer = answers.apply(line.strip());
        } catch (RuntimeException e) {
            answer = CompletableFuture.completedFuture(ControlJson.error(String.valueOf(e.getMessage())));
        }
        CompletableFuture<Void> sent = answer.handle((text, problem) -> {
            ready.add(new Reply(client, problem == null ? text : ControlJson.error(problem)));
            selector.wakeup();
            return null;
        });
        if (sent.isCompletedExceptionally()) {
            close(client);
        }
    }

    private void sendReady() {
        for (Reply next = ready.poll(); next != null; next = ready.poll()) {
            Client client = next.to;
            if (!clients.contains(client)) {
                continue;
            }
            client.reply = ByteBuffer.wrap((next.text + "\n").getBytes(StandardCharsets.UTF_8));
            try {
                write(client);
            } catch (IOException | RuntimeException e) {
                close(client);
            }
        }
    }

    private void write(Client client) throws IOException {
        ByteBuffer reply = client.reply;
        if (reply == null) {
            return;
        }
        client.channel.write(reply);
        if (reply.hasRemaining()) {
            client.key.interestOps(SelectionKey.OP_WRITE);
        } else {
            close(client);
        }
    }

    private void close(Client client) {
        clients.remove(client);
        client.key.cancel();
        try {
            client.channel.close();
        } catch (IOException e) {
            return; // it is gone already
        }
    }

    /** Sends what is ready and can be sent at once. */
    @Override
    public void close() {
        closing = true;
        selector.wakeup();
        try {
            thread.join(CLOSE_MS);
            server.close();
            selector.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            return; // the process ends, and its descriptors with it
        }
    }
}
