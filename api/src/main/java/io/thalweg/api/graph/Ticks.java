// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import io.thalweg.api.operator.TickingOperator;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** When a {@link TickingOperator} is called, for all runners. Not thread-safe. */
public final class Ticks {
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofDays(36_525);

    private final long everyMs;
    private long dueMs;

    /**
     * The first tick comes one interval from now.
     *
     * @throws IllegalArgumentException if the interval is null, less than a millisecond or more than 100 years
     */
    public Ticks(TickingOperator<?, ?> operator, long nowMs) {
        everyMs = everyMs(operator);
        dueMs = nowMs + everyMs;
    }

    static long everyMs(TickingOperator<?, ?> operator) {
        @Nullable Duration every = operator.tickEvery();
        if (every == null || every.compareTo(SHORTEST) < 0 || every.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(operator.getClass().getSimpleName() + " ticks every " + every
                    + "; let tickEvery() return from a millisecond to 100 years");
        }
        return every.toMillis();
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
