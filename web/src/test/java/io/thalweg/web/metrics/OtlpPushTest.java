// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.thalweg.api.stats.JobState;
import io.thalweg.web.SampleJob;
import io.thalweg.web.watch.JobSample;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sends to a small receiver. */
@Timeout(900)
final class OtlpPushTest {
    private static final Duration LONG = Duration.ofMinutes(4);
    private static final long LONG_MS = LONG.toMillis();

    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
    private final List<String> said = new CopyOnWriteArrayList<>();
    private HttpServer receiver;
    private URI address;
    private volatile int code = 200;
    private volatile String answer = "{\"partialSuccess\":{}}";

    @BeforeEach
    void open() throws IOException {
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/", this::receive);
        receiver.start();
        address = OtlpPush.address("http://127.0.0.1:" + receiver.getAddress().getPort());
    }

    @AfterEach
    void close() {
        receiver.stop(0);
    }

    private void receive(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(code, bytes.length);
            exchange.getResponseBody().write(bytes);
            received.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
                    + exchange.getRequestHeaders().getFirst("Content-Type") + " "
                    + exchange.getRequestHeaders().getFirst("Authorization")
                    + (exchange.getRequestHeaders().containsKey("Upgrade") ? " Upgrade" : "") + "\n" + body);
        }
    }

    private String next() throws InterruptedException {
        String request = received.poll(LONG_MS, TimeUnit.MILLISECONDS);
        assertThat(request).isNotNull();
        return request;
    }

    private OtlpPush push() {
        return new OtlpPush(address, Map.of("Authorization", "Bearer x"), said::add, LONG, LONG, LONG);
    }

    @Test
    void shouldSendWhatPrometheusIsTold() throws Exception {
        push().look(SampleJob.after(10));
        String request = next();
        assertThat(request)
                .startsWith(
                        "POST /v1/metrics application/json Bearer x\n{\"resourceMetrics\":[{\"resource\":{\"attributes\":["
                                + "{\"key\":\"service.name\",\"value\":{\"stringValue\":\"Rivers\"}},{\"key\":\"service.instance.id\"");
        String rivers = "\"attributes\":[{\"key\":\"topology\",\"value\":{\"stringValue\":\"Rivers\"}}";
        assertThat(request)
                .contains(
                        "{\"name\":\"thalweg_records_in_total\",\"description\":\"records read by all sources\",\"sum\":{"
                                + "\"aggregationTemporality\":2,\"isMonotonic\":true,\"dataPoints\":[{" + rivers
                                + "],\"startTimeUnixNano\":\"1000000000000\",\"timeUnixNano\":\"1010000000000\",\"asInt\":\"10000\"}]}}");
        assertThat(request)
                .contains(
                        "{\"name\":\"thalweg_windows_open\",\"description\":\"windows that have not fired, counted for each key\","
                                + "\"gauge\":{\"dataPoints\":[{" + rivers
                                + "],\"timeUnixNano\":\"1010000000000\",\"asInt\":\"7\"}]}}");
        assertThat(request)
                .contains(
                        "\"histogram\":{\"aggregationTemporality\":2,\"dataPoints\":[{" + rivers
                                + "],\"startTimeUnixNano\":\"1000000000000\",\"timeUnixNano\":\"1010000000000\",\"count\":\"10000\",\"sum\":0.2,"
                                + "\"bucketCounts\":[\"2500\",\"2500\",\"4999\",\"1\"],\"explicitBounds\":[1.5E-5,2.3E-5,3.1E-5]}]}");
        assertThat(request).contains("{\"key\":\"task\",\"value\":{\"stringValue\":\"1\"}}");
        for (Metric metric : Metric.values()) {
            assertThat(request.contains("\"" + metric.text() + "\""))
                    .as(metric.text())
                    .isEqualTo(JobMetrics.text(SampleJob.after(10)).contains("# TYPE " + metric.text() + " "));
        }
        assertThat(said).isEmpty();
    }

    @Test
    void shouldSendEveryTenLooksAndAtTheEnd() throws Exception {
        OtlpPush push = push();
        push.look(SampleJob.after(10));
        assertThat(next()).contains("\"asInt\":\"10000\"");
        push.end(SampleJob.after(12, "embedded", JobState.FINISHED, 0), LONG_MS);
        assertThat(next()).contains("\"asInt\":\"12000\"", "\"startTimeUnixNano\":\"1000000000000\"");
        assertThat(received).isEmpty();
    }

    @Test
    void shouldTellThatTheJobBeganAnew() throws Exception {
        OtlpPush push = push();
        push.look(SampleJob.after(10));
        assertThat(next()).contains("\"startTimeUnixNano\":\"1000000000000\"");
        push.look(SampleJob.after(11.5, "embedded", JobState.RUNNING, 1));
        push.end(SampleJob.after(12, "embedded", JobState.FINISHED, 1), LONG_MS);
        assertThat(next()).contains("\"startTimeUnixNano\":\"1000000000000\"", "\"timeUnixNano\":\"1012000000000\"");
    }

    @Test
    void shouldTellWhenTheJobBeganAnew_ifItsRestartWasCountedBefore() throws Exception {
        OtlpPush push = push();
        push.look(SampleJob.after(10));
        assertThat(next()).contains("\"startTimeUnixNano\":\"1000000000000\"");
        push.look(new JobSample(1_012_000, SampleJob.after(10).stats(), 1, null, null, false));
        push.look(new JobSample(1_020_000, SampleJob.after(5).stats(), 1, null, null, false));
        push.end(new JobSample(1_021_000, SampleJob.after(6).stats(), 1, null, null, true), LONG_MS);
        assertThat(next()).contains("\"startTimeUnixNano\":\"1015000000000\"");
    }

    @Test
    void shouldSayOnceWhatIsWrong() throws Exception {
        code = 503;
        answer = "later\n\u001b[31m";
        OtlpPush push = push();
        push.look(SampleJob.after(1));
        push.end(SampleJob.after(2), LONG_MS);
        push.end(SampleJob.after(3), LONG_MS);
        assertThat(said).hasSize(1);
        assertThat(said.get(0)).startsWith("metrics are not received by " + address + ": the answer is 503: later");
        code = 200;
        answer = "{\"partialSuccess\":{\"rejectedDataPoints\":\"3\",\"errorMessage\":\"too old\"}}";
        push.end(SampleJob.after(4), LONG_MS);
        assertThat(said).hasSize(2);
        assertThat(said.get(1)).contains("it refused 3 values: ", "too old");
        answer = "{\"partialSuccess\":{\"rejectedDataPoints\":\"0\"}}";
        push.end(SampleJob.after(5), LONG_MS);
        assertThat(said).hasSize(2);
    }

    @Test
    void shouldSayThatNobodyListens() throws Exception {
        receiver.stop(0);
        push().end(SampleJob.after(1), LONG_MS);
        assertThat(said).singleElement().asString().startsWith("metrics are not received by " + address + ": ");
    }

    @Test
    void shouldWaitForASilentReceiverForAMomentOnly() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            address = OtlpPush.address("http://127.0.0.1:" + silent.getLocalPort());
            push().end(SampleJob.after(1), 1);
            // Not when the receiver is closed, which is told, too.
            assertThat(said)
                    .containsExactly(
                            "metrics are not received by " + address + ": no answer within 1 ms at the end of the job");
        }
    }

    @Test
    void shouldGoOnAfterAnAnswerThatStalls() throws Exception {
        try (ServerSocket stalls = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            address = OtlpPush.address("http://127.0.0.1:" + stalls.getLocalPort());
            OtlpPush push = new OtlpPush(address, Map.of(), said::add, LONG, LONG, Duration.ofMillis(200));
            push.look(SampleJob.after(1));
            try (Socket first = beginToAnswer(stalls)) {
                // Not in the common pool: Java's HTTP client hands answers over there, and with two cores it has one
                // thread.
                CompletableFuture<Socket> second = new CompletableFuture<>();
                new Thread(() -> second.complete(beginToAnswer(stalls)), "answers").start();
                push.end(SampleJob.after(2), LONG_MS);
                second.get(LONG_MS, TimeUnit.MILLISECONDS).close();
                assertThat(first.isClosed()).isFalse();
            }
        }
        assertThat(said).isEmpty();
    }

    private static Socket beginToAnswer(ServerSocket server) {
        try {
            Socket asked = server.accept();
            assertThat(asked.getInputStream().read()).isEqualTo('P');
            asked.getOutputStream()
                    .write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{".getBytes(StandardCharsets.US_ASCII));
            return asked;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void shouldNotTellTheQueryOfItsAddress() throws Exception {
        receiver.stop(0);
        address = OtlpPush.address(address + "?key=geheim");
        push().end(SampleJob.after(1), LONG_MS);
        assertThat(said).singleElement().asString().contains("/v1/metrics: ").doesNotContain("geheim");
    }

    @Test
    void shouldReadAddresses() {
        assertThat(OtlpPush.address("https://h?key=a%20b")).isEqualTo(URI.create("https://h/v1/metrics?key=a%20b"));

        assertThat(OtlpPush.address("http://h:4318")).isEqualTo(URI.create("http://h:4318/v1/metrics"));
        assertThat(OtlpPush.address("https://h/")).isEqualTo(URI.create("https://h/v1/metrics"));
        assertThat(OtlpPush.address("https://h/otlp/v1/metrics?x=1"))
                .isEqualTo(URI.create("https://h/otlp/v1/metrics?x=1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "here", "h:4318", "grpc://h:4317", "http://", "http://a b", "file:///x"})
    void shouldRefuseOthers(String text) {
        assertThatThrownBy(() -> OtlpPush.address(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("--metrics otlp takes a URL, as in otlp=http://127.0.0.1:4318");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://me:ge#heim@h", "http://me:ge heim@h", "http://me:ge/heim@h", "http://me:heim?@h"})
    void shouldNotTellPasswordsThatAreNoURL(String text) {
        assertThatThrownBy(() -> OtlpPush.address(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("heim");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Host=geheim", "a=geheim%0A", "a=geheim%zz", "a b=geheim", "=geheim", "geheim"})
    void shouldRefuseHeadersThatNoRequestCanHave(String text) {
        assertThatThrownBy(() -> OtlpPush.headers(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("OTEL_EXPORTER_OTLP_HEADERS takes NAME=VALUE,NAME=VALUE")
                .hasMessageNotContaining("geheim");
    }

    @Test
    void shouldTakeSecretsFromTheEnvironmentOnly() {
        assertThatThrownBy(() -> OtlpPush.address("http://me:geheim@h:4318"))
                .hasMessageContaining("OTEL_EXPORTER_OTLP_HEADERS")
                .hasMessageNotContaining("geheim");
        assertThat(OtlpPush.headers(null)).isEmpty();
        assertThat(OtlpPush.headers("Authorization=Basic%20a+b=, x-scope = 1"))
                .isEqualTo(Map.of("Authorization", "Basic a+b=", "x-scope", "1"));
    }
}
