// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.report;

import io.thalweg.api.stats.AckStats;
import io.thalweg.api.stats.BadReason;
import io.thalweg.api.stats.ConnectionStats;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.JobStats;
import io.thalweg.run.PlainText;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What is told of a job that has ended. */
final class Summary {
    private Summary() {}

    private static final int MOST_REASONS = 5;

    static String of(JobStats stats, Kept badRecords, Style style) {
        StringBuilder text = new StringBuilder();
        text.append(style.strong(PlainText.line(stats.topology()) + " " + state(stats.state())))
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
        text.append(ofBadRecords(stats, badRecords, style));
        for (ConnectionStats each : stats.connections()) {
            text.append("  ")
                    .append(style.warning(PlainText.line(each.system()) + " was lost"))
                    .append(each.timesLost() == 1 ? " once" : " " + each.timesLost() + " times")
                    .append(", for ")
                    .append(Quantities.elapsed(each.lostNs()))
                    .append('\n');
        }
        if (stats.recordsLate() > 0) {
            line(text, style, stats.recordsLate(), "late record", ", left out of windows that had closed");
        }
        if (stats.state() == JobState.CANCELLED) {
            line(text, style, stats.windowsOpen(), "open window", ", not emitted");
        }
        return text.toString();
    }

    /** How many there were, where they are kept, and why they were bad; empty if there were none. */
    static String ofBadRecords(JobStats stats, Kept kept, Style style) {
        long bad = stats.recordsBad();
        StringBuilder text = new StringBuilder();
        if (bad == 0) {
            return "";
        }
        String where = kept.records() >= bad ? ", kept in " : ", " + Quantities.count(kept.records()) + " kept in ";
        String rest = kept.records() >= bad ? "" : ", " + Quantities.count(bad - kept.records()) + " not kept";
        line(text, style, bad, "bad record", where + PlainText.line(kept.file()) + rest);
        long other = bad;
        for (BadReason reason : stats.badReasons()
                .subList(0, Math.min(MOST_REASONS, stats.badReasons().size()))) {
            other -= reason.count();
            text.append("    ").append(describe(reason)).append('\n');
        }
        if (other > 0) {
            text.append("    ").append(Quantities.count(other)).append(" for other reasons\n");
        }
        return text.toString();
    }

    /** {@code 7 in 'parse': not a number: #; first levels.txt, line 3, offset 8: not a number: 12}. */
    private static String describe(BadReason reason) {
        String example = reason.example().equals(reason.reason()) ? "" : reason.example();
        String first = Stream.of(reason.place(), example)
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(": "));
        return Quantities.count(reason.count()) + " in '" + reason.operator() + "': " + reason.reason()
                + (first.isEmpty() ? "" : reason.count() == 1 ? "; " + first : "; first " + first);
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
