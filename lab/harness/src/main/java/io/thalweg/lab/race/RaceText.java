// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.race;

import io.thalweg.doctor.compare.Difference;
import io.thalweg.lab.report.Figures;
import io.thalweg.lab.report.TextTable;
import io.thalweg.lab.result.CellResult;
import io.thalweg.lab.result.Machine;
import io.thalweg.lab.result.RunResult;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** A race for the terminal: a table, the winner if there is one, and what weakens the figures. */
public final class RaceText {
    private static final int MOST_OUTPUTS = 6;

    /** As long as an engine may take to warm up, and what is measured then, with some room for rates that rise. */
    private static final int SECONDS_TO_SETTLE = 20;

    private RaceText() {}

    /**
     * @param title the job
     * @param columns of the terminal
     */
    public static String of(Race race, String title, Machine machine, int columns) {
        StringBuilder out = new StringBuilder();
        line(
                out,
                title + ": " + race.goal().words()
                        + (race.goal().isLatency()
                                ? ""
                                : race.goal() == Race.Goal.CPU || !race.settled()
                                        ? " of the whole job, the start of its engine in a fresh JVM included"
                                        : " once the rate had settled")
                        + "; " + machine.cores() + " cores, " + machine.cpu(),
                columns);
        out.append('\n').append(table(race).toText(columns)).append('\n');
        line(out, verdict(race), columns);
        if (!race.settled() && !race.goal().isLatency()) {
            line(
                    out,
                    "The rates of some engine had not settled before its input ended, so whole jobs are compared; a longer input"
                            + enough(race) + " shows what engines reach in the long run.",
                    columns);
        }
        line(out, outputs(race), columns);
        return out.toString();
    }

    /** How much the fastest engine reads until a run of a race may end at the latest. */
    private static String enough(Race race) {
        double fastest = race.entries().stream()
                .flatMap(each -> each.cell().runs().stream())
                .map(RunResult::recordsPerS)
                .filter(Objects::nonNull)
                .mapToDouble(Double::doubleValue)
                .max()
                .orElse(0);
        return fastest == 0 ? "" : ", of some " + Figures.count(fastest * SECONDS_TO_SETTLE) + " records,";
    }

    private static TextTable table(Race race) {
        TextTable table = new TextTable()
                .text("engine")
                .number(head(race.goal()))
                .number("min–max (runs)")
                .number("ratio")
                .number("95 %")
                .number(race.goal() == Race.Goal.THROUGHPUT ? "CPU s/million" : "records/s")
                .number("whole job");
        for (Race.Entry each : race.entries()) {
            if (!each.hasFigure()) {
                table.row(each.name(), "–", "–", "–", "–", "–", "–");
                table.note(missing(each));
                continue;
            }
            double[] values = each.counted();
            Difference against = each.against();
            table.row(
                    each.name(),
                    figure(race, each.median()),
                    figure(race, values[0]) + "–" + figure(race, values[values.length - 1]) + " (" + values.length
                            + ")",
                    against == null ? "1" : ratio(against),
                    against == null ? "" : interval(against, against.ci95()),
                    race.goal() == Race.Goal.THROUGHPUT ? cpu(race, each.cell()) : rate(each.cell()),
                    seconds(each.cell()));
        }
        return table;
    }

    private static String head(Race.Goal goal) {
        return switch (goal) {
            case THROUGHPUT -> "records/s";
            case CPU -> "CPU s/million";
            case P50 -> "p50";
            case P99 -> "p99";
        };
    }

    private static String figure(Race race, double value) {
        return race.goal().isLatency() ? Figures.time(value) : Figures.count(value);
    }

    private static String missing(Race.Entry entry) {
        if (entry.cell().figure() != null) {
            return "nothing to compare: no record with an event time since the job began reached a sink in the measured part";
        }
        String reason = String.valueOf(entry.cell().reason());
        return entry.cell().runs().isEmpty() ? "does not take the job: " + reason : "failed: " + reason;
    }

