// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import io.thalweg.run.Clock;
import java.time.Duration;

/** Whether a job was asked to stop, and when. Any thread may call. */
final class StopRequest {
    private final Clock clock;
    private final long timeoutNs;
    private volatile boolean cancelled;
    private volatile long cancelledNs;
    private volatile boolean draining;

    /** @param timeout after which the job stops without waiting further */
    StopRequest(Clock clock, Duration timeout) {
        this.clock = clock;
        timeoutNs = timeout.toNanos();
    }

    void cancel() {
        cancelledNs = cancelled ? cancelledNs : clock.nowNs();
        cancelled = true;
    }

    /** Ends the input at the positions that sources have reached. */
    void drain() {
        draining = true;
    }

    boolean cancelled() {
        return cancelled;
    }

    boolean draining() {
        return draining;
    }

    /** True if the job was cancelled and the timeout has passed. */
    boolean overdue() {
        return cancelled && clock.nowNs() - cancelledNs >= timeoutNs;
    }
}
