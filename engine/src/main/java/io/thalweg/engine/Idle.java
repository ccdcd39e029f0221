// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

/** What a worker does when none of its tasks has anything to do. */
public enum Idle {
    /** Looks again at once: the lowest latency, and a whole core for each worker, as far as nobody else wants it. */
    SPIN(Integer.MAX_VALUE),
    /** Looks again about a thousand times, then sleeps until it is woken. */
    BALANCED(1_000),
    /** Sleeps at once until it is woken: the least CPU. */
    PARK(0);

    private final int spins;

    Idle(int spins) {
        this.spins = spins;
    }

    int spins() {
        return spins;
    }
}
