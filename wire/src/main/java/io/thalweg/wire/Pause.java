// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** How a task waits before it asks again; tests do not wait. */
@FunctionalInterface
interface Pause {
    /** Until a job that is killed interrupts the thread. */
    Pause REAL = ms -> {
        if (new CountDownLatch(1).await(ms, TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("nobody counts down");
        }
    };

    void ofMs(long ms) throws InterruptedException;
}
