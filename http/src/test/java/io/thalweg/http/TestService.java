// SPDX-License-Identifier: Apache-2.0
package io.thalweg.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.thalweg.testkit.FreePort;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/** A service on a free port of 127.0.0.1 that answers as a test says. */
public final class TestService implements AutoCloseable {
    static {
        // Otherwise each response waits for a delayed ACK.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    /** A request as it has come, with its body decompressed. */
    public record Request(String method, String path, Map<String, List<String>> headers, String body) {
        public String header(String name) {
            List<String> values = headers.get(name); // whatever their case
            return values == null ? "" : String.join(",", values);
        }

        public String key() {
            return header("Idempotency-Key");
        }
    }

    /** What an exchange ends with. */
    public interface Reply {
        void to(HttpExchange exchange) throws IOException;
    }

    /** What a service does. Called by several threads. */
    public interface Script {
        Reply answer(Request request) throws Exception;
    }

    private final Script script;
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final int port;
    private HttpServer server;
    private ExecutorService threads;

    public TestService(Script script) throws IOException {
        this.script = script;
        threads = Executors.newCachedThreadPool();
        port = FreePort.find(); // of one that stops and begins again
        server = listening(port);
    }

    private HttpServer listening(int onPort) throws IOException {
        HttpServer made = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), onPort), 0);
        made.createContext("/", this::handle);
        made.setExecutor(threads);
        made.start();
        return made;
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] sent = exchange.getRequestBody().readAllBytes();
            boolean gzip = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
            byte[] body = gzip ? new GZIPInputStream(new ByteArrayInputStream(sent)).readAllBytes() : sent;
            Request request = new Request(
                    exchange.getRequestMethod(),
                    exchange.getRequestURI().toString(),
                    exchange.getRequestHeaders(),
                    new String(body, StandardCharsets.UTF_8));
            requests.add(request);
            script.answer(request).to(exchange);
        } catch (RuntimeException | IOException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    public String url() {
        return "http://127.0.0.1:" + port;
    }

    public List<Request> requests() {
        return requests;
    }

    /** Accepts no connections any more, until {@link #begin}. */
    public void stop() {
        server.stop(0);
        threads.shutdownNow();
    }

    public void begin() throws IOException {
        threads = Executors.newCachedThreadPool();
        server = listening(port);
    }

    @Override
    public void close() {
        stop();
    }

    public static Reply status(int status, String body, String... headers) {
        return exchange -> {
            for (int i = 0; i < headers.length; i += 2) {
                exchange.getResponseHeaders().set(headers[i], headers[i + 1]);
            }
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        };
    }

    public static Reply ok() {
        return status(200, "{}");
    }

    /** No response, until the service is closed. */
    public static Reply never() {
        CountDownLatch forever = new CountDownLatch(1);
        return exchange -> {
            try {
                forever.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
    }

    /** The connection ends within the body. */
    public static Reply cutShort() {
        return exchange -> {
            exchange.sendResponseHeaders(200, 1_000);
            OutputStream out = exchange.getResponseBody();
            out.write(new byte[10]);
            out.flush();
            throw new IOException("cut short");
        };
    }

    /** Gigabytes, for as long as somebody reads them. */
    public static Reply endless(CountDownLatch givenUp) {
        return exchange -> {
            exchange.sendResponseHeaders(200, 0);
            byte[] much = new byte[64 << 10];
            try {
                for (int i = 0; i < 100_000; i++) {
                    exchange.getResponseBody().write(much);
                }
            } catch (IOException e) {
                givenUp.countDown();
                throw e;
            }
        };
    }

    private static final Pattern ID = Pattern.compile("\"id\":(\\d+)");

    /** Of the records in a body, in order. */
    public static List<Long> ids(String body) {
        List<Long> ids = new ArrayList<>();
        Matcher found = ID.matcher(body);
        while (found.find()) {
            ids.add(Long.parseLong(found.group(1)));
        }
        return ids;
    }

    /** A service that keeps records with ids, and refuses requests that hold bad ones. */
    public static final class Store implements Script {
        private final boolean deduplicates;
        private final Predicate<Long> bad;
        private final List<Long> ids = new ArrayList<>();
        private final Set<String> keys = new HashSet<>();

        /** @param deduplicates a request whose key it has seen, it does nothing for */
        public Store(boolean deduplicates, Predicate<Long> bad) {
            this.deduplicates = deduplicates;
            this.bad = bad;
        }

        @Override
        public synchronized Reply answer(Request request) {
            List<Long> sent = TestService.ids(request.body());
            if (sent.stream().anyMatch(bad)) {
                return status(422, "{\"error\":\"bad id\"}");
            }
            if (keys.add(request.key()) || !deduplicates) {
                ids.addAll(sent);
            }
            return ok();
        }

        public synchronized List<Long> ids() {
            return List.copyOf(ids);
        }
    }
}
