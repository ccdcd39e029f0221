// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server that answers what no Flink would. */
final class FlinkRestTest {
    private static final Duration PATIENCE = Duration.ofMillis(500);

    private final CountDownLatch over = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private HttpServer server;
    private FlinkRest rest;

    @BeforeEach
    void open() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
        server.setExecutor(threads);
        server.start();
        rest = rest(Duration.ofMinutes(2));
    }

    private FlinkRest rest(Duration patience) {
        return new FlinkRest(
                HttpClient.newHttpClient(),
                "http",
                "127.0.0.1:" + server.getAddress().getPort(),
                patience);
    }

    @AfterEach
    void close() {
        over.countDown();
        server.stop(0);
        threads.shutdownNow();
    }

    private void answers(String path, int status, String text) {
        server.createContext(path, exchange -> {
            begin(exchange, status).write(text.getBytes(StandardCharsets.UTF_8));
            exchange.close();
        });
    }

    private static OutputStream begin(HttpExchange exchange, int status) throws IOException {
        exchange.sendResponseHeaders(status, 0);
        return exchange.getResponseBody();
    }

    private void refuses(String path, String message) {
        assertThatThrownBy(() -> rest.get(path))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(message)
                .message()
                .doesNotContain("\n");
    }

    @Test
    void shouldTakeWhatIsMissingAsEmpty() throws Exception {
        answers("/x", 200, "{\"a\":[{\"n\":\"7\",\"big\":1e99,\"nan\":\"NaN\",\"less\":-3}],\"b\":null}");

        Answer answer = rest.get("/x");

        Answer first = answer.at("a").elements().get(0);
        assertThat(first.at("n").count()).isEqualTo(7);
        assertThat(first.at("big").count()).isEqualTo(1L << 52);
        assertThat(first.at("nan").count()).isZero();
        assertThat(first.at("less").count()).isZero();
        assertThat(answer.at("b").at("c").elements()).isEmpty();
        assertThat(answer.at("a").text()).isEmpty();
        assertThat(rest.find("/none")).isNull();
    }

    @Test
    void shouldRefuseWhatIsNotFlink() {
        answers("/html", 200, "<html>");
        answers("/empty", 200, "");
        answers("/cut", 200, "{\"jobs\":[");
        answers("/deep", 200, "[".repeat(100_000));
        answers("/down", 503, "{}");
        answers("/elsewhere", 302, "{}");

        refuses("/html", "what is at /html is not JSON");
        refuses("/empty", "is not JSON");
        refuses("/cut", "is not JSON");
        refuses("/deep", "is not JSON");
        refuses("/down", "answers with HTTP status 503 to /down");
        refuses("/elsewhere?a=b", "answers with HTTP status 302 to /elsewhere;");
        refuses("/nothing", "it has no /nothing");
    }

    @Test
    void shouldTakeNoMoreThanItCanHold() {
        server.createContext("/large", exchange -> {
            try (OutputStream out = begin(exchange, 200)) {
                byte[] spaces = new byte[1 << 20];
                for (int i = 0; i < 64; i++) {
                    out.write(spaces);
                }
            } catch (IOException e) {
                over.countDown(); // nobody takes the rest
            }
        });

        refuses("/large", "its answer is larger than");
    }

    @Test
    void shouldWaitNoLongerThanForItsPatience() {
        server.createContext("/slow", exchange -> {
            OutputStream out = begin(exchange, 200);
            out.write('{');
            out.flush();
            awaitEnd();
        });
        server.createContext("/silent", exchange -> awaitEnd());
        rest = rest(PATIENCE);

        refuses("/slow", "does not answer within 0.5 s");
        refuses("/silent", "does not answer within 0.5 s");
    }

    private void awaitEnd() {
        try {
            over.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void shouldRefuseAPlanThatMakesNoSense() {
        answers("/jobs/" + "0".repeat(32), 200, "{\"plan\":{\"nodes\":[{\"id\":\"../x\"}]}}");
        answers("/config", 200, "{}");
        answers("/taskmanagers", 200, "[]");

        assertThatThrownBy(() -> new FlinkObserver(rest, new FlinkJob("0".repeat(32), "job", "RUNNING")))
                .isInstanceOf(IOException.class)
                .hasMessage("the job's plan has 0 vertices; from 1 to 200 can be looked at");
    }
}
