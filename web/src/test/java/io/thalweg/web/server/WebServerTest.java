// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(900)
final class WebServerTest {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final int LIMIT_MS = 60_000;

    private final List<WebServer> opened = new ArrayList<>();

    @AfterEach
    void close() {
        opened.forEach(WebServer::close);
    }

    private WebServer server() throws IOException {
        return served(WebServer.open(ListenAddress.local("--web", 0), null));
    }

    /** As one that listens on every address of the machine, which no test should. */
    private WebServer serverWithToken() throws IOException {
        return served(WebServer.open(ListenAddress.local("--web", 0), null, true));
    }

    private WebServer served(WebServer server) {
        opened.add(server);
        server.serve("/", query -> Answer.of("text/plain", "page"));
        server.serve("/api", query -> Answer.json(Answer.OK, "{\"query\":\"" + query + "\"}"));
        return server;
    }

    private HttpResponse<String> get(WebServer server, String path) throws Exception {
        return CLIENT.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** A request as it stands on the wire, for headers that the JDK's client does not let anybody set. */
    private static String raw(WebServer server, String... lines) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(LIMIT_MS);
            String request = String.join("\r\n", lines) + "\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void shouldAnswerOnLoopback() throws Exception {
        WebServer server = server();
        assertThat(server.address("/")).isEqualTo("http://127.0.0.1:" + server.port() + "/");

        HttpResponse<String> page = get(server, "/");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body()).isEqualTo("page");
        assertThat(page.headers().firstValue("Content-Security-Policy"))
                .hasValueSatisfying(policy -> assertThat(policy)
                        .startsWith("default-src 'none'; script-src 'self';")
                        .doesNotContain("unsafe"));
        assertThat(page.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
        assertThat(page.headers().firstValue("Access-Control-Allow-Origin")).isEmpty();
        assertThat(get(server, "/api?after=3").body()).isEqualTo("{\"query\":\"after=3\"}\n");

        HttpResponse<String> missing = get(server, "/../etc/passwd");
        assertThat(missing.statusCode()).isEqualTo(404);
        assertThat(missing.body()).isEqualTo("{\"error\":\"there is only /, /api\"}\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "OPTIONS", "TRACE"})
    void shouldOnlyRead(String method) throws Exception {
        String answer = raw(server(), method + " / HTTP/1.1", "Host: localhost", "Content-Length: 0");
        assertThat(answer).startsWith("HTTP/1.1 405 ").containsIgnoringCase("Allow: GET, HEAD");
    }

    /** A server that does one thing, for those who send "right", and counts how often. */
    private WebServer serverThatActs(AtomicInteger done) throws IOException {
        WebServer server = server();
        server.act("/api/do", "right", () -> Answer.json(202, "{\"done\":" + done.incrementAndGet() + "}"));
        return server;
    }

    @Test
    void shouldActForWhoeverSendsTheToken() throws Exception {
        AtomicInteger done = new AtomicInteger();
        WebServer server = serverThatActs(done);
        String host = "Host: 127.0.0.1:" + server.port();

        String answer = raw(server, "POST /api/do HTTP/1.1", host, "Content-Length: 0", "Thalweg-Control: right");

        assertThat(answer).startsWith("HTTP/1.1 202 ").endsWith("{\"done\":1}\n");
        assertThat(raw(
                        server,
                        "POST /api/do HTTP/1.1",
                        host,
                        "Origin: http://127.0.0.1:" + server.port(),
                        "Content-Length: 0",
                        "Thalweg-Control: right"))
                .startsWith("HTTP/1.1 202 ");
        assertThat(done).hasValue(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "A: b",
                "Thalweg-Control: wrong",
                "Thalweg-Control: righ",
                "Thalweg-Control:",
                "Authorization: Bearer right",
                "Cookie: thalweg-control=right"
            })
    void shouldNotActWithoutTheToken(String header) throws Exception {
        AtomicInteger done = new AtomicInteger();
        String answer = raw(
                serverThatActs(done),
                "POST /api/do?token=right HTTP/1.1",
                "Host: localhost",
                "Content-Length: 0",
                header);
        assertThat(answer).startsWith("HTTP/1.1 401 ").contains("{\"error\":\"the header Thalweg-Control must hold");
        assertThat(done).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Host: evil.example",
                "Host: localhost\r\nOrigin: http://evil.example",
                "Host: localhost\r\nOrigin: null"
            })
    void shouldNotActForPagesFromElsewhere(String headers) throws Exception {
        AtomicInteger done = new AtomicInteger();
        String answer = raw(
                serverThatActs(done), "POST /api/do HTTP/1.1", headers, "Content-Length: 0", "Thalweg-Control: right");
        assertThat(answer).startsWith("HTTP/1.1 403 ");
        assertThat(done).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD", "PUT", "OPTIONS"})
    void shouldActOnPostOnly(String method) throws Exception {
        AtomicInteger done = new AtomicInteger();
        String answer = raw(
                serverThatActs(done),
                method + " /api/do HTTP/1.1",
                "Host: localhost",
                "Content-Length: 0",
                "Thalweg-Control: right");
        assertThat(answer).startsWith("HTTP/1.1 405 ").containsIgnoringCase("Allow: POST");
        assertThat(done).hasValue(0);
    }

    @Test
    void shouldNotActForWhoeverMayNotRead() throws Exception {
        AtomicInteger done = new AtomicInteger();
        WebServer server = served(WebServer.open(ListenAddress.local("--web", 0), "a-token-of-16-or-more"));
        server.act("/api/do", "right", () -> Answer.json(202, "{\"done\":" + done.incrementAndGet() + "}"));

        assertThat(raw(
                        server,
                        "POST /api/do HTTP/1.1",
                        "Host: localhost",
                        "Content-Length: 0",
                        "Thalweg-Control: right"))
                .startsWith("HTTP/1.1 401 ")
                .contains("a token is needed");
        assertThat(done).hasValue(0);
    }

    @Test
    void shouldRefuseAPostWhereNothingIsToo() throws Exception {
        assertThat(raw(server(), "POST /api/stop HTTP/1.1", "Host: localhost", "Content-Length: 0"))
                .startsWith("HTTP/1.1 405 ");
    }

    @Test
    void shouldAnswerHeadWithoutABody() throws Exception {
        String answer = raw(server(), "HEAD / HTTP/1.1", "Host: localhost");
        assertThat(answer).startsWith("HTTP/1.1 200 ").endsWith("\r\n\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example",
                "evil.example:80",
                "localhost.evil.example",
                "127.0.0.1.evil.example",
                "user@127.0.0.1",
                ""
            })
    void shouldRefuseNamesThatWereMadeToLeadHere(String host) throws Exception {
        String answer = raw(server(), "GET / HTTP/1.1", "Host: " + host);
        assertThat(answer).startsWith("HTTP/1.1 403 ").doesNotContain("page\"}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "LOCALHOST:1", "127.0.0.1:8080", "[::1]:8080"})
    void shouldAnswerNamesOfLoopback(String host) throws Exception {
        assertThat(raw(server(), "GET / HTTP/1.1", "Host: " + host)).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void shouldRefusePagesFromElsewhere() throws Exception {
        WebServer server = server();
        String host = "Host: 127.0.0.1:" + server.port();
        assertThat(raw(server, "GET /api HTTP/1.1", host, "Origin: http://evil.example"))
                .startsWith("HTTP/1.1 403 ");
        assertThat(raw(server, "GET /api HTTP/1.1", host, "Origin: null")).startsWith("HTTP/1.1 403 ");
        assertThat(raw(server, "GET /api HTTP/1.1", host, "Origin: http://127.0.0.1:1"))
                .startsWith("HTTP/1.1 403 ");
        assertThat(raw(server, "GET /api HTTP/1.1", host, "Origin: http://127.0.0.1:" + server.port()))
                .startsWith("HTTP/1.1 200 ");
        assertThat(raw(server, "GET /api HTTP/1.1", host, "Host: evil.example")).startsWith("HTTP/1.1 4");
    }

    @Test
    void shouldDemandATokenWhereOthersCanReachIt() throws Exception {
        WebServer server = serverWithToken();
        assertThat(server.address("/")).matches("http://[^/]+:\\d+/\\?token=[A-Za-z0-9_-]{24}");
        String token = server.address("/").replaceFirst(".*token=", "");

        HttpResponse<String> refused = get(server, "/api");
        assertThat(refused.statusCode()).isEqualTo(401);
        assertThat(refused.body()).contains("a token is needed");
        assertThat(get(server, "/nothing").statusCode()).isEqualTo(401);
        assertThat(get(server, "/api?token=").statusCode()).isEqualTo(401);
        assertThat(get(server, "/api?token=" + token.substring(1)).statusCode()).isEqualTo(401);
        assertThat(get(server, "/api?token=" + token).statusCode()).isEqualTo(200);
        assertThat(raw(server, "GET /api HTTP/1.1", "Host: any", "Authorization: Bearer " + token))
                .startsWith("HTTP/1.1 200 ");
        assertThat(raw(server, "GET /api HTTP/1.1", "Host: any", "Authorization: Bearer x"))
                .startsWith("HTTP/1.1 401 ");

        HttpResponse<String> first = get(server, "/?token=" + token);
        assertThat(first.statusCode()).isEqualTo(303);
        assertThat(first.headers().firstValue("Location")).hasValue("/");
        String cookie = first.headers().firstValue("Set-Cookie").orElseThrow();
        assertThat(cookie).contains("thalweg-" + server.port() + "=", "; HttpOnly", "; SameSite=Lax");
        assertThat(raw(server, "GET / HTTP/1.1", "Host: any", "Cookie: a=b; " + cookie.split(";")[0]))
                .startsWith("HTTP/1.1 200 ");
    }

    /** Two pages of two machines, both on the same port there, at two ports of this one. */
    @Test
    void shouldKeepTheTokensOfPagesBehindTunnelsApart() throws Exception {
        String token = "a-token-of-16-or-more";
        WebServer server = served(WebServer.open(ListenAddress.local("--web", 0), token));
        String own = String.valueOf(server.port());

        String one = raw(server, "GET /?token=" + token + " HTTP/1.1", "Host: localhost:8081");
        String other = raw(server, "GET /?token=" + token + " HTTP/1.1", "Host: localhost:8082");

        assertThat(one).contains("thalweg-8081=" + token + ";").doesNotContain(own);
        assertThat(other).contains("thalweg-8082=" + token + ";").doesNotContain(own);
        String both = "Cookie: thalweg-8081=" + token + "; thalweg-8082=of-the-other-machine";
        assertThat(raw(server, "GET /api HTTP/1.1", "Host: localhost:8081", both))
                .startsWith("HTTP/1.1 200 ");
        assertThat(raw(server, "GET /api HTTP/1.1", "Host: localhost:8082", both))
                .startsWith("HTTP/1.1 401 ");
    }

    @Test
    void shouldNotServeOthersWithoutAToken() throws Exception {
        InetAddress others = InetAddress.getByAddress(new byte[4]);
        assertThatIllegalArgumentException().isThrownBy(() -> new Visitors(others, 80, null, false));
        assertThat(new ListenAddress("0.0.0.0", 80).resolved().isLoopbackAddress())
                .isFalse();
        assertThat(new ListenAddress("[::1]", 80).resolved().isLoopbackAddress())
                .isTrue();
    }

    @Test
    void shouldTakeATokenThatIsGiven() throws Exception {
        String token = "a-token-of-16-or-more";
        WebServer server = served(WebServer.open(ListenAddress.local("--web", 0), token));
        assertThat(server.address("/")).doesNotContain(token);
        assertThat(get(server, "/api").statusCode()).isEqualTo(401);
        assertThat(get(server, "/api?token=" + token).statusCode()).isEqualTo(200);
        for (String bad : List.of("", "short", "a token with spaces in it")) {
            assertThatIllegalArgumentException().isThrownBy(() -> WebServer.open(ListenAddress.local("--web", 0), bad));
        }
    }

    @Test
    void shouldGiveEachServerATokenOfItsOwn() throws Exception {
        assertThat(serverWithToken().address("").replaceFirst(".*token=", ""))
                .isNotEqualTo(serverWithToken().address("").replaceFirst(".*token=", ""));
    }

    @Test
    void shouldAnswerOthersWhileSomeNeitherAskNorRead() throws Exception {
        WebServer server = server();
        String large = "x".repeat(50_000_000);
        server.serve("/large", query -> Answer.of("text/plain", large));
        List<Socket> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) {
                Socket silent = new Socket(InetAddress.getLoopbackAddress(), server.port());
                silent.getOutputStream().write("GET / HT".getBytes(StandardCharsets.US_ASCII));
                Socket deaf = new Socket(InetAddress.getLoopbackAddress(), server.port());
                deaf.getOutputStream()
                        .write("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                slow.add(silent);
                slow.add(deaf);
            }
            for (int i = 0; i < 50; i++) {
                assertThat(get(server, "/").body()).isEqualTo("page");
            }
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    @Test
    void shouldCompressLongAnswersForThoseWhoTakeIt() throws Exception {
        WebServer server = server();
        String text = "long ".repeat(10_000);
        server.serve("/long", query -> Answer.of("text/plain", text));
        for (String takes : List.of("gzip", "deflate, gzip;q=0.5, br")) {
            HttpResponse<byte[]> answer = CLIENT.send(
                    HttpRequest.newBuilder(URI.create(server.address("/long")))
                            .header("Accept-Encoding", takes)
                            .build(),
                    HttpResponse.BodyHandlers.ofByteArray());
            assertThat(answer.headers().firstValue("Content-Encoding")).hasValue("gzip");
            assertThat(answer.body()).hasSizeLessThan(1_000);
            try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(answer.body()))) {
                assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                        .isEqualTo(text);
            }
        }
        assertThat(get(server, "/long").body()).isEqualTo(text);
        assertThat(raw(server, "GET /long HTTP/1.1", "Host: localhost", "Accept-Encoding: gzip;q=0, identity"))
                .endsWith(text);
        assertThat(raw(server, "GET / HTTP/1.1", "Host: localhost", "Accept-Encoding: gzip"))
                .endsWith("page");
    }

    @Test
    void shouldFinishAnswersThatAreUnderWay() throws Exception {
        WebServer server = server();
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        String text = "x".repeat(1_000_000);
        server.serve("/last", query -> {
            asked.countDown();
            try {
                assertThat(goOn.await(LIMIT_MS, TimeUnit.MILLISECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return Answer.of("text/plain", text);
        });
        CompletableFuture<HttpResponse<String>> answer = CLIENT.sendAsync(
                HttpRequest.newBuilder(URI.create(server.address("/last"))).build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(asked.await(LIMIT_MS, TimeUnit.MILLISECONDS)).isTrue();
        Thread closing = new Thread(() -> server.close(LIMIT_MS));
        closing.start();
        while (closing.isAlive() && closing.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        goOn.countDown();

        assertThat(answer.get(LIMIT_MS, TimeUnit.MILLISECONDS).body()).isEqualTo(text);
        closing.join();
    }

    @Test
    void shouldSayThatSomethingCannotBeShown() throws Exception {
        WebServer server = server();
        server.serve("/broken", query -> {
            throw new IllegalStateException("\"quoted\"");
        });
        HttpResponse<String> answer = get(server, "/broken");
        assertThat(answer.statusCode()).isEqualTo(500);
        assertThat(answer.body())
                .isEqualTo("{\"error\":\"this cannot be shown: java.lang.IllegalStateException: \\\"quoted\\\"\"}\n");
    }

    @Test
    void shouldNotShareAPort() throws Exception {
        int taken = server().port();
        assertThatIOException().isThrownBy(() -> WebServer.open(ListenAddress.local("--web", taken), null));
    }

    @Test
    void shouldReadAddresses() {
        assertThat(ListenAddress.of("--web", "8080")).isEqualTo(new ListenAddress("127.0.0.1", 8080));
        assertThat(ListenAddress.of("--web", "0.0.0.0:0")).isEqualTo(new ListenAddress("0.0.0.0", 0));
        assertThat(ListenAddress.of("--web", "[::1]:80")).isEqualTo(new ListenAddress("[::1]", 80));
        assertThat(ListenAddress.of("--web", "my-host.lan:80")).isEqualTo(new ListenAddress("my-host.lan", 80));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ListenAddress.of("--web", "70000"))
                .withMessage("--web is a port from 0 to 65535, not 70000");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "host",
                "host:",
                ":80",
                "80:90:100",
                "::1:80",
                "http://127.0.0.1:80",
                "80 ",
                "-1",
                "1234567890"
            })
    void shouldRefuseWhatIsNoAddress(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ListenAddress.of("--web", text))
                .withMessageStartingWith("--web takes PORT or HOST:PORT, such as 8080 or 0.0.0.0:8080, not '" + text);
    }
}
