// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.flink;

import io.thalweg.doctor.observation.OneLine;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Asks the REST API of a cluster. Whatever it answers is bounded in size and time. */
public final class FlinkRest {
    /** Of an answer; the list of the metrics of a vertex with a thousand tasks is smaller. */
    private static final int MOST_BYTES = 16 * 1024 * 1024;

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;

    private final HttpClient client;
    private final String scheme;
    private final String address;
    private final Duration patience;

    /**
     * @param client to ask with; it follows no redirects
     * @param scheme {@code http} or {@code https}
     * @param address {@code HOST:PORT} of the REST endpoint
     */
    public FlinkRest(HttpClient client, String scheme, String address) {
        this(client, scheme, address, PATIENCE);
    }

    /** @param patience for a whole answer */
    FlinkRest(HttpClient client, String scheme, String address, Duration patience) {
        this.patience = patience;
        this.client = client;
        this.scheme = scheme;
        this.address = address;
    }

    String address() {
        return address;
    }

    /**
     * What is at a path.
     *
     * @throws IOException if nothing is there, or nobody answers, or not as Flink does; the message is one line
     */
    Answer get(String path) throws IOException, InterruptedException {
        Answer answer = find(path);
        if (answer == null) {
            throw new IOException(
                    address + " does not answer as Flink's REST API does: it has no " + withoutQuery(path));
        }
        return answer;
    }

    /** What is at a path; null if nothing is. */
    @Nullable Answer find(String path) throws IOException, InterruptedException {
        HttpResponse<byte[]> response = ask(path);
        if (response.statusCode() == NOT_FOUND) {
            return null;
        }
        if (response.statusCode() != OK) {
            throw new IOException(address + " answers with HTTP status " + response.statusCode() + " to "
                    + withoutQuery(path) + "; is that Flink's REST port?");
        }
        return read(path, Answer::of, response);
    }

    /** The same, of what a diagnosis can do without: null also if the cluster refuses to say it, or does not know it now. */
    @Nullable Answer findIfTold(String path) throws IOException, InterruptedException {
        HttpResponse<byte[]> response = ask(path);
        return response.statusCode() == OK ? read(path, Answer::of, response) : null;
    }

    /** The same, of stacks. */
    @Nullable Answer findStacks(String path) throws IOException, InterruptedException {
        HttpResponse<byte[]> response = ask(path);
        return response.statusCode() == OK ? read(path, Answer::ofStacks, response) : null;
    }

    private interface Reading {
        Answer of(byte[] text) throws IOException;
    }

    private Answer read(String path, Reading reading, HttpResponse<byte[]> response) throws IOException {
        try {
            return reading.of(response.body());
        } catch (IOException e) {
            throw new IOException(
                    address + " does not answer as Flink's REST API does: what is at " + withoutQuery(path)
                            + " is not JSON",
                    e);
        }
    }

    private HttpResponse<byte[]> ask(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(scheme + "://" + address + path))
                .timeout(patience)
                .build();
        CompletableFuture<HttpResponse<byte[]>> asked = client.sendAsync(request, begun -> new BoundedBody(MOST_BYTES));
        try {
            return asked.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            asked.cancel(true);
            throw slow(e);
        } catch (ExecutionException e) {
            throw unreachable(e.getCause() == null ? e : e.getCause());
        }
    }

    private static String withoutQuery(String path) {
        return path.replaceFirst("[?].*", "");
    }

    private IOException slow(Throwable failure) {
        return new IOException(
                address + " does not answer within " + patience.toMillis() / 1_000.0 + " s; is that Flink's REST port?",
                failure);
    }

    private IOException unreachable(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof UnresolvedAddressException) {
                return new IOException("there is no host of this name: " + address, failure);
            }
        }
        if (failure instanceof HttpTimeoutException && !(failure instanceof HttpConnectTimeoutException)) {
            return slow(failure);
        }
        if (failure instanceof HttpConnectTimeoutException) {
            return new IOException("nobody answers at " + address + ": no connection within some seconds", failure);
        }
        if (failure instanceof ConnectException) {
            return new IOException(
                    "nobody answers at " + address
                            + ": connection refused; HOST:PORT is the REST port of Flink's JobManager, 8081 by default",
                    failure);
        }
        return new IOException(
                address + " does not answer as Flink's REST API does: "
                        + OneLine.of(String.valueOf(failure.getMessage())) + "; is that its REST port, without TLS?",
                failure);
    }
}
