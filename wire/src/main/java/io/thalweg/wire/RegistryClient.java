// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.files.json.JsonReader;
import io.thalweg.files.json.JsonValue;
import io.thalweg.files.record.MalformedException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Asks a schema registry, again and again while it may be down. Keeps no connection: it is asked rarely. */
final class RegistryClient {
    /** Besides 5xx. */
    private static final Set<Integer> PASSING = Set.of(408, 429);

    private static final int SERVER_ERRORS = 500;

    /** No such subject, version or schema. Other 404s come from somebody who is no registry. */
    private static final Set<String> NOT_FOUND = Set.of("40401", "40402", "40403");

    private static final String MEDIA_TYPE = "application/vnd.schemaregistry.v1+json";
    private static final long FIRST_MS = 100;
    private static final long LONGEST_MS = 10_000;
    private static final int MOST_DOUBLINGS = 10;

    private final SchemaRegistry registry;
    private final Pause pause;
    private final Random random;
    private final List<RegistryHeader.Ready> headers;

    /** @throws ConnectorException if a secret cannot be had */
    RegistryClient(SchemaRegistry registry, Pause pause, Random random) {
        this.registry = registry;
        this.pause = pause;
        this.random = random;
        headers = registry.readHeaders();
    }

    String url() {
        return registry.url();
    }

    /** What a registry says; null if there is no such thing. */
    @Nullable JsonValue get(String path) throws InterruptedException {
        return ask(path, request(path).GET().build());
    }

    /** The same, for a request with a body. */
    @Nullable JsonValue post(String path, JsonValue body) throws InterruptedException {
        HttpRequest.BodyPublisher sent = HttpRequest.BodyPublishers.ofString(body.toString());
        return ask(
                path,
                request(path).setHeader("Content-Type", MEDIA_TYPE).POST(sent).build());
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(url() + path)).setHeader("Accept", MEDIA_TYPE + ", application/json");
        headers.forEach(each -> request.setHeader(each.name(), each.value()));
        return request;
    }

    private @Nullable JsonValue ask(String path, HttpRequest request) throws InterruptedException {
        HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(registry.connectTimeout())
                .build();
        long waitedMs = 0;
        for (int tries = 1; ; tries++) {
            CompletableFuture<HttpResponse<byte[]>> asked =
                    client.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray());
            String trouble;
            try {
                waitedMs += pause.until(asked, registry.requestTimeoutMs());
                HttpResponse<byte[]> response = response(asked, request);
                if (response.statusCode() < SERVER_ERRORS && !PASSING.contains(response.statusCode())) {
                    return read(path, response);
                }
                trouble = "status " + response.statusCode();
            } catch (TimeoutException e) {
                trouble = "no response within " + registry.requestTimeoutMs() + " ms (requestTimeout)";
            } catch (IOException e) {
                trouble =
                        hidden(OneLine.of(e.getMessage() == null ? e.getClass().getSimpleName() : e.toString()));
            } finally {
                asked.cancel(true); // if it is not done
            }
            long backOffMs = backOffMs(tries);
            if (waitedMs + backOffMs > registry.patienceMs()) {
                throw failure(
                        path,
                        "cannot be asked, tried " + tries + (tries == 1 ? " time" : " times") + ": " + trouble
                                + "; see patience(…)");
            }
            pause.ofMs(backOffMs);
            waitedMs += backOffMs;
        }
    }

    /** The client's own timeout ends with the header of a response, and this one with its body. */
    private HttpResponse<byte[]> response(CompletableFuture<HttpResponse<byte[]>> asked, HttpRequest request)
            throws IOException, InterruptedException, TimeoutException {
        if (!asked.isDone()) {
            throw new TimeoutException();
        }
        try {
            return asked.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException known) {
                throw known;
            }
            throw failure(String.valueOf(request.uri().getPath()), "cannot be asked: " + hidden(OneLine.of(e)));
        }
    }

    /** Twice as long each time, and at random less by up to a half, so that tasks spread. */
    private long backOffMs(int tries) {
        long longest = Math.min(LONGEST_MS, FIRST_MS << Math.min(tries - 1, MOST_DOUBLINGS));
        return longest - random.nextLong(longest / 2 + 1);
    }

    private @Nullable JsonValue read(String path, HttpResponse<byte[]> response) {
        int status = response.statusCode();
        JsonValue body = json(response.body());
        if (status == 200 && body != null) {
            return body;
        }
        String code = body == null
                ? ""
                : body.field("error_code").map(JsonValue::toString).orElse("");
        if (status == 404 && NOT_FOUND.contains(code)) {
            return null;
        }
        String said = body instanceof JsonValue.Fields fields
                        && fields.values().get("message") instanceof JsonValue.Text message
                ? ": " + hidden(OneLine.of(message.value()))
                : "";
        throw failure(
                path,
                switch (status) {
                    case 200 -> "answers with something that is not JSON; is the URL the base of its API?";
                    case 401, 403 -> "answers with status " + status + said + "; see basic(…), bearer(…) and header(…)";
                    case 404 ->
                        "answers with status 404, and not as a schema registry does" + said
                                + "; is the URL the base of its API?";
                    default -> "answers with status " + status + said;
                });
    }

    private static @Nullable JsonValue json(byte[] body) {
        try {
            return JsonReader.of(JsonValue.class, JsonReader.DEFAULT_MAX_DEPTH).read(body, 0, body.length);
        } catch (MalformedException e) {
            return null;
        }
    }

    ConnectorException failure(String path, String reason) {
        return new ConnectorException("schema registry " + url() + ", " + path + ": it " + reason);
    }

    private String hidden(String text) {
        String hidden = text;
        for (RegistryHeader.Ready header : headers) {
            for (String secret : header.hidden()) {
                hidden = secret.isEmpty() ? hidden : hidden.replace(secret, "(hidden)");
            }
        }
        return hidden;
    }
}
