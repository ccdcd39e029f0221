// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import java.time.Duration;

/**
 * How records are confirmed in a job that is acked.
 *
 * @param maxPending records of one source task that were sent and are not done
 * @param timeout after which a record is sent again
 */
public record AckSettings(int maxPending, Duration timeout) {
    private static final int MAX_PENDING = 10_000;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final long FIRST_WAIT_NS = 10_000_000;
    private static final long LONGEST_WAIT_NS = 30_000_000_000L;
    private static final int MOST_DOUBLINGS = 20;

    public AckSettings {
        if (maxPending < 1) {
            throw new IllegalArgumentException("at least one record must be allowed to be pending, not " + maxPending);
        }
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("the timeout of acks must be positive, not " + timeout);
        }
    }

    /** 10,000 pending a source task, sent again after 30 seconds. */
    public static AckSettings defaults() {
        return new AckSettings(MAX_PENDING, TIMEOUT);
    }

    /**
     * How long a record waits before it is sent again: 10 ms after its first failure, then twice as long each time, 30 s at most.
     *
     * @param failures of the record so far, from 1
     */
    public static Duration wait(int failures) {
        return Duration.ofNanos(waitNs(failures));
    }

    /** As {@link #wait}, in nanoseconds. */
    public static long waitNs(int failures) {
        return Math.min(LONGEST_WAIT_NS, FIRST_WAIT_NS << Math.min(MOST_DOUBLINGS, failures - 1));
    }

    public AckSettings withMaxPending(int value) {
        return new AckSettings(value, timeout);
    }

    public AckSettings withTimeout(Duration value) {
        return new AckSettings(maxPending, value);
    }
}
