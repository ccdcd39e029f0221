// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import java.time.Duration;

/**
 * How source records are tracked in a job with the guarantee {@code acked}.
 *
 * @param maxPending maximum number of unacked records of one source task; at this limit the source stops reading
 *     (backpressure)
 * @param timeout after which a record without an ack is retried
 */
public record AckSettings(int maxPending, Duration timeout) {
    private static final int MAX_PENDING = 10_000;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final long FIRST_WAIT_NS = 10_000_000;
    private static final long LONGEST_WAIT_NS = 30_000_000_000L;
    private static final int MOST_DOUBLINGS = 20;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if {@code maxPending} is less than 1, or the timeout is not positive
     */
    public AckSettings {
        if (maxPending < 1) {
            throw new IllegalArgumentException("at least one record must be allowed to be pending, not " + maxPending);
        }
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("the timeout of acks must be positive, not " + timeout);
        }
    }

    /** At most 10,000 pending records per source task, and a timeout of 30 seconds. */
    public static AckSettings defaults() {
        return new AckSettings(MAX_PENDING, TIMEOUT);
    }

    /**
     * The delay before a retry (exponential backoff): 10 ms after the first failure, doubled each time, 30 s at most.
     *
     * @param failures of the record so far, from 1
     */
    public static Duration wait(int failures) {
        return Duration.ofNanos(waitNs(failures));
    }

    /** The same as {@link #wait}, in nanoseconds. */
    public static long waitNs(int failures) {
        return Math.min(LONGEST_WAIT_NS, FIRST_WAIT_NS << Math.min(MOST_DOUBLINGS, failures - 1));
    }

    /** The same settings with another maximum of pending records, at least 1. */
    public AckSettings withMaxPending(int value) {
        return new AckSettings(value, timeout);
    }

    /** The same settings with another timeout, which must be positive. */
    public AckSettings withTimeout(Duration value) {
        return new AckSettings(maxPending, value);
    }
}
