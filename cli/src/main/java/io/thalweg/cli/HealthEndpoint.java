// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.cli.control.ControlReply;
import io.thalweg.cli.control.JobHealth;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Where {@code --health} leads: says on loopback whether the job is well, and nothing else. */
final class HealthEndpoint implements AutoCloseable {
    private static final int WELL = 200;
    private static final int FORBIDDEN = 403;
    private static final int UNKNOWN = 404;
    private static final int METHOD = 405;
    private static final int UNWELL = 503;
    private static final int GREATEST_PORT = 65_535;
    private static final int THREADS = 2;

    /** Names that a page from elsewhere cannot have: not what a server of names made to lead here. */
    private static final Pattern LOOPBACK = Pattern.compile("(?i)(localhost|127\\.[0-9.]+|\\[::1])(:[0-9]+)?");

    private final HttpServer server;
    private final ExecutorService threads;
    private volatile @Nullable Supplier<JobHealth> health;

    private HealthEndpoint(HttpServer server) {
        this.server = server;
        threads = Executors.newFixedThreadPool(THREADS, task -> {
            Thread thread = new Thread(task, "thalweg-health");
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Listens; says that the job starts until it is given the job.
     *
     * @throws UsageException if there is no such port
     * @throws ConnectorException if another process has it
     */
    static HealthEndpoint open(int port) {
        if (port < 0 || port > GREATEST_PORT) {
            throw new UsageException("--health is a port from 0 to " + GREATEST_PORT + ", not " + port);
        }
        // Before the server's class reads them: who is slow to ask or to read must not keep others waiting.
        setIfMissing("sun.net.httpserver.maxReqTime", "5");
        setIfMissing("sun.net.httpserver.maxRspTime", "5");
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
            HealthEndpoint endpoint = new HealthEndpoint(server);
            server.setExecutor(endpoint.threads);
            server.createContext("/", endpoint::handle);
            server.start();
            return endpoint;
        } catch (IOException e) {
            throw new ConnectorException(
                    "--health " + port + ": cannot listen on 127.0.0.1: " + e.getMessage()
                            + "; give another port, or 0 for a free one",
                    e);
        }
    }

    private static void setIfMissing(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }

    /** Where it answers. */
    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/health";
    }

    void of(Supplier<JobHealth> job) {
        health = job;
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String host = exchange.getRequestHeaders().getFirst("Host");
            String method = exchange.getRequestMethod();
            if (host != null && !LOOPBACK.matcher(host).matches()) {
                answer(exchange, FORBIDDEN, ControlReply.error("ask for 127.0.0.1 or localhost"));
            } else if (!exchange.getRequestURI().getPath().equals("/health")) {
                answer(exchange, UNKNOWN, ControlReply.error("there is only /health"));
            } else if (!method.equals("GET") && !method.equals("HEAD")) {
                exchange.getResponseHeaders().set("Allow", "GET, HEAD");
                answer(exchange, METHOD, ControlReply.error("GET and HEAD are allowed"));
            } else {
                JobHealth now = health();
                answer(exchange, now.healthy() ? WELL : UNWELL, ControlReply.of(now));
            }
        }
    }

    private JobHealth health() {
        Supplier<JobHealth> job = health;
        return job == null ? JobHealth.STARTING : job.get();
    }

    private static void answer(HttpExchange exchange, int code, String line) throws IOException {
        byte[] body = (line + "\n").getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        exchange.getResponseHeaders().set("Connection", "close");
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.sendResponseHeaders(code, -1);
        } else {
            exchange.sendResponseHeaders(code, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
