// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import java.time.Duration;

/**
 * When a failed job is restarted from its last checkpoint. Only consecutive failures count: once the job has completed
 * a checkpoint that contains everything it had read when it failed, the count starts again at 0.
 *
 * @param times maximum number of consecutive restarts
 * @param first delay before the first restart
 * @param longest the delay doubles with each failure up to this one (exponential backoff)
 */
public record Restart(int times, Duration first, Duration longest) {
    /**
     * On a runner that does not report how far sources have read: after this long without a failure, earlier ones no
     * longer count.
     */
    public static final Duration FORGOTTEN_AFTER = Duration.ofHours(1);

    private static final Duration BACKOFF_FIRST = Duration.ofSeconds(1);
    private static final Duration BACKOFF_LONGEST = Duration.ofMinutes(1);

    /** No restart: the first failure ends the job. */
    public static Restart none() {
        return new Restart(0, Duration.ZERO, Duration.ZERO);
    }

    /** A number of consecutive restarts with a fixed delay. */
    public static Restart fixed(int times, Duration wait) {
        return new Restart(times, wait, wait);
    }

    /** An unlimited number of restarts, after one second, two, four, up to a minute. */
    public static Restart backoff() {
        return new Restart(Integer.MAX_VALUE, BACKOFF_FIRST, BACKOFF_LONGEST);
    }

    /**
     * The delay after this many consecutive failures.
     *
     * @param failures from 1
     */
    public Duration wait(int failures) {
        Duration doubled = first.multipliedBy(1L << Math.min(30, failures - 1));
        return doubled.compareTo(longest) > 0 ? longest : doubled;
    }
}
