// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import io.thalweg.api.operator.AsyncFunction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A service that answers when the test tells it to. For one thread. */
final class Answers implements AsyncFunction<Long, String> {
    private static final long serialVersionUID = 1L;

    private final transient List<Long> asked = new ArrayList<>();
    private final transient Map<Long, CompletableFuture<String>> open = new LinkedHashMap<>();

    @Override
    public CompletableFuture<String> apply(Long value) {
        asked.add(value);
        CompletableFuture<String> future = new CompletableFuture<>();
        open.put(value, future);
        return future;
    }

    /** All requests, in their order. */
    List<Long> asked() {
        return List.copyOf(asked);
    }

    /** The last request for this value. */
    CompletableFuture<String> to(long value) {
        CompletableFuture<String> future = open.get(value);
        if (future == null) {
            throw new IllegalStateException("nobody asked for " + value);
        }
        return future;
    }

    void answer(long... values) {
        for (long value : values) {
            to(value).complete("=" + value);
        }
    }

    void answer(long value, @Nullable String with) {
        to(value).complete(with);
    }

    void fail(long value, Throwable with) {
        to(value).completeExceptionally(with);
    }
}
