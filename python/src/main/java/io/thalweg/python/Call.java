// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A row that waits for its result. */
final class Call extends CompletableFuture<@Nullable Object> {
    /**
     * The result of a row that failed, if it has a key: who waits for it must know that the row is done.
     */
    record Failed(Throwable thrown) {}

    /** Instead of a time. */
    static final long TIMELESS = Long.MIN_VALUE;

    final Object row;

    /** By which the state of its key has expired or not; {@link #TIMELESS} if it never does. */
    final long time;

    private final @Nullable KeyRows key;

    /** @param key null if rows have none */
    Call(Object row, @Nullable KeyRows key, long time) {
        this.row = row;
        this.key = key;
        this.time = time;
    }

    KeyRows key() {
        if (key == null) {
            throw new IllegalStateException("a row without a key");
        }
        return key;
    }

    void fail(Throwable thrown) {
        if (key == null) {
            completeExceptionally(thrown);
        } else {
            complete(new Failed(thrown));
        }
    }
}
