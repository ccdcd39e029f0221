// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.report;

import io.thalweg.doctor.compare.Difference;
import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.result.CellResult;
import io.thalweg.lab.result.Machine;
import io.thalweg.lab.result.RunResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One row of a report in words: no column is left empty but the last, and that only if nothing needs saying. Below a spread stands the
 * interval of the rate, in a second line, and below a latency that of its 99th percentile.
 */
record CellText(String claim, String here, String ratio, String spread, String latency, String cost, String why) {

    static CellText of(CellResult cell, Machine machine) {
        return new CellText(
                claim(cell), here(cell), ratio(cell), spread(cell), latency(cell), cost(cell), why(cell, machine));
    }

    private static String claim(CellResult cell) {
        return cell.claim() == null || cell.claim().says().isBlank()
                ? "none"
                : cell.claim().says();
    }

    private static String here(CellResult cell) {
        CellResult.Spread figure = cell.figure();
        if (figure != null) {
            return Figures.count(figure.median()) + (cell.hasSettled() ? "" : " unsettled");
        }
        return cell.testable() ? "no figure" : "not tested";
    }

    private static String ratio(CellResult cell) {
        if (cell.claim() == null) {
            return "no claim";
        }
        if (!cell.testable()) {
            return "not testable";
        }
        if (cell.figure() == null) {
            return "no figure";
        }
        if (cell.wasProfiled()) {
            return "profiled";
        }
        if (!cell.hasSettled()) {
            return "not settled";
        }
        return cell.ratio() == null ? "no rate" : Figures.times(cell.ratio());
    }

    private static String spread(CellResult cell) {
        CellResult.Spread figure = cell.figure();
        if (figure == null) {
            return "no figure";
        }
        return (figure.runs() == 1 ? "one run" : Figures.range(figure.min(), figure.max()) + " (" + figure.runs() + ")")
                + "\n" + interval(cell, figure.ci95());
    }

    private static String interval(CellResult cell, Difference.@Nullable Interval ci95) {
        if (!cell.hasSettled()) {
            return "not settled";
        }
        return ci95 == null ? "too few runs" : Figures.range(ci95.low(), ci95.high());
    }

    private static String latency(CellResult cell) {
        if (cell.figure() == null) {
            return "no figure";
        }
        CellResult.Latency latency = cell.latencyUs();
        return latency == null
                ? "not timed"
                : Figures.time(latency.p50()) + " / " + Figures.time(latency.p99()) + cores(cell) + p99(cell);
    }

    /** Its interval, in a line of its own, where latency is what engines differ in. */
    private static String p99(CellResult cell) {
        Difference.Interval ci95 = cell.keepsRate() ? cell.p99Ci95() : null;
        return ci95 == null ? "" : "\np99 " + Figures.time(ci95.low()) + "–" + Figures.time(ci95.high());
    }

    /** CPU time and allocation, as far as they are known. */
    private static String cost(CellResult cell) {
        if (cell.figure() == null) {
            return "no figure";
        }
        Double cpu = cell.cpuSPerMillion();
        Double bytes = cell.allocatedBytesPerRecord();
        return (cpu == null ? "–" : Figures.digits(cpu) + " s") + ", "
                + (bytes == null ? "–" : Figures.digits(bytes) + " B");
    }

    /** What a latency was bought with, to stand behind it; empty if the CPU time is not known. */
    static String cores(CellResult cell) {
        Double cores = cell.cores();
        return cores == null ? "" : ", " + Figures.digits(cores) + (cores == 1 ? " core" : " cores");
    }

    private static String why(CellResult cell, Machine machine) {
        List<String> parts = new ArrayList<>();
        String reason = cell.reason() == null || cell.reason().isBlank()
                ? "no reason was recorded"
                : cell.reason().strip();
        if (!cell.testable() && cell.claim() != null) {
            parts.add("not testable here: " + reason);
        } else if (cell.figure() == null) {
            parts.add(reason);
        }
        if (!cell.why().isBlank()) {
            parts.add(cell.why().strip());
        }
        addRecovery(cell, parts);
        addCounts(cell, parts);
        addCrossings(cell, parts);
        addDoubts(cell, machine, parts);
        return String.join("; ", parts);
    }

    /** Also of runs that do not count, as of an engine that loses records. */
    private static void addRecovery(CellResult cell, List<String> parts) {
        List<RunResult.Recovery> all = cell.recoveries();
        if (all.isEmpty()) {
            return;
        }
        List<Double> seconds = values(all, RunResult.Recovery::recoverySeconds);
        List<Long> lost = values(all, RunResult.Recovery::lost);
        List<Long> repeated = values(all, RunResult.Recovery::repeated);
        parts.add("killed at this rate, " + (all.size() == 1 ? "one run" : all.size() + " runs") + ": back after "
                + (seconds.isEmpty() ? "no time that was waited for" : range(seconds, "%.1f") + " s")
                + ", nothing came out for "
                + range(values(all, RunResult.Recovery::silentSeconds), "%.1f") + " s, "
                + (lost.isEmpty()
                        ? "what was lost is not known"
                        : range(lost, "%,d") + " lost, " + range(repeated, "%,d") + " repeated"));
    }

