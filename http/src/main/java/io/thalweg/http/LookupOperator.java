// SPDX-License-Identifier: Apache-2.0
package io.thalweg.http;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Decoder;
import io.thalweg.api.operator.AsyncOperator;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.NullableFunction;
import io.thalweg.api.operator.OperatorContext;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The lookups of one task, with a client of its own. */
final class LookupOperator<T, R> implements AsyncOperator<T, R> {
    private static final int MOST_BYTES = 1 << 20;

    private final Calling calling;
    private final Decoder.Decoding<R> decoding;
    private final NullableFunction<? super T, String> url;
    private @Nullable HttpClient client;
    private List<Header.Ready> headers = List.of();

    LookupOperator(Calling calling, Decoder<R> decoder, NullableFunction<? super T, String> url) {
        this.calling = calling;
        decoding = decoder.open();
        this.url = url;
    }

    @Override
    public void open(OperatorContext context) {
        headers = calling.read();
        client = calling.client(true);
    }

    @Override
    public CompletionStage<? extends @Nullable R> apply(T value) throws Exception {
        HttpClient open = client;
        if (open == null) {
            throw new IllegalStateException("not open");
        }
        String text = url.apply(value);
        if (text == null) {
            return CompletableFuture.completedFuture(null);
        }
        URI uri = uri(text, value);
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).GET();
        if (!Calling.tls(uri)) {
            request.version(HttpClient.Version.HTTP_1_1);
        }
        headers.forEach(each -> request.setHeader(each.name(), each.value()));
        Request<R> result = new Request<>();
        result.follow(
                open.sendAsync(request.build(), header -> new FirstBytes(MOST_BYTES, MOST_BYTES)),
                response -> result(response, uri, value),
                thrown -> failure(thrown, uri));
        return result;
    }

    private static URI uri(String text, Object value) {
        try {
            return Calling.uri(text);
        } catch (IllegalArgumentException e) {
            throw new BadRecordException(String.valueOf(e.getMessage()), String.valueOf(value));
        }
    }

    private @Nullable R result(HttpResponse<FirstBytes> response, URI uri, Object value) throws Exception {
        int status = response.statusCode();
        if (status == 404 || status == 204) {
            return null;
        }
        if (status < 200 || status >= 300) {
            throw new ConnectorException("cannot look up " + Calling.place(uri) + ": "
                    + Answer.of(response, headers).words());
        }
        if (response.body().cut()) {
            throw new ConnectorException("cannot look up " + Calling.place(uri) + ": the response has more than "
                    + (MOST_BYTES >> 20) + " MiB");
        }
        byte[] body = response.body().bytes();
        try {
            synchronized (decoding) {
                R found = decoding.decode(body, 0, body.length);
                if (found == null) { // against its contract; a null would be taken for 404
                    throw new BadRecordException("its decoder gives null, which is no record", body);
                }
                return found;
            }
        } catch (BadRecordException e) {
            throw new BadRecordException(
                    "the response of " + Calling.place(uri) + " cannot be decoded: " + e.getMessage(),
                    String.valueOf(value));
        }
    }

    private static Throwable failure(Throwable thrown, URI uri) {
        Throwable cause =
                thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        if (!(cause instanceof IOException known)) {
            return cause;
        }
        String host = String.valueOf(uri.getHost());
        String reason = Failures.hopeless(known, host).orElse(Failures.reason(known, host));
        return new ConnectorException("cannot look up " + Calling.place(uri) + ": " + reason, null);
    }

    /** A future whose cancellation, as when it is late, ends the request. */
    private static final class Request<R> extends CompletableFuture<@Nullable R> {
        private volatile @Nullable CompletableFuture<?> running;

        interface Result<R> {
            @Nullable R of(HttpResponse<FirstBytes> response) throws Exception;
        }

        void follow(
                CompletableFuture<HttpResponse<FirstBytes>> asked, Result<R> result, UnaryOperator<Throwable> failure) {
            running = asked;
            var unused = asked.whenComplete((response, thrown) -> {
                try {
                    if (thrown == null) {
                        complete(result.of(response));
                    } else {
                        completeExceptionally(failure.apply(thrown));
                    }
                } catch (Throwable bad) {
                    completeExceptionally(bad);
                }
            });
        }

        @Override
        public boolean cancel(boolean interrupt) {
            CompletableFuture<?> asked = running;
            boolean cancelled = super.cancel(interrupt);
            if (cancelled && asked != null) {
                asked.cancel(true);
            }
            return cancelled;
        }
    }

    /** What is in flight is cancelled by whoever waits for it. */
    @Override
    public void close() {
        client = null;
    }
}
