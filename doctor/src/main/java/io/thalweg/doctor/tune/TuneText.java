// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.tune;

import io.thalweg.doctor.finding.Gain;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What tuning did, for people. */
public final class TuneText {
    private TuneText() {}

    /** The job as it was; several lines, each of which ends in a line break. */
    public static String head(TuneReport report) {
        StringBuilder text = new StringBuilder("Tune: ")
                .append(report.topology())
                .append(", for ")
                .append(goal(report))
                .append('\n');
        if (!report.start().isEmpty()) {
            line(text, "  ", "given", words(report.start()));
        }
        line(text, "  ", "as it is", value(report, report.before()));
        line(
                text,
                "  ",
                "output",
                report.outputs().isEmpty()
                        ? "none: the job has no sink"
                        : report.outputs().stream()
                                .map(output -> String.format(Locale.ROOT, "%s %,d", output.name(), output.records()))
                                .collect(Collectors.joining(", ")));
        return text.toString();
    }

    private static String goal(TuneReport report) {
        Double limit = report.limitUs();
        Double rate = report.rate();
        return limit == null || rate == null
                ? report.goal()
                : report.goal() + " below " + time(limit) + String.format(Locale.ROOT, " at %,.0f records/s", rate);
    }

    /** Whether the job is better off without what it began with; several lines, none if that was not tried. */
    public static String reset(TuneReport report) {
        TuneReport.Reset reset = report.reset();
        if (reset == null) {
            return "";
        }
        StringBuilder text = new StringBuilder("  0. without ")
                .append(words(reset.settings()))
                .append(" (trial)\n");
        line(text, "     ", "because", "settings may hold a job back together, and no single change helps then");
        Effect effect = reset.measured();
        line(text, "     ", "measured", effect == null ? "nothing" : measured(report, effect));
        line(text, "     ", outcome(reset.outcome()), reset.reason());
        return text.toString();
    }

    private static String outcome(Step.Outcome outcome) {
        return switch (outcome) {
            case KEPT -> "kept";
            case WITHDRAWN, WITHIN_NOISE, OUTPUT_DIFFERS, FAILED -> "withdrawn";
            case UNDECIDED -> "undecided";
            case TRYING -> "tried";
        };
    }

    /** A change that was tried; several lines. */
    public static String of(TuneReport report, Step step) {
        StringBuilder text = new StringBuilder();
        text.append("  ")
                .append(step.number())
                .append(". ")
                .append(step.choice().words())
                .append(" (")
                .append(step.from())
                .append(")\n");
        line(text, "     ", "because", step.why());
        line(text, "     ", "predicted", predicted(step.predicted()));
        Effect effect = step.measured();
        line(text, "     ", "measured", effect == null ? "nothing" : measured(report, effect) + verdict(step));
        line(text, "     ", outcome(step.outcome()), step.reason());
        return text.toString();
    }

    private static String verdict(Step step) {
        return step.prediction() == null
                ? ""
                : "; the prediction " + (step.prediction().equals("held") ? "" : "was ") + step.prediction();
    }

    /** What came of it; several lines. */
    public static String end(TuneReport report) {
        StringBuilder text = new StringBuilder();
        if (!report.skipped().isEmpty()) {
            line(text, "  ", "not tried", words(report.skipped()) + ": withdrawn by an earlier call");
        }
        for (TuneReport.Unfit each : report.unfit()) {
            line(text, "  ", "not tried", each.choice().words() + ": " + each.why());
        }
        line(
                text,
                "  ",
                "ended",
                String.format(
                        Locale.ROOT,
                        "%s, after %d %s in %.0f s",
                        report.ended(),
                        report.runs(),
                        report.runs() == 1 ? "run" : "runs",
                        report.seconds()));
        line(text, "  ", "kept", kept(report));
        Effect total = report.total();
        if (total != null) {
            line(text, "  ", "all of it", measured(report, total));
        }
        return text.toString();
    }

    private static String kept(TuneReport report) {
        String changes = words(report.changes());
        if (!report.isReset()) {
            return changes.isEmpty() ? "nothing: " + withoutChanges(report) : changes;
        }
        return withoutReset(report) + (changes.isEmpty() ? "" : "; " + changes);
    }

    /** {@code the job without batch: 8, queue: 2}. */
    static String withoutReset(TuneReport report) {
        TuneReport.Reset reset = report.reset();
        return "the job without " + words(reset == null ? List.of() : reset.settings());
    }

    /** Why nothing is kept. */
    static String withoutChanges(TuneReport report) {
        if (report.isWithdrawn()) {
            return "changes paid one by one, and not together";
        }
        return report.steps().isEmpty() && report.reset() == null
                ? "no change was tried"
                : "no change was shown to pay";
    }

    private static String words(List<Choice> choices) {
        return choices.stream().map(Choice::words).collect(Collectors.joining(", "));
    }

    /** {@code 1.25 to 1.80 times the throughput}. */
    static String predicted(@Nullable Gain gain) {
        return gain == null
                ? "nothing"
                : String.format(Locale.ROOT, "%.2f to %.2f times the %s", gain.low(), gain.high(), gain.of());
    }

    private static String measured(TuneReport report, Effect effect) {
        return times(effect)
                + ", " + value(report, effect.before()) + " -> " + value(report, effect.after())
                + ", " + effect.pairs() + (effect.pairs() == 1 ? " pair" : " pairs");
    }

    /** {@code 1.41 times (1.32 to 1.51)}. */
    static String times(Effect effect) {
        return String.format(Locale.ROOT, "%.2f times", effect.ratio())
                + (effect.high() == 0
                        ? ""
                        : String.format(Locale.ROOT, " (%.2f to %.2f)", effect.low(), effect.high()));
    }

    private static String value(TuneReport report, double value) {
        return report.limitUs() == null ? String.format(Locale.ROOT, "%,.0f records/s", value) : time(value);
    }

    private static String time(double us) {
        return us < 1_000
                ? String.format(Locale.ROOT, "%.0f us", us)
                : us < 1_000_000
                        ? String.format(Locale.ROOT, "%.2f ms", us / 1_000)
                        : String.format(Locale.ROOT, "%.2f s", us / 1_000_000);
    }

    private static void line(StringBuilder text, String indent, String name, String value) {
        text.append(indent)
                .append(String.format(Locale.ROOT, "%-10s%s", name, value))
                .append('\n');
    }
}
