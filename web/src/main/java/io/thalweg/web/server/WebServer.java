// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.server;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Answers GET and HEAD under a few paths, and POST where an {@link Action} is. Its threads are bounded and are never the job's; who sends or reads too slowly is hung up on
 * after twenty seconds. It demands a token if one is given, or others than programs of this machine can reach it: {@link Visitors}.
 */
public final class WebServer implements AutoCloseable {
    private static final int THREADS = 8;
    private static final int TOKEN_BYTES = 18;
    private static final String GOOD_TOKEN = "[A-Za-z0-9_-]{16,200}";
    private static final String ROOT = "/";

    /** The header that must hold the token of an action: no form and no page from elsewhere can send it. */
    private static final String CONTROL = "Thalweg-Control";

    private static final int WORTH_COMPRESSING = 1_400;
    private static final Pattern GZIP = Pattern.compile("gzip( *; *q=(1|1\\.0*|0\\.[0-9]*[1-9][0-9]*))?");

    /** Everything comes from here, nothing is run or shown that does not, and no other page may frame it. */
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
            + "img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    /** How long answers under way may keep {@link #close} waiting. */
    private static final long LAST_ANSWERS_MS = 500;

    private final HttpServer server;
    private final ExecutorService threads;
    private final InetAddress address;
    private final Visitors visitors;

    /** One is taken while an answer is under way. */
    private final Semaphore answers = new Semaphore(THREADS);

    private final Map<String, Resource> resources = new ConcurrentHashMap<>();
    private final Map<String, Guarded> actions = new ConcurrentHashMap<>();

    /** What is done for those who know the token. */
    private record Guarded(String token, Action action) {}

