// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** How a thread waits before it tries again; tests do not wait. */
@FunctionalInterface
interface Pause {
    /** Until the thread is interrupted. */
    Pause REAL = ms -> {
        if (new CountDownLatch(1).await(ms, TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("nobody counts down");
        }
    };

    void ofMs(long ms) throws InterruptedException;
}
