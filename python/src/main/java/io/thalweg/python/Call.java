// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A row that waits for its result. */
final class Call extends CompletableFuture<@Nullable Object> {
    final Object row;

    Call(Object row) {
        this.row = row;
    }
}
