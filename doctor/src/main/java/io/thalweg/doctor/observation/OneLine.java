// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.observation;

import java.util.List;

/** Makes short lines of what others wrote. */
public final class OneLine {
    private static final int LONGEST = 400;

    private OneLine() {}

    /** The first line that is not blank, cut if it is long; empty if there is none. */
    public static String of(String text) {
        String line = text.lines()
                .map(String::strip)
                .filter(each -> !each.isEmpty())
                .findFirst()
                .orElse("");
        return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "…";
    }

    /** The innermost cause of a stack trace. */
    public static String cause(String trace) {
        List<String> causes = trace.lines()
                .filter(line -> line.startsWith("Caused by: "))
                .map(line -> line.substring("Caused by: ".length()))
                .toList();
        return of(causes.isEmpty() ? trace : causes.get(causes.size() - 1));
    }
}
