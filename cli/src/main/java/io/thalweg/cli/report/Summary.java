// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.report;

import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.JobStats;
import java.util.Locale;

/** What is told of a job that has ended. */
final class Summary {
    private Summary() {}

    /** @param deadLetters the file that keeps the bad records; told only where there are any */
    static String of(JobStats stats, String deadLetters, Style style) {
        StringBuilder text = new StringBuilder();
        text.append(style.strong(stats.topology() + " " + state(stats.state())))
                .append(stats.state() == JobState.FINISHED ? " in " : " after ")
                .append(Quantities.elapsed(stats.elapsedNs()))
                .append(": ")
                .append(Quantities.count(stats.recordsIn()))
                .append(" records in, ")
                .append(Quantities.count(stats.recordsOut()))
                .append(" out, ")
                .append(Quantities.rate(stats.recordsIn(), stats.elapsedNs()))
                .append(stats.latency().samples() == 0 ? "" : ", latency " + Progress.latency(stats))
                .append('\n');
        if (stats.recordsBad() > 0) {
            line(text, style, stats.recordsBad(), "bad record", ", kept in " + deadLetters);
        }
        if (stats.recordsLate() > 0) {
            line(text, style, stats.recordsLate(), "late record", ", left out of windows that had closed");
        }
        if (stats.state() == JobState.CANCELLED) {
            line(text, style, stats.windowsOpen(), "open window", ", not emitted");
        }
        return text.toString();
    }

    private static void line(StringBuilder text, Style style, long count, String what, String rest) {
        String counted = Quantities.count(count) + " " + what + (count == 1 ? "" : "s");
        text.append("  ")
                .append(count == 0 ? counted : style.warning(counted))
                .append(rest)
                .append('\n');
    }

    private static String state(JobState state) {
        return state.name().toLowerCase(Locale.ROOT);
    }
}
