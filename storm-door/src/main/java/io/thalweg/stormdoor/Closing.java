// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import org.jspecify.annotations.Nullable;

/** Closes the tasks of an executor one after the other, also where one of them fails: others may have processes. */
final class Closing {
    private @Nullable RuntimeException failure;

    void run(Runnable close) {
        try {
            close.run();
        } catch (RuntimeException e) {
            if (failure == null) {
                failure = e;
            } else if (failure != e) {
                failure.addSuppressed(e);
            }
        }
    }

    /** Throws what failed, if anything has. */
    void end() {
        if (failure != null) {
            throw failure;
        }
    }
}
