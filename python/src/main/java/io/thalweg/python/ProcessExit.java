// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How a process ended.
 *
 * @param code its exit code; 128 and the number of the signal if one ended it
 * @param late true if it has ended itself, or we have, because it did not answer in time
 * @param lines the last that it wrote, oldest first
 */
record ProcessExit(long pid, int code, boolean late, List<String> lines) {
    private static final int WRONG_VERSION = 91;
    private static final int SIGNAL = 128;

    /** The last signal: what is above it a program has chosen itself, such as 255 by {@code exit(-1)}. */
    private static final int LAST_SIGNAL = SIGNAL + 64;

    private static final int MOST_SHOWN = 3;

    private static final Pattern PLACE = Pattern.compile("\\s*File \"(.*)\", line (\\d+) in (.*)");

    boolean hung() {
        return late;
    }

    boolean bySignal() {
        return code > SIGNAL && code <= LAST_SIGNAL;
    }

    /** The version of an interpreter that is too old; null if it is not that. */
    @Nullable String wrongVersion() {
        return code != WRONG_VERSION
                ? null
                : lines.stream()
                        .filter(line -> line.startsWith("thalweg: python "))
                        .map(line -> line.substring("thalweg: python ".length()))
                        .findFirst()
                        .orElse(null);
    }

    /** In a few words: {@code exit code 1}. */
    String cause() {
        return bySignal() ? "killed by signal " + (code - SIGNAL) : "exit code " + code;
    }

    /** The cause, and what it wrote last. */
    String causeAndLines() {
        List<String> shown = lines.stream().filter(line -> !line.isBlank()).toList();
        shown = shown.subList(Math.max(0, shown.size() - MOST_SHOWN), shown.size());
        return cause() + (shown.isEmpty() ? "" : "; it wrote last: " + String.join(" | ", shown));
    }

    /** Where in the user's files it was when its time was up; empty if it has not said. */
    String place(Program program) {
        for (String line : lines) {
            Matcher place = PLACE.matcher(line);
            if (place.matches()
                    && program.modules().stream()
                            .anyMatch(module -> module.path().equals(place.group(1)))) {
                return "; it was in " + place.group(3) + ", " + place.group(1) + ", line " + place.group(2);
            }
        }
        return "";
    }
}
