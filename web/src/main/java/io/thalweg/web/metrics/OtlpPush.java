// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.metrics;

import io.thalweg.web.watch.JobSample;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Sends the metrics of one job to a receiver of OpenTelemetry's protocol, every ten seconds and at the end. One thread looks; a request
 * is under way on another, one at a time. What goes wrong is said once, and the next request tells all that the lost one told.
 */
public final class OtlpPush {
    private static final int LOOKS = 10;
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration ANSWER = Duration.ofSeconds(10);
    private static final int MOST_OF_ANSWER = 2_000;
    private static final int OK = 200;
    private static final int REDIRECTED = 300;
    private static final String NO_URL = "--metrics otlp takes a URL, as in otlp=http://127.0.0.1:4318";
    private static final Pattern REJECTED = Pattern.compile("\"rejectedDataPoints\"\\s*:\\s*\"?([1-9][0-9]*)");

    private final URI to;
    private final String shown;
    private final Duration answer;
    private final Duration body;
    private final Map<String, String> headers;
    private final Consumer<String> say;
    private final String run = UUID.randomUUID().toString();

    /** Asks for no HTTP/2: without TLS that is in each request, and some receivers refuse it. */
    private final HttpClient client;

    private @Nullable CompletableFuture<Void> sent;
    private int looks;
    private @Nullable JobSample seen;
    private long startedMs;
    private volatile String said = "";

    /**
     * To a receiver.
     *
     * @param headers of each request
     * @param say told in one line what goes wrong
     */
    public OtlpPush(URI to, Map<String, String> headers, Consumer<String> say) {
        this(to, headers, say, CONNECT, ANSWER, ANSWER);
    }

    /**
     * @param connect how long a connection may take
     * @param answer how long it may take until an answer begins
     * @param body how long that may then take
     */
    OtlpPush(
            URI to,
            Map<String, String> headers,
            Consumer<String> say,
            Duration connect,
            Duration answer,
            Duration body) {
        this.to = to;
        this.answer = answer;
        this.body = body;
        client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(connect)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
        shown = to.getRawQuery() == null ? to.toString() : to.toString().split("\\?", 2)[0]; // a key may be in it
        this.headers = Map.copyOf(headers);
        this.say = say;
    }

    /**
     * Reads an address; one without a path gets that of the protocol.
     *
     * @throws IllegalArgumentException if it is none; the message is one line, and does not tell the text, which may hold a password
     */
    public static URI address(String text) {
        try {
            URI given = new URI(text);
            boolean web = "http".equalsIgnoreCase(given.getScheme()) || "https".equalsIgnoreCase(given.getScheme());
            if (!web || given.getHost() == null) {
                throw new IllegalArgumentException(NO_URL);
            }
            if (given.getRawUserInfo() != null) {
                throw new IllegalArgumentException("--metrics otlp takes no password in its URL; give headers in"
                        + " the environment variable OTEL_EXPORTER_OTLP_HEADERS");
            }
            String path = given.getRawPath();
            if (!path.isEmpty() && !path.equals("/")) {
                return given;
            }
            String query = given.getRawQuery() == null ? "" : "?" + given.getRawQuery();
            return given.resolve("/v1/metrics" + query);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(NO_URL + ": " + e.getReason() + " at index " + e.getIndex(), e);
        }
    }

    /**
     * Reads {@code NAME=VALUE,…}, as OpenTelemetry's environment variable for headers holds them.
     *
     * @throws IllegalArgumentException if it holds none; the message does not tell values
     */
    public static Map<String, String> headers(@Nullable String text) {
        Map<String, String> headers = new LinkedHashMap<>();
        for (String each : text == null || text.isBlank() ? new String[0] : text.split(",")) {
            int equals = each.indexOf('=');
            String name = equals < 0 ? "" : each.substring(0, equals).strip();
            try {
                String value = URLDecoder.decode(
                        each.substring(equals + 1).strip().replace("+", "%2B"), StandardCharsets.UTF_8);
                HttpRequest.newBuilder().setHeader(name, value); // refuses what a request cannot have
                headers.put(name, value);
            } catch (IllegalArgumentException e) { // its message would tell the value
                throw new IllegalArgumentException(
                        "the environment variable OTEL_EXPORTER_OTLP_HEADERS takes"
                                + " NAME=VALUE,NAME=VALUE, with %25 for % in a value, and no headers of HTTP itself such as Host");
            }
        }
        return headers;
    }

    /** Called about once a second. */
    public void look(JobSample now) {
        JobSample before = seen;
        seen = now;
        if (before == null || now.restarts() != before.restarts() || now.startedAfter(before)) {
            startedMs = now.epochMs() - now.stats().elapsedNs() / 1_000_000;
        }
        CompletableFuture<Void> underWay = sent;
        if (looks++ % LOOKS == 0 && (underWay == null || underWay.isDone())) {
            sent = send(now);
        }
    }

    /** Sends how the job ended; waits for the answer for so long at most. */
    public void end(JobSample last, long atMostMs) throws InterruptedException {
        CompletableFuture<Void> before = sent;
        try {
            if (before != null) {
                before.get(atMostMs, TimeUnit.MILLISECONDS);
            }
            send(last).get(atMostMs, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            tell("no answer within " + atMostMs + " ms at the end of the job");
        } catch (ExecutionException e) {
            tell(String.valueOf(e.getCause()));
        }
    }

    private CompletableFuture<Void> send(JobSample now) {
        OtlpJson json = new OtlpJson(now.stats().topology(), run, startedMs, now.epochMs());
        JobMetrics.write(now, json);
        HttpRequest.Builder request = HttpRequest.newBuilder(to)
                .timeout(answer)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json.text()));
        headers.forEach(request::setHeader);
        return client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofInputStream())
                .handle((response, failure) -> {
                    if (failure == null) {
                        judge(response);
                    } else {
                        tell(reason(failure));
                    }
                    return null;
                });
    }

    private static String reason(Throwable failure) {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        return cause.getMessage() == null
                ? "it cannot be reached (" + cause.getClass().getSimpleName() + ")"
                : cause.getMessage();
    }

    private void judge(HttpResponse<InputStream> response) {
        String text = "";
        try (InputStream in = response.body()) {
            // The timeout of a request ends where the body begins. A thread of the common pool may be busy with what
            // the job does.
            CompletableFuture.delayedExecutor(body.toMillis(), TimeUnit.MILLISECONDS, Runnable::run)
                    .execute(() -> close(in));
            text = new String(in.readNBytes(MOST_OF_ANSWER), StandardCharsets.UTF_8);
        } catch (IOException e) {
            // the code says what is needed
        }
        Matcher rejected = REJECTED.matcher(text);
        if (response.statusCode() < OK || response.statusCode() >= REDIRECTED) {
            tell("the answer is " + response.statusCode() + (text.isBlank() ? "" : ": " + text.strip()));
        } else if (rejected.find()) {
            tell("it refused " + rejected.group(1) + " values: " + text.strip());
        } else {
            said = "";
        }
    }

    private static void close(InputStream body) {
        try {
            body.close();
        } catch (IOException e) {
            // whoever reads it hears of it
        }
    }

    /** Once for each thing that goes wrong. */
    private void tell(String problem) {
        if (!problem.equals(said)) {
            said = problem;
            say.accept("metrics are not received by " + shown + ": " + problem);
        }
    }
}