    private static <T> List<T> values(List<RunResult.Recovery> all, Function<RunResult.Recovery, @Nullable T> figure) {
        List<T> values = new ArrayList<>();
        for (RunResult.Recovery each : all) {
            T value = figure.apply(each);
            if (value != null) {
                values.add(value);
            }
        }
        return values;
    }

    private static <T extends Comparable<T>> String range(List<T> values, String format) {
        String least = String.format(Locale.ROOT, format, Collections.min(values));
        String most = String.format(Locale.ROOT, format, Collections.max(values));
        return least.equals(most) ? most : least + "–" + most;
    }

    /** Of a user's own topology, whose rate is of what it read: how much that was, and how much came out. */
    private static void addCounts(CellResult cell, List<String> parts) {
        if (isTopology(cell)) {
            cell.runs().stream()
                    .filter(run -> run.reason() == null)
                    .findFirst()
                    .ifPresent(run -> parts.add(
                            String.format(Locale.ROOT, "%,d records in, %,d out", run.sent(), run.received())));
        }
    }

    /** Results of earlier versions do not say where their stages were. */
    private static void addCrossings(CellResult cell, List<String> parts) {
        if (cell.figure() != null && !cell.jvms().isEmpty() && !isTopology(cell)) {
            int crossings = crossings(cell);
            if (crossings > 0) {
                parts.add("each record crosses " + (crossings == 1 ? "once" : "twice") + " between the processes");
            }
        }
    }

    private static int crossings(CellResult cell) {
        try {
            return Cell.of(cell.settings(), Path.of("")).crossings();
        } catch (IllegalArgumentException e) {
            return 0; // in the words of another version
        }
    }

    /** A user's own, whose records are counted where they are read. */
    private static boolean isTopology(CellResult cell) {
        return "topology".equals(cell.settings().get("workload"));
    }

    private static void addUnsettled(CellResult cell, List<String> parts) {
        List<RunResult> valid =
                cell.runs().stream().filter(run -> run.reason() == null).toList();
        List<RunResult> unsettled = valid.stream().filter(run -> !run.settled()).toList();
        if (unsettled.isEmpty()) {
            return;
        }
        parts.add(unsettled.size() + " of " + valid.size() + " runs had not settled" + changes(cell, unsettled) + ", "
                + (unsettled.size() == valid.size() ? "so the figure is in no ratio" : "and do not count"));
    }

    /** How much the rates changed; nothing of results of earlier versions, which do not say. */
    private static String changes(CellResult cell, List<RunResult> unsettled) {
        return cell.jvms().isEmpty()
                ? ""
                : unsettled.stream()
                        .map(RunResult::trend)
                        .map(trend -> trend == null
                                ? "too few bursts to tell"
                                : String.format(
                                        Locale.ROOT,
                                        "%+.0f %%, 95 %% interval %+.0f to %+.0f",
                                        trend.percent(),
                                        trend.low(),
                                        trend.high()))
                        .distinct()
                        .collect(Collectors.joining("; ", " (", ")"));
    }

    /** In whole runs, since an engine may find out late. */
    private static void addFailed(CellResult cell, List<String> parts) {
        long failed = cell.runs().stream()
                .filter(run -> run.reason() == null)
                .mapToLong(RunResult::failed)
                .sum();
        long sent = cell.runs().stream()
                .filter(run -> run.reason() == null)
                .mapToLong(RunResult::sent)
                .sum();
        if (failed > 0) {
            parts.add(String.format(
                    Locale.ROOT,
                    "of %,d records sent, %,d failed, by the engine's count, and were sent again",
                    sent,
                    failed));
        }
    }

    /** What a reader should know before believing the figure. */
    private static void addDoubts(CellResult cell, Machine machine, List<String> parts) {
        CellResult.Spread figure = cell.figure();
        if (figure == null) {
            return;
        }
        List<RunResult> wrong =
                cell.runs().stream().filter(run -> run.reason() != null).toList();
        if (!wrong.isEmpty()) {
            parts.add(wrong.size() + " of " + cell.runs().size() + " runs not valid ("
                    + wrong.get(0).reason() + ")");
        }
        CellResult.Checked checked = cell.checked();
        if (checked != null && checked.repeated() > 0) {
            parts.add(String.format(
                    Locale.ROOT,
                    "of %,d records checked one by one, none was lost and %,d came out again",
                    checked.records(),
                    checked.repeated()));
        }
        long surplus = cell.runs().stream()
                .filter(run -> run.reason() == null
                        && run.received() > run.sent()
                        && run.recovery() == null
                        && !isTopology(cell))
                .count();
        if (surplus > 0) {
            parts.add(surplus + " of " + cell.runs().size() + " runs put out more records than were sent");
        }
        if (cell.wasProfiled()) {
            parts.add("profiled, which slows an engine down, so the figure is in no ratio");
        }
        addFailed(cell, parts);
        addUnsettled(cell, parts);
        Double searched = cell.number("rate-search");
        if (searched != null && figure.median() > searched / 1.15) {
            parts.add("held the highest rate that was tried, so it may hold more");
        }
        if (!isTopology(cell)
                && machine.ceilingRecordsPerS() > 0
                && figure.median() > machine.ceilingRecordsPerS() / 2) {
            parts.add("more than half of what the harness can count, so the engine may be faster");
        }
    }
}
