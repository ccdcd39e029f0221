// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import java.lang.reflect.UndeclaredThrowableException;
import org.jspecify.annotations.Nullable;

/** Closes the tasks of an executor one after the other, also where one of them fails: others may have processes. */
final class Closing {
    private @Nullable Throwable failure;

    void run(Runnable close) {
        try {
            close.run();
        } catch (Throwable e) { // hooks in Kotlin, say, throw checked ones too
            if (failure == null) {
                failure = e;
            } else if (failure != e) {
                failure.addSuppressed(e);
            }
        }
    }

    /** Throws what failed, if anything has. */
    void end() {
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        if (failure != null) {
            throw new UndeclaredThrowableException(failure, failure.toString());
        }
    }
}
