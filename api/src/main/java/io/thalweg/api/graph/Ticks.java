// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import io.thalweg.api.operator.TickingOperator;

/** When a {@link TickingOperator} is called, for all runners. Not thread-safe. */
public final class Ticks {
    private final long everyMs;
    private long dueMs;

    /**
     * The first tick comes one interval from now.
     *
     * @throws IllegalArgumentException if the interval is less than a millisecond
     */
    public Ticks(TickingOperator<?, ?> operator, long nowMs) {
        everyMs = everyMs(operator);
        dueMs = nowMs + everyMs;
    }

    static long everyMs(TickingOperator<?, ?> operator) {
        long ms = operator.tickEvery().toMillis();
        if (ms < 1) {
            throw new IllegalArgumentException(operator.getClass().getSimpleName() + " ticks every "
                    + operator.tickEvery() + "; let tickEvery() return a millisecond or more");
        }
        return ms;
    }

    /** When the next tick is due, in epoch milliseconds. */
    public long dueMs() {
        return dueMs;
    }

    /**
     * Takes the tick that is due; those that were missed since are left out.
     *
     * @param nowMs the clock; if it was set back, the tick is taken all the same
     * @return when the tick was due
     */
    public long take(long nowMs) {
        long last = dueMs + Math.max(0, nowMs - dueMs) / everyMs * everyMs;
        dueMs = last + everyMs;
        return last;
    }
}
