// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

/** What a worker does when none of its tasks has anything to do. */
public enum Idle {
    /** Looks again at once: the lowest latency, and a whole core for each worker, as far as nobody else wants it. */
    SPIN(Long.MAX_VALUE),
    /** Looks again for some microseconds while records come that close together; else sleeps at once until it is woken. */
    BALANCED(20_000),
    /** Sleeps at once until it is woken: the least CPU. */
    PARK(0);

    private final long spinNs;

    Idle(long spinNs) {
        this.spinNs = spinNs;
    }

    /** How long a worker looks again before it sleeps, at most. */
    public long spinNs() {
        return spinNs;
    }
}
