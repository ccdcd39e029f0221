// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.compare;

import io.thalweg.doctor.compare.Difference;
import io.thalweg.lab.report.Figures;
import io.thalweg.lab.report.TextTable;
import io.thalweg.lab.result.CellResult;
import io.thalweg.lab.result.Results;
import io.thalweg.lab.result.RunResult;
import io.thalweg.lab.result.SecretSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Two results held against each other, cell by cell: is B slower than A?
 *
 * @param rows a cell that both have, with how it differs
 * @param notes what else the reader must know: cells that only one has, cells without figures, machines that differ
 */
public record Comparison(List<Row> rows, List<String> notes) {
    private static final String RATE = "records/s";

    /**
     * @param measure {@code records/s}, {@code p99 latency} where the sources keep a rate, or {@code records/s of the whole job} of a
     *     user's own topology that ended before its rate had settled
     * @param a median of A's runs, in records a second or microseconds; likewise {@code b}
     */
    public record Row(
            String study,
            String caseName,
            String engine,
            String variant,
            String measure,
            double a,
            double b,
            Difference difference) {}

    /**
     * From rates of runs beside each other: {@code a[i]} was run next to {@code b[i]}.
     *
     * @throws IllegalArgumentException if there are not as many of one as of the other, or any is not above zero
     */
    public static Difference ofPairs(double[] a, double[] b) {
        return Difference.ofPairs(a, b, Difference.Better.MORE);
    }

    /**
     * Cells match by study, case, engine and variant. Their runs are compared in pairs if both come from one call that ran them
     * in turns; otherwise as two heaps, which shows less.
     */
    public static Comparison of(Results a, Results b) {
        Map<List<String>, CellResult> cellsB = new LinkedHashMap<>();
        boolean oneCall = a.machine().started().equals(b.machine().started());
        List<Row> rows = new ArrayList<>();
        List<String> notes = new ArrayList<>(notesOn(a, b));
        for (CellResult cell : b.cells()) {
            if (cellsB.putIfAbsent(key(cell), cell) != null) {
                notes.add(name(cell) + ": B has it more than once; its first counts");
            }
        }
        Set<List<String>> seen = new HashSet<>();
        for (CellResult cell : a.cells()) {
            if (!seen.add(key(cell))) {
                notes.add(name(cell) + ": A has it more than once; its first counts");
                continue;
            }
            CellResult other = cellsB.remove(key(cell));
            if (other == null) {
                notes.add(name(cell) + ": only A has it");
            } else {
                add(cell, other, oneCall, rows, notes);
            }
        }
        cellsB.values().forEach(cell -> notes.add(name(cell) + ": only B has it"));
        return new Comparison(rows, notes);
    }

    public boolean regression() {
        return rows.stream().anyMatch(row -> row.difference().verdict() == Difference.Verdict.REGRESSION);
    }

    /** 1 if any cell is a regression, or if there is no cell of which anything could be said; else 0. */
    public int exitCode() {
        return regression() || !saysAnything() ? 1 : 0;
    }

    private boolean saysAnything() {
        return rows.stream().anyMatch(row -> row.difference().verdict() != Difference.Verdict.TOO_FEW_RUNS);
    }

    /** For the terminal, in lines of at most {@code columns} characters, as far as the figures fit. */
    public String toText(int columns) {
        TextTable table = new TextTable()
                .text("cell")
                .text("measure")
                .number("A")
                .number("B")
                .number("runs")
                .number("B / A")
                .number("95 %")
                .number("99 %")
                .number("could see")
                .text("verdict");
        for (Row row : rows) {
            Difference difference = row.difference();
            boolean rate = row.measure().startsWith(RATE);
            table.row(
                    row.study() + "." + row.caseName() + " " + row.engine() + " " + row.variant(),
                    row.measure(),
                    rate ? Figures.count(row.a()) : Figures.time(row.a()),
                    rate ? Figures.count(row.b()) : Figures.time(row.b()),
                    difference.paired()
                            ? difference.runsA() + " pairs"
                            : difference.runsA() + " and " + difference.runsB(),
                    ratio(difference.ratio()),
                    interval(difference, difference.ci95()),
                    interval(difference, difference.ci99()),
                    smallest(difference, rate),
                    verdict(difference));
        }
        StringBuilder out =
                new StringBuilder(rows.isEmpty() ? "No cell has figures in both.\n" : table.toText(columns));
        if (!rows.isEmpty()) {
            out.append('\n');
            explain(out, columns);
        }
        if (!saysAnything()) {
            String text = "Nothing could be compared, so this says nothing of B; exit code 1.";
            TextTable.wrap(text, columns).forEach(line -> out.append(line).append('\n'));
        }
        for (String note : notes) {
            TextTable.wrap(note, columns).forEach(line -> out.append(line).append('\n'));
        }
        return out.toString();
    }

    private void explain(StringBuilder out, int columns) {
        String text = "Verdicts are at 99 %: of " + rows.size() + " cells without any difference, "
                + Figures.digits(rows.size() * 0.005) + " would be called a regression by chance. "
                + "“Could see” is how much worse B must be for these runs to show it with 80 % probability.";
        TextTable.wrap(text, columns).forEach(line -> out.append(line).append('\n'));
    }

