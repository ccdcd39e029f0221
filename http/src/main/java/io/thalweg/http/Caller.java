// SPDX-License-Identifier: Apache-2.0
package io.thalweg.http;

import io.thalweg.api.connector.ConnectorException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.zip.GZIPOutputStream;

/** Makes the requests of one task, one try each. For several threads. */
final class Caller {
    private static final int MOST_REDIRECTS = 5;
    private static final int KEPT = 4 << 10;
    private static final int MOST_READ = 64 << 10;

    private final Service service;
    private final List<Header.Ready> headers;
    private final HttpClient client;
    private final boolean ownContentType;

    /** @throws ConnectorException if a secret cannot be had */
    Caller(Service service) {
        this.service = service;
        headers = service.calling().read();
        client = service.calling().client(Calling.tls(service.uri()));
        ownContentType = headers.stream().anyMatch(each -> each.name().equalsIgnoreCase("Content-Type"));
    }

    /** The bytes that are sent. */
    byte[] compressed(byte[] body) {
        if (!service.gzip()) {
            return body;
        }
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(body);
        } catch (IOException e) {
            throw new IllegalStateException(e); // in memory
        }
        return packed.toByteArray();
    }

    /**
     * A redirect that says to do the same again elsewhere on the same server is followed.
     *
     * @param contentType if the user has given none
     * @throws IOException if there is no complete response
     */
    Answer call(byte[] sent, String key, String contentType) throws IOException, InterruptedException {
        URI uri = service.uri();
        for (int redirects = 0; ; redirects++) {
            Answer answer = Answer.of(response(request(uri, sent, key, contentType)), headers);
            boolean same = answer.status() == 307 || answer.status() == 308;
            URI next = same && redirects < MOST_REDIRECTS ? location(answer, uri) : uri;
            if (!sameOrigin(next, uri) || next.equals(uri)) {
                return answer;
            }
            uri = next;
        }
    }

    private HttpRequest request(URI uri, byte[] sent, String key, String contentType) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri)
                .method(service.method(), HttpRequest.BodyPublishers.ofByteArray(sent))
                .setHeader("Idempotency-Key", key);
        if (!ownContentType) {
            request.setHeader("Content-Type", contentType);
        }
        if (service.gzip()) {
            request.setHeader("Content-Encoding", "gzip");
        }
        headers.forEach(each -> request.setHeader(each.name(), each.value()));
        return request.build();
    }

    /** The client's own timeout ends with the header of a response, and this one with its body. */
    private HttpResponse<FirstBytes> response(HttpRequest request) throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<FirstBytes>> asked =
                client.sendAsync(request, header -> new FirstBytes(KEPT, MOST_READ));
        long timeoutMs = service.calling().requestTimeout().toMillis();
        try {
            return asked.get(timeoutMs, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new NoResponseException("no response within " + timeoutMs + " ms (requestTimeout)", timeoutMs);
        } catch (ExecutionException e) {
            throw failure(e.getCause() == null ? e : e.getCause());
        } finally {
            asked.cancel(true); // if it is not done
        }
    }

    private IOException failure(Throwable thrown) {
        if (thrown instanceof HttpConnectTimeoutException) {
            long timeoutMs = service.calling().connectTimeout().toMillis();
            return new NoResponseException("no connection within " + timeoutMs + " ms (connectTimeout)", timeoutMs);
        }
        if (thrown instanceof IOException known) {
            return known;
        }
        throw new ConnectorException("cannot send " + service + ": " + thrown, thrown);
    }

    private static URI location(Answer answer, URI uri) {
        try {
            return answer.headers().firstValue("Location").map(uri::resolve).orElse(uri);
        } catch (IllegalArgumentException e) {
            return uri;
        }
    }

    private static boolean sameOrigin(URI one, URI other) {
        return String.valueOf(one.getScheme()).equalsIgnoreCase(other.getScheme())
                && String.valueOf(one.getHost()).equalsIgnoreCase(other.getHost())
                && one.getPort() == other.getPort();
    }
}
