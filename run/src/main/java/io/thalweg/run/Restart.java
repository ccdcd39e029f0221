// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import java.time.Duration;

/**
 * When a job that failed is started again from its last checkpoint. Failures count while they follow one another: when the job
 * has completed a checkpoint that holds all that it had read when it failed, it begins again at none.
 *
 * @param times how often in a row at most
 * @param first how long to wait before the first time
 * @param longest the wait doubles with each failure up to this
 */
public record Restart(int times, Duration first, Duration longest) {
    /** On an engine that does not say how far sources have read: without a failure for so long, earlier ones do not count. */
    public static final Duration FORGOTTEN_AFTER = Duration.ofHours(1);

    private static final Duration BACKOFF_FIRST = Duration.ofSeconds(1);
    private static final Duration BACKOFF_LONGEST = Duration.ofMinutes(1);

    public static Restart none() {
        return new Restart(0, Duration.ZERO, Duration.ZERO);
    }

    public static Restart fixed(int times, Duration wait) {
        return new Restart(times, wait, wait);
    }

    /** Again and again, after a second, two, four, up to a minute. */
    public static Restart backoff() {
        return new Restart(Integer.MAX_VALUE, BACKOFF_FIRST, BACKOFF_LONGEST);
    }

    /** How long to wait after so many failures in a row, from 1. */
    public Duration wait(int failures) {
        Duration doubled = first.multipliedBy(1L << Math.min(30, failures - 1));
        return doubled.compareTo(longest) > 0 ? longest : doubled;
    }
}
