// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** How a task waits, for an answer and before it asks again; tests do not wait. */
@FunctionalInterface
interface Pause {
    /** A decoder has no clock: the time that an answer takes is counted in such steps. */
    long STEP_MS = 100;

    /** Until a job that is killed interrupts the thread. */
    Pause REAL = ms -> {
        if (new CountDownLatch(1).await(ms, TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("nobody counts down");
        }
    };

    void ofMs(long ms) throws InterruptedException;

    /** Waits until it is done, or for so long, and says how long that was, in whole steps. */
    default long until(CompletableFuture<?> asked, long atMostMs) throws InterruptedException {
        long waitedMs = 0;
        while (waitedMs < atMostMs) {
            long stepMs = Math.min(STEP_MS, atMostMs - waitedMs);
            try {
                asked.get(stepMs, TimeUnit.MILLISECONDS);
                return waitedMs;
            } catch (ExecutionException e) {
                return waitedMs; // who has asked sees why
            } catch (TimeoutException e) {
                waitedMs += stepMs;
            }
        }
        return waitedMs;
    }
}