    private static void add(CellResult a, CellResult b, boolean oneCall, List<Row> rows, List<String> notes) {
        if (a.figure() == null && b.figure() == null) {
            notes.add(name(a) + ": neither has a figure");
            return;
        }
        if (a.figure() == null || b.figure() == null) {
            notes.add(name(a) + ": "
                    + (a.figure() == null ? "A has no figure: " + a.reason() : "B has no figure: " + b.reason()));
            return;
        }
        if (a.wasProfiled() || b.wasProfiled()) {
            notes.add(name(a) + ": profiled, which slows an engine down, so it is not compared");
            return;
        }
        if (!a.settings().equals(b.settings())) {
            notes.add(name(a) + ": not the same settings, A " + SecretSettings.without(a.settings()) + ", B "
                    + SecretSettings.without(b.settings()));
        }
        boolean latency = a.keepsRate() && b.keepsRate() && a.latencyUs() != null && b.latencyUs() != null;
        boolean whole = wholeJobs(a, b);
        ToDoubleFunction<RunResult> measure =
                latency ? Comparison::p99 : whole ? Comparison::rateOfWholeJob : Comparison::rate;
        double[] runsA = valid(a.runs(), measure);
        double[] runsB = valid(b.runs(), measure);
        if (runsA.length == 0 || runsB.length == 0) {
            notes.add(name(a) + ": has no runs that had settled, so nothing can be said of its spread");
            return;
        }
        long unsettled = Stream.concat(a.runs().stream(), b.runs().stream())
                .filter(run -> run.reason() == null && !run.settled())
                .count();
        if (unsettled > 0 && !whole) {
            notes.add(name(a) + ": " + unsettled + " runs had not settled and are left out");
        }
        Difference.Better better = latency ? Difference.Better.LESS : Difference.Better.MORE;
        Difference difference = oneCall && inTurns(a.runs(), b.runs())
                ? pairs(a.runs(), b.runs(), measure, better)
                : Difference.ofUnpaired(runsA, runsB, better);
        rows.add(new Row(
                a.study(),
                a.caseName(),
                a.engine(),
                a.variant(),
                latency ? "p99 latency" : whole ? RATE + " of the whole job" : RATE,
                median(runsA),
                median(runsB),
                difference));
    }

    /** Whether the i-th runs of both came before the next of either. */
    private static boolean inTurns(List<RunResult> a, List<RunResult> b) {
        int pairs = Math.min(a.size(), b.size());
        for (int i = 0; i < pairs; i++) {
            int last = Math.max(a.get(i).turn(), b.get(i).turn());
            boolean same = a.get(i).turn() == b.get(i).turn();
            if (same
                    || (i + 1 < pairs
                            && last
                                    >= Math.min(
                                            a.get(i + 1).turn(), b.get(i + 1).turn()))) {
                return false;
            }
        }
        return pairs > 0;
    }

    /** A pair of which one run is not valid drops out. */
    private static Difference pairs(
            List<RunResult> a, List<RunResult> b, ToDoubleFunction<RunResult> measure, Difference.Better better) {
        int most = Math.min(a.size(), b.size());
        List<RunResult> keptA = new ArrayList<>();
        List<RunResult> keptB = new ArrayList<>();
        for (int i = 0; i < most; i++) {
            if (measure.applyAsDouble(a.get(i)) > 0 && measure.applyAsDouble(b.get(i)) > 0) {
                keptA.add(a.get(i));
                keptB.add(b.get(i));
            }
        }
        return Difference.ofPairs(valid(keptA, measure), valid(keptB, measure), better);
    }

    private static double[] valid(List<RunResult> runs, ToDoubleFunction<RunResult> measure) {
        return runs.stream().mapToDouble(measure).filter(value -> value > 0).toArray();
    }

    private static double rate(RunResult run) {
        Double rate = run.recordsPerS();
        return rate == null || !run.settled() ? Double.NaN : rate;
    }

    /** Both of a user's own topology, and one of them ended before the rate of any run had settled. */
    private static boolean wholeJobs(CellResult a, CellResult b) {
        return (!a.hasSettled() || !b.hasSettled())
                && Stream.of(a, b).allMatch(cell -> cell.runs().stream().anyMatch(run -> rateOfWholeJob(run) > 0));
    }

    private static double rateOfWholeJob(RunResult run) {
        RunResult.Job job = run.job();
        return job == null || run.reason() != null || run.sent() == 0 ? Double.NaN : run.sent() / job.elapsedS();
    }

    private static double p99(RunResult run) {
        CellResult.Latency latency = run.latencyUs();
        return latency == null || run.reason() != null || !run.settled() ? Double.NaN : latency.p99();
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    private static List<String> notesOn(Results a, Results b) {
        List<String> notes = new ArrayList<>();
        if (a.cells().equals(b.cells())) {
            notes.add("A and B hold the same runs.");
        }
        String machineA = a.machine().text();
        String machineB = b.machine().text();
        if (!machineA.equals(machineB)) {
            notes.add(
                    "Measured on different machines, so differences may be theirs: A " + machineA + ", B " + machineB);
        }
        return notes;
    }

    private static List<String> key(CellResult cell) {
        return List.of(cell.study(), cell.caseName(), cell.engine(), cell.variant());
    }

    private static String name(CellResult cell) {
        return cell.study() + "." + cell.caseName() + " " + cell.engine() + " " + cell.variant();
    }

    private static String ratio(double ratio) {
        return Double.isNaN(ratio) ? "unknown" : String.format(Locale.ROOT, "%.3f", ratio); // of no pair
    }

    private static String interval(Difference difference, Difference.Interval interval) {
        return difference.verdict() == Difference.Verdict.TOO_FEW_RUNS
                ? "unknown"
                : ratio(interval.low()) + "–" + ratio(interval.high());
    }

    private static String smallest(Difference difference, boolean rate) {
        return Double.isNaN(difference.smallestEffect())
                ? "unknown"
                : (rate ? "−" : "+") + Figures.digits(100 * difference.smallestEffect()) + " %";
    }

    private static String verdict(Difference difference) {
        String verdict = difference.verdict().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        return difference.verdict() == Difference.Verdict.TOO_FEW_RUNS
                ? verdict + " (" + Difference.FEWEST_RUNS + " at least)"
                : verdict;
    }
}
