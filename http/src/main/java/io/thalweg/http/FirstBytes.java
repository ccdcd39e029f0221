// SPDX-License-Identifier: Apache-2.0
package io.thalweg.http;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Keeps the beginning of a response's body, whose end nobody has promised. */
final class FirstBytes implements HttpResponse.BodySubscriber<FirstBytes> {
    private final int most;
    private final int mostRead;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private final CompletableFuture<FirstBytes> result = new CompletableFuture<>();
    private Flow.@Nullable Subscription subscription;
    private long read;

    /**
     * @param most bytes to keep
     * @param mostRead bytes after which the connection is worth less than what would still have to be read
     */
    FirstBytes(int most, int mostRead) {
        this.most = most;
        this.mostRead = mostRead;
    }

    byte[] bytes() {
        return kept.toByteArray();
    }

    /** There were more than are kept. */
    boolean cut() {
        return read > kept.size();
    }

    @Override
    public CompletionStage<FirstBytes> getBody() {
        return result;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription = given;
        given.request(1);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        for (ByteBuffer each : buffers) {
            read += each.remaining();
            byte[] some = new byte[Math.min(each.remaining(), most - kept.size())];
            each.get(some);
            kept.writeBytes(some);
        }
        Flow.Subscription given = subscription;
        if (given == null) {
            return;
        }
        if (read > mostRead) {
            given.cancel();
            result.complete(this);
        } else {
            given.request(1);
        }
    }

    @Override
    public void onError(Throwable thrown) {
        result.completeExceptionally(thrown);
    }

    @Override
    public void onComplete() {
        result.complete(this);
    }
}
