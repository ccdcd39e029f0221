// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.work;

import io.thalweg.run.Clock;

/**
 * How long a task may emit in one turn. Whoever may emit many records asks between two of them. The clock is looked at after the first, the
 * second, the fourth and so on, and then after every {@link #MOST_BETWEEN}; more often where they are slow. Each turn emits at least one.
 */
public final class TurnLimit {
    private static final long LONGEST_NS = 5_000_000;
    private static final long SHORT_NS = 1_000_000;
    private static final int MOST_BETWEEN = 256;

    private final Clock clock;

    /** Records between two looks; 0 before the first in the turn. */
    private int between;

    /** Records before the next look. */
    private int left;

    private long firstNs;
    private long lastNs;
    private boolean over;

    public TurnLimit(Clock clock) {
        this.clock = clock;
    }

    /** For a task that another engine runs: its turns have no limit. */
    public static TurnLimit none() {
        return new TurnLimit(() -> 0);
    }

    /** A turn begins. */
    public void begin() {
        between = 0;
        left = 0;
        over = false;
    }

    /** Asked between two records: true if the rest must wait for the next turn. */
    public boolean isReached() {
        return --left <= 0 && look();
    }

    /** True if {@link #isReached} has been true in this turn, or was in the last one and none has begun since. */
    public boolean isOver() {
        return over;
    }

    private boolean look() {
        long nowNs = clock.nowNs();
        if (between == 0) {
            firstNs = nowNs;
            between = 1;
        } else if (nowNs - lastNs < SHORT_NS) {
            between = Math.min(MOST_BETWEEN, 2 * between);
        } else {
            between = Math.max(1, between / 2);
        }
        lastNs = nowNs;
        left = between;
        over = nowNs - firstNs >= LONGEST_NS;
        return over;
    }
}
