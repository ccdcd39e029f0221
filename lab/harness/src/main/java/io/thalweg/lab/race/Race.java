// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.race;

import io.thalweg.doctor.compare.Difference;
import io.thalweg.lab.result.CellResult;
import io.thalweg.lab.result.Results;
import io.thalweg.lab.result.RunResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * One job on several engines, or with several settings: who is better, and is that beyond doubt? Runs of one round are compared with
 * each other, since they ran beside each other. By {@link Goal#THROUGHPUT} records per second of the settled part of each run are
 * compared; if some engine has not settled, the time of the whole job on every engine, so that all are measured alike.
 *
 * @param settled whether rates are those of parts that had settled
 * @param entries as they were given, the first one is what the others are compared with
 * @param winner null if there is none beyond doubt
 */
public record Race(
        Goal goal,
        boolean settled,
        List<Entry> entries,
        @Nullable Entry winner) {
    public Race {
        entries = List.copyOf(entries);
    }

    /** What is compared. */
    public enum Goal {
        THROUGHPUT("records/s", Difference.Better.MORE),
        CPU("CPU seconds per million records", Difference.Better.LESS),
        P50("median latency, from event time to the sink", Difference.Better.LESS),
        P99("99th percentile of latency, from event time to the sink", Difference.Better.LESS);

        private final String words;
        private final Difference.Better better;

        Goal(String words, Difference.Better better) {
            this.words = words;
            this.better = better;
        }

        public String words() {
            return words;
        }

        public boolean isLatency() {
            return this == P50 || this == P99;
        }
    }

    /**
     * An engine, or an engine with a setting.
     *
     * @param values what each round reached by the goal; NaN for a round that does not count
     * @param against how the first entry that has figures differs from this one; null for itself, or if either has none
     */
    public record Entry(
            CellResult cell,
            String name,
            List<Double> values,
            @Nullable Difference against) {
        /** Median of the rounds that count; NaN if none does. */
        public double median() {
            double[] sorted = counted();
            int middle = sorted.length / 2;
            return sorted.length == 0
                    ? Double.NaN
                    : sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        }

        public double[] counted() {
            return values.stream()
                    .mapToDouble(Double::doubleValue)
                    .filter(each -> !Double.isNaN(each))
                    .sorted()
                    .toArray();
        }

        public boolean hasFigure() {
            return counted().length > 0;
        }
    }

    /** @param results of one case, whose cells took turns */
    public static Race of(Results results, Goal goal) {
        List<CellResult> cells = results.cells();
        boolean settled = cells.stream().filter(CellResult::valid).allMatch(CellResult::hasSettled);
        List<Entry> entries = new ArrayList<>();
        for (CellResult cell : cells) {
            entries.add(new Entry(cell, name(cell, cells), values(cell, goal, settled), null));
        }
        Entry first = entries.stream().filter(Entry::hasFigure).findFirst().orElse(null);
        List<Entry> compared = new ArrayList<>();
        for (Entry each : entries) {
            compared.add(
                    first == null || each.equals(first) || !each.hasFigure()
                            ? each
                            : new Entry(each.cell(), each.name(), each.values(), difference(first, each, goal)));
        }
        return new Race(goal, settled, compared, winner(compared, goal));
    }

    /** The engine, and what sets its cell apart from the others. */
    private static String name(CellResult cell, List<CellResult> all) {
        String shortest = all.get(0).caseName();
        for (CellResult each : all) {
            shortest = each.caseName().length() < shortest.length() ? each.caseName() : shortest;
        }
        String rest = cell.caseName().substring(shortest.length()).strip();
        return rest.isEmpty()
                ? cell.engine()
                : rest.startsWith(cell.engine() + ".") ? rest : cell.engine() + " " + rest;
    }

    private static List<Double> values(CellResult cell, Goal goal, boolean settled) {
        ToDoubleFunction<RunResult> figure = switch (goal) {
            case CPU -> Race::cpuSPerMillion;
            case THROUGHPUT -> settled ? Race::settledRate : Race::wholeRate;
            case P50, P99 -> run -> latency(run, goal);
        };
        return cell.runs().stream()
                .map(run -> run.reason() != null ? Double.NaN : figure.applyAsDouble(run))
                .toList();
    }

    private static double settledRate(RunResult run) {
        Double rate = run.recordsPerS();
        return run.settled() && rate != null ? rate : Double.NaN;
    }

    private static double wholeRate(RunResult run) {
        RunResult.Job job = run.job();
        return job == null || run.sent() == 0 ? Double.NaN : run.sent() / job.elapsedS();
    }

    private static double latency(RunResult run, Goal goal) {
        CellResult.Latency latency = run.latencyUs();
        double value = latency == null ? 0 : goal == Goal.P50 ? latency.p50() : latency.p99();
        return value > 0 ? value : Double.NaN;
    }

    private static double cpuSPerMillion(RunResult run) {
        RunResult.Job job = run.job();
        return job == null || run.sent() == 0 || job.cpuS() <= 0 ? Double.NaN : job.cpuS() / run.sent() * 1e6;
    }

    private static Difference difference(Entry a, Entry b, Goal goal) {
        List<Double> ofA = new ArrayList<>();
        List<Double> ofB = new ArrayList<>();
        for (int round = 0; round < Math.min(a.values().size(), b.values().size()); round++) {
            if (!a.values().get(round).isNaN() && !b.values().get(round).isNaN()) {
                ofA.add(a.values().get(round));
                ofB.add(b.values().get(round));
            }
        }
        return Difference.ofPairs(array(ofA), array(ofB), goal.better);
    }

    private static double[] array(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }

    /** The best one, if it is better than each of the others at 99 %. */
    private static @Nullable Entry winner(List<Entry> entries, Goal goal) {
        List<Entry> running = entries.stream().filter(Entry::hasFigure).toList();
        for (Entry best : running.size() < 2 ? List.<Entry>of() : running) {
            boolean beatsAll = running.stream()
                    .filter(each -> !each.equals(best))
                    .allMatch(each -> difference(each, best, goal).verdict() == Difference.Verdict.IMPROVEMENT);
            if (beatsAll) {
                return best;
            }
        }
        return null;
    }

    /** How the winner differs from another entry. */
    Difference lead(Entry other) {
        return difference(other, Objects.requireNonNull(winner), goal);
    }

    /** The fewest rounds that count of two entries. */
    int rounds() {
        return entries.stream()
                .filter(Entry::hasFigure)
                .mapToInt(each -> each.counted().length)
                .min()
                .orElse(0);
    }
}
