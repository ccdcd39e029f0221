// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.report;

import io.thalweg.api.stats.AckStats;
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
        AckStats acks = stats.acks();
        if (acks.acked() > 0 || acks.pending() > 0) {
            text.append("  ").append(Quantities.count(acks.acked())).append(" acked");
            also(text, style, acks.pending(), "pending");
            also(text, style, acks.failed(), "failed");
            also(text, style, acks.timedOut(), "timed out");
            also(text, style, acks.givenUp(), "given up");
            text.append(", complete latency ")
                    .append(Progress.latency(acks.complete()))
                    .append('\n');
        }
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

    private static void also(StringBuilder text, Style style, long count, String what) {
        if (count > 0) {
            text.append(", ").append(style.warning(Quantities.count(count) + " " + what));
        }
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