    private static String rate(CellResult cell) {
        CellResult.Spread spread = cell.figure();
        return spread == null ? "–" : Figures.count(spread.median());
    }

    private static String cpu(Race race, CellResult cell) {
        Double settled = cell.cpuSPerMillion();
        double value = race.settled() && settled != null
                ? settled
                : median(cell, run -> run.job() == null ? 0 : run.job().cpuS() / run.sent() * 1e6);
        return value == 0 ? "–" : Figures.digits(value);
    }

    private static String seconds(CellResult cell) {
        double seconds = median(cell, run -> run.job() == null ? 0 : run.job().elapsedS());
        return seconds == 0 ? "–" : Figures.time(seconds * 1e6);
    }

    private static double median(CellResult cell, ToDoubleFunction<RunResult> figure) {
        double[] sorted = cell.runs().stream()
                .filter(run -> run.reason() == null)
                .mapToDouble(figure)
                .sorted()
                .toArray();
        int middle = sorted.length / 2;
        return sorted.length == 0
                ? 0
                : sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    private static String verdict(Race race) {
        List<Race.Entry> running =
                race.entries().stream().filter(Race.Entry::hasFigure).toList();
        if (running.size() < 2) {
            return running.isEmpty()
                    ? "No race: no engine has a figure."
                    : "No race: " + running.get(0).name() + " alone has a figure.";
        }
        Race.Entry winner = race.winner();
        if (winner != null) {
            return "Winner: " + winner.name() + ", with "
                    + running.stream()
                            .filter(each -> !each.equals(winner))
                            .map(each -> lead(race, each))
                            .collect(Collectors.joining(", and "))
                    + ", at 99 %.";
        }
        if (race.rounds() < Difference.FEWEST_RUNS) {
            return "No winner: that takes at least " + Difference.FEWEST_RUNS + " rounds that count, and there are "
                    + race.rounds() + ".";
        }
        return "No winner: none is better than each of the others beyond doubt, at 99 %; more rounds may tell.";
    }

    private static String lead(Race race, Race.Entry other) {
        Difference lead = race.lead(other);
        return Figures.times(lead.ratio()) + " (" + interval(lead, lead.ci99()) + ") the "
                + race.goal().words() + " of " + other.name();
    }

    private static String ratio(Difference difference) {
        return difference.runsA() == 0 ? "unknown" : Figures.digits(difference.ratio());
    }

    private static String interval(Difference difference, Difference.Interval interval) {
        return difference.verdict() == Difference.Verdict.TOO_FEW_RUNS
                ? "unknown"
                : Figures.digits(interval.low()) + "–" + Figures.digits(interval.high());
    }

    /** What was put out, the same by all; of those that put out something else, the table says so. */
    private static String outputs(Race race) {
        for (Race.Entry each : race.entries()) {
            for (RunResult run : each.cell().runs()) {
                if (run.reason() == null && run.job() != null) {
                    return "Every run that counts put out the same, record by record, in whatever order: "
                            + outputs(run.job(), run.sent());
                }
            }
        }
        return "No run ended well, so there is no output to compare.";
    }

    private static String outputs(RunResult.Job job, long sent) {
        List<RunResult.Output> told =
                job.outputs().stream().filter(each -> each.records() > 0).toList();
        return String.format(Locale.ROOT, "of %,d records read, ", sent)
                + (told.isEmpty()
                        ? "nothing"
                        : told.stream()
                                .limit(MOST_OUTPUTS)
                                .map(each -> String.format(Locale.ROOT, "%,d for %s", each.records(), each.name()))
                                .collect(Collectors.joining(", ")))
                + (told.size() > MOST_OUTPUTS ? " and " + (told.size() - MOST_OUTPUTS) + " other outputs." : ".");
    }

    private static void line(StringBuilder out, String text, int columns) {
        TextTable.wrap(text, columns).forEach(line -> out.append(line).append('\n'));
    }
}
