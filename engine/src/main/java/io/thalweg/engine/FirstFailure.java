// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import org.jspecify.annotations.Nullable;

/** The first failure of a job; later ones are ignored. Allocates nothing, because memory may be short. Any thread may call. */
final class FirstFailure {
    private volatile @Nullable Throwable thrown;
    private volatile String task = "";

    /** @param of the task that failed; empty if none did */
    synchronized void set(String of, Throwable reason) {
        if (thrown == null) {
            task = of;
            thrown = reason;
        }
    }

    /** Null if nothing has failed. */
    @Nullable Throwable thrown() {
        return thrown;
    }

    String task() {
        return task;
    }
}
