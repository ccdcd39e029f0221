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

    final Object row;
    private final @Nullable KeyRows key;

    /** @param key null if rows have none */
    Call(Object row, @Nullable KeyRows key) {
        this.row = row;
        this.key = key;
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
