// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import java.time.Duration;

/**
 * How long the parts of a run may take.
 *
 * @param measure the measured part
 * @param warmUp before it, at least
 * @param warmUpAtMost after which it is measured all the same, and said so
 * @param startAtMost until the first record comes out
 * @param drainAtMost from the stop until everything has come out
 */
public record Timing(
        Duration measure, Duration warmUp, Duration warmUpAtMost, Duration startAtMost, Duration drainAtMost) {
    public static final Timing QUICK = new Timing(
            Duration.ofSeconds(3),
            Duration.ofSeconds(2),
            Duration.ofSeconds(15),
            Duration.ofSeconds(90),
            Duration.ofSeconds(60));

    /** The same, with a measured part that is at least so long. */
    Timing measuring(Duration atLeast) {
        return atLeast.compareTo(measure) <= 0
                ? this
                : new Timing(atLeast, warmUp, warmUpAtMost, startAtMost, drainAtMost);
    }

    /** @param seconds of the measured part */
    public static Timing of(int seconds) {
        return new Timing(
                Duration.ofSeconds(seconds),
                Duration.ofSeconds(30),
                Duration.ofSeconds(120),
                Duration.ofSeconds(120),
                Duration.ofSeconds(120));
    }
}
