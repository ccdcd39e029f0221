// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.flink;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Takes the body of an answer, up to a size. */
final class BoundedBody implements HttpResponse.BodySubscriber<byte[]> {
    private final int most;
    private final CompletableFuture<byte[]> whole = new CompletableFuture<>();
    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    private Flow.@Nullable Subscription subscription;

    /** @param most bytes; a larger body is an {@link IOException} */
    BoundedBody(int most) {
        this.most = most;
    }

    @Override
    public CompletionStage<byte[]> getBody() {
        return whole;
    }

    @Override
    public void onSubscribe(Flow.Subscription begun) {
        subscription = begun;
        begun.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> parts) {
        for (ByteBuffer part : parts) {
            if (part.remaining() > most - taken.size()) {
                whole.completeExceptionally(new IOException("its answer is larger than " + most + " bytes"));
                if (subscription != null) {
                    subscription.cancel();
                }
                return;
            }
            byte[] bytes = new byte[part.remaining()];
            part.get(bytes);
            taken.write(bytes, 0, bytes.length);
        }
    }

    @Override
    public void onError(Throwable failure) {
        whole.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
        whole.complete(taken.toByteArray());
    }
}