    private WebServer(HttpServer server, InetAddress address, Visitors visitors) {
        this.server = server;
        this.address = address;
        this.visitors = visitors;
        threads = Executors.newFixedThreadPool(THREADS, task -> {
            Thread thread = new Thread(task, "thalweg-web");
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Listens; answers 404 until it is given resources. Demands a token if it is given one, or does not listen on loopback.
     *
     * @param token that is demanded; null for none on loopback, and elsewhere for a random one, which {@link #address} then holds
     * @throws UnknownHostException if this machine does not know the host
     * @throws IllegalArgumentException if the token is short or has characters that do not fit into an address
     * @throws IOException if it cannot listen there; another process may have the port
     */
    public static WebServer open(ListenAddress place, @Nullable String token) throws IOException {
        return open(place, token, token != null || !place.isLoopback());
    }

    static WebServer open(ListenAddress place, @Nullable String token, boolean demandsToken) throws IOException {
        if (token != null && !token.matches(GOOD_TOKEN)) {
            throw new IllegalArgumentException("a token has 16 letters, digits, - or _ at least");
        }
        // Before the JDK's server reads them: who is slow to ask or to read must not keep others waiting. It counts the
        // time that an answer takes to be made, too, which may be long on a busy machine.
        setIfMissing("sun.net.httpserver.maxReqTime", "20");
        setIfMissing("sun.net.httpserver.maxRspTime", "20");
        setIfMissing("jdk.httpserver.maxConnections", "100");
        InetAddress address = place.resolved();
        HttpServer server = HttpServer.create(new InetSocketAddress(address, place.port()), 0);
        WebServer opened = new WebServer(server, address, visitors(server, address, token, demandsToken));
        server.setExecutor(opened.threads);
        server.createContext(ROOT, opened::handle);
        server.start();
        return opened;
    }

    private static Visitors visitors(
            HttpServer server, InetAddress address, @Nullable String token, boolean demandsToken) {
        int port = server.getAddress().getPort();
        return demandsToken
                ? new Visitors(address, port, token == null ? newToken() : token, token == null)
                : new Visitors(address, port, null, false);
    }

    private static void setIfMissing(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }

    /** A random one, as long as nobody can guess it. */
    public static String newToken() {
        byte[] random = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(random);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    }

    /** Answers under that path from now on. */
    public void serve(String path, Resource resource) {
        resources.put(path, resource);
    }

    /** Does that under that path from now on, for those who send the token in the header {@value #CONTROL}. */
    public void act(String path, String token, Action action) {
        actions.put(path, new Guarded(token, action));
    }

    /** What to open in a browser to see what is under that path; with the token, if it is a random one. */
    public String address(String path) {
        return plainAddress(path) + visitors.suffix();
    }

    /** The same without a token. */
    public String plainAddress(String path) {
        return "http://" + host() + ":" + port() + path;
    }

    /** The port that it listens on. */
    public int port() {
        return server.getAddress().getPort();
    }

    private String host() {
        if (address.isAnyLocalAddress()) {
            try {
                return InetAddress.getLocalHost().getHostName();
            } catch (UnknownHostException e) {
                return "localhost"; // the machine does not know its own name
            }
        }
        String text = address.getHostAddress();
        return text.contains(":") ? "[" + text + "]" : text;
    }

    private void handle(HttpExchange exchange) throws IOException {
        if (!answers.tryAcquire()) {
            exchange.close(); // it has stopped, or is about to
            return;
        }
        try {
            answer(exchange);
        } finally {
            answers.release();
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            Headers answered = exchange.getResponseHeaders();
            answered.set("Cache-Control", "no-store");
            answered.set("Connection", "close");
            answered.set("Content-Security-Policy", POLICY);
            answered.set("Cross-Origin-Opener-Policy", "same-origin");
            answered.set("Cross-Origin-Resource-Policy", "same-origin");
            answered.set("Referrer-Policy", "no-referrer");
            answered.set("X-Content-Type-Options", "nosniff");
            answered.set("X-Frame-Options", "DENY");
            Answer answer = answer(exchange, answered);
            answered.set("Content-Type", answer.type());
            byte[] body = answer.body();
            if (body.length > WORTH_COMPRESSING && takesGzip(exchange.getRequestHeaders())) {
                body = compressed(body);
                answered.set("Content-Encoding", "gzip");
            }
            if (exchange.getRequestMethod().equals("HEAD") || body.length == 0) {
                exchange.sendResponseHeaders(answer.code(), -1);
            } else {
                exchange.sendResponseHeaders(answer.code(), body.length);
                exchange.getResponseBody().write(body);
            }
        }
    }

    private static boolean takesGzip(Headers request) {
        return request.getOrDefault("Accept-Encoding", List.of()).stream()
                .flatMap(line -> Stream.of(line.split(",")))
                .anyMatch(each -> GZIP.matcher(each.strip()).matches());
    }

    /** So that minutes of a chart arrive within the time that a slow line is given. */
    private static byte[] compressed(byte[] body) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(body);
        }
        return bytes.toByteArray();
    }

    private Answer answer(HttpExchange exchange, Headers answered) {
        String given = exchange.getRequestURI().getRawQuery();
        String query = given == null ? "" : given;
        String path = exchange.getRequestURI().getPath();
        String method = exchange.getRequestMethod();
        Answer refusal = visitors.refusal(exchange.getRequestHeaders(), query);
        if (refusal != null) {
            return refusal;
        }
        Guarded guarded = path == null ? null : actions.get(path);
        if (guarded != null) {
            return act(guarded, method, exchange.getRequestHeaders(), answered);
        }
        if (!method.equals("GET") && !method.equals("HEAD")) {
            answered.set("Allow", "GET, HEAD");
            return Answer.error(405, "GET and HEAD are allowed");
        }
        Resource resource = path == null ? null : resources.get(path);
        if (resource == null) {
            return Answer.error(404, "there is only " + paths());
        }
        if (path.equals(ROOT) && visitors.isInQuery(query)) {
            answered.set("Set-Cookie", visitors.cookie(exchange.getRequestHeaders()));
            answered.set("Location", ROOT); // so that the token stays in no history
            return new Answer(303, "text/plain", new byte[0]);
        }
        return safe(() -> resource.read(query));
    }

    private static Answer act(Guarded guarded, String method, Headers request, Headers answered) {
        if (!method.equals("POST")) {
            answered.set("Allow", "POST");
            return Answer.error(405, "POST is allowed");
        }
        String given = request.getFirst(CONTROL);
        if (given == null || !Visitors.areEqual(given, guarded.token())) {
            return Answer.error(
                    401, "the header " + CONTROL + " must hold the token that the job printed behind #control=");
        }
        return safe(guarded.action()::begin);
    }

    private static Answer safe(Supplier<Answer> answer) {
        try {
            return answer.get();
        } catch (RuntimeException e) {
            return Answer.error(500, "this cannot be shown: " + e);
        }
    }

    private String paths() {
        return String.join(", ", new TreeMap<>(resources).keySet());
    }

    /** Stops listening; answers under way are cut if they take longer than a moment. */
    @Override
    public void close() {
        close(LAST_ANSWERS_MS);
    }

    void close(long atMostMs) {
        try {
            boolean unused = answers.tryAcquire(THREADS, atMostMs, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        server.stop(0);
        threads.shutdownNow();
    }
}
