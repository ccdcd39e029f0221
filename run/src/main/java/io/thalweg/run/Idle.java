// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

/** What a worker thread does when none of its tasks has anything to do. */
public enum Idle {
    /** Polls again immediately: the lowest latency, at the cost of a whole core per worker. */
    SPIN(Long.MAX_VALUE),
    /**
     * Polls again for some microseconds while records come that close together; otherwise parks immediately until it is
     * woken. The default.
     */
    BALANCED(20_000),
    /** Parks immediately until it is woken: the least CPU. */
    PARK(0);

    private final long spinNs;

    Idle(long spinNs) {
        this.spinNs = spinNs;
    }

    /** The longest time that a worker polls before it parks, in nanoseconds. */
    public long spinNs() {
        return spinNs;
    }
}
