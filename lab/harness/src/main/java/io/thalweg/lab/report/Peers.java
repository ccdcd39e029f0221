// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.report;

import io.thalweg.lab.result.CellResult;
import io.thalweg.lab.result.Machine;
import io.thalweg.lab.result.Results;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Thalweg against each peer it shares a case with, like with like: stages fused in one task with stages chained, stages apart with
 * stages apart; of several variants of a kind the best. Figures that have not settled are compared with none.
 *
 * @param shared the cases both have such a figure in
 * @param alone what peers can and Thalweg cannot, its cells
 */
record Peers(List<Pair> shared, List<CellResult> alone) {
    private static final String OURS = "thalweg";
    private static final String BY_LATENCY = "p99 latency";

    /**
     * @param stages {@code fused} or {@code apart}, of both
     * @param by {@code records/s}, or {@code p99 latency} where both keep a rate
     * @param advantage how many times better Thalweg is; below 1, the peer is ahead
     * @param perCpu how many times as many records Thalweg processes in a second of CPU time; null if that was not measured
     * @param overlap whether some run of the one behind was better than some run of the one ahead
     */
    record Pair(
            CellResult ours,
            CellResult theirs,
            String stages,
            String by,
            double advantage,
            @Nullable Double perCpu,
            boolean overlap) {

        String ahead() {
            if (advantage == 1) {
                return "neither";
            }
            return (weAreAhead() ? OURS : theirs.engine()) + (overlap ? ", but runs overlap" : "");
        }

        boolean weAreAhead() {
            return advantage > 1;
        }

        String perCpuText() {
            return perCpu == null ? "not measured" : Figures.times(perCpu);
        }

        /** What either reached, by what is compared. */
        String figureOf(CellResult cell) {
            CellResult.Latency latency = cell.latencyUs();
            if (by.equals(BY_LATENCY) && latency != null) {
                return Figures.time(latency.p99()) + CellText.cores(cell);
            }
            CellResult.Spread figure = cell.figure();
            return figure == null ? "no figure" : Figures.count(figure.median());
        }
    }

    static Peers of(Results results) {
        Map<List<String>, List<CellResult>> cases = new LinkedHashMap<>();
        for (CellResult cell : results.cells()) {
            // what Thalweg has a part in is no peer, nor is a loop without an engine
            if (!PortabilityTax.isOurs(cell) && !cell.engine().equals(ShareOfHand.HAND)) {
                cases.computeIfAbsent(
                                List.of(cell.study(), cell.caseName(), cell.guarantee()), key -> new ArrayList<>())
                        .add(cell);
            }
        }
        List<Pair> shared = new ArrayList<>();
        List<CellResult> alone = new ArrayList<>();
        for (List<CellResult> cells : cases.values()) {
            List<CellResult> ours =
                    cells.stream().filter(cell -> cell.engine().equals(OURS)).toList();
            if (ours.isEmpty()) {
                continue;
            }
            for (String stages : List.of(CellResult.FUSED, CellResult.APART)) {
                shared.addAll(pairs(cells, stages));
            }
            boolean weCan = ours.stream().anyMatch(cell -> cell.figure() != null);
            boolean theyCan = cells.stream().anyMatch(cell -> !cell.engine().equals(OURS) && cell.figure() != null);
            if (theyCan && !weCan) {
                alone.add(ours.get(0));
            }
        }
        return new Peers(shared, alone);
    }

    private static List<Pair> pairs(List<CellResult> cells, String stages) {
        Map<String, CellResult> best = new LinkedHashMap<>();
        cells.stream()
                .filter(cell -> cell.stagesAre(stages))
                .forEach(cell -> best.merge(cell.engine(), cell, Peers::better));
        CellResult ours = best.remove(OURS);
        return ours == null
                ? List.of()
                : best.values().stream()
                        .map(theirs -> pair(ours, theirs, stages))
                        .filter(Objects::nonNull)
                        .toList();
    }

    /** Why Thalweg has no figure, and in which cases. */
    Map<String, List<String>> alone(Machine machine) {
        return alone.stream()
                .collect(Collectors.groupingBy(
                        cell -> CellText.of(cell, machine).why(),
                        LinkedHashMap::new,
                        Collectors.mapping(cell -> cell.study() + "." + cell.caseName(), Collectors.toList())));
    }

    /** What is compared with what. There is no score: cases are not of equal weight. */
    String summary() {
        return shared.isEmpty()
                ? "No case holds figures to compare, both of Thalweg and of a peer."
                : "Stages fused in one task are compared with stages chained, stages apart with stages apart, by records a"
                        + " second, or by the 99th percentile of latency where the sources keep a rate; and by records in a"
                        + " second of CPU time. Figures that had not settled are left out.";
    }

    private static CellResult better(CellResult one, CellResult other) {
        CellResult.Spread a = one.settledFigure();
        CellResult.Spread b = other.settledFigure();
        if (a == null || b == null) {
            return a == null ? other : one;
        }
        if (byLatency(one, other)) {
            return p99(one) <= p99(other) ? one : other;
        }
        return a.median() >= b.median() ? one : other;
    }

    private static @Nullable Pair pair(CellResult ours, CellResult theirs, String stages) {
        CellResult.Spread a = ours.settledFigure();
        CellResult.Spread b = theirs.settledFigure();
        if (a == null || b == null) {
            return null;
        }
        Double ourCpu = ours.cpuSPerMillion();
        Double theirCpu = theirs.cpuSPerMillion();
        Double perCpu = ourCpu == null || theirCpu == null || ourCpu == 0 ? null : (Double) (theirCpu / ourCpu);
        if (byLatency(ours, theirs)) {
            return new Pair(ours, theirs, stages, BY_LATENCY, p99(theirs) / p99(ours), perCpu, false);
        }
        boolean overlap = a.min() <= b.max() && b.min() <= a.max();
        return new Pair(ours, theirs, stages, "records/s", a.median() / b.median(), perCpu, overlap);
    }

    private static boolean byLatency(CellResult one, CellResult other) {
        return one.keepsRate() && other.keepsRate() && one.latencyUs() != null && other.latencyUs() != null;
    }

    private static double p99(CellResult cell) {
        CellResult.Latency latency = cell.latencyUs();
        return latency == null ? Double.NaN : latency.p99();
    }
}
