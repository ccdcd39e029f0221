// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.ack;

/** How long a record that failed waits before it is sent again: twice as long after each failure, up to a bound. */
public final class Backoff {
    public static final long FIRST_NS = 10_000_000;
    public static final long LONGEST_NS = 30_000_000_000L;
    private static final int MOST_DOUBLINGS = 20;

    private Backoff() {}

    /** @param failures of the record so far, from 1 */
    public static long waitNs(int failures) {
        return Math.min(LONGEST_NS, FIRST_NS << Math.min(MOST_DOUBLINGS, failures - 1));
    }
}
