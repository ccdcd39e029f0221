// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import java.time.Duration;

/** How messages tell a duration. */
public final class DurationText {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private DurationText() {}

    /** {@code 30 s}, rounded; {@code 400 ms} if it is less than a second. */
    public static String of(Duration time) {
        return time.compareTo(SECOND) < 0
                ? time.toMillis() + " ms"
                : time.plusMillis(500).toSeconds() + " s";
    }
}
