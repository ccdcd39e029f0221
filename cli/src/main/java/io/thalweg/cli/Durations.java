// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as options take them: {@code 10s}. */
public final class Durations {
    private static final Pattern TIME = Pattern.compile("([1-9][0-9]{0,5})(ms|s|m|h)");

    private Durations() {}

    /**
     * Reads one.
     *
     * @param option for the message
     * @throws UsageException if it is none
     */
    public static Duration of(String option, String text) {
        Matcher matcher = TIME.matcher(text);
        if (!matcher.matches()) {
            throw new UsageException(
                    option + " takes a number of at most six digits and ms, s, m or h, such as 10s, not " + text);
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            default -> Duration.ofHours(number);
        };
    }
}
