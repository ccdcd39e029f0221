// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import io.thalweg.run.Clock;
import java.time.Duration;

/** Whether a job is to stop, and since when. Any thread may call. */
final class StopRequest {
    private final Clock clock;
    private final long timeoutNs;
    private volatile boolean cancelled;
    private volatile long cancelledNs;
    private volatile boolean draining;

    /** @param timeout after which the job stops in any case */
    StopRequest(Clock clock, Duration timeout) {
        this.clock = clock;
        timeoutNs = timeout.toNanos();
    }

    void cancel() {
        cancelledNs = cancelled ? cancelledNs : clock.nowNs();
        cancelled = true;
    }

    /** The input ends where sources have read to. */
    void drain() {
        draining = true;
    }

    boolean cancelled() {
        return cancelled;
    }

    boolean draining() {
        return draining;
    }

    /** The job was cancelled, and has had the time that it may take. */
    boolean overdue() {
        return cancelled && clock.nowNs() - cancelledNs >= timeoutNs;
    }
}
