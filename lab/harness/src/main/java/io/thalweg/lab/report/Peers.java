// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.report;

import io.thalweg.lab.result.CellResult;
import io.thalweg.lab.result.Machine;
import io.thalweg.lab.result.Results;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Thalweg against each peer it shares a case with, best variant against best variant.
 *
 * @param shared the cases both have a figure in
 * @param alone what peers can and Thalweg cannot, its cells
 */
record Peers(List<Pair> shared, List<CellResult> alone) {
    private static final String OURS = "thalweg";
    private static final String BY_LATENCY = "p99 latency";

    /**
     * @param by {@code records/s}, or {@code p99 latency} where both keep a rate
     * @param advantage how many times better Thalweg is; below 1, the peer is ahead
     * @param overlap whether some run of the one behind was better than some run of the one ahead
     */
    record Pair(CellResult ours, CellResult theirs, String by, double advantage, boolean overlap) {

        String ahead() {
            if (advantage == 1) {
                return "neither";
            }
            return (weAreAhead() ? OURS : theirs.engine()) + (overlap ? ", but runs overlap" : "");
        }

        boolean weAreAhead() {
            return advantage > 1;
        }

        /** What either reached, by what is compared. */
        String figureOf(CellResult cell) {
            CellResult.Latency latency = cell.latencyUs();
            if (by.equals(BY_LATENCY) && latency != null) {
                return Figures.time(latency.p99());
            }
            CellResult.Spread figure = cell.figure();
            return figure == null ? "no figure" : Figures.count(figure.median());
        }
    }

    static Peers of(Results results) {
        Map<List<String>, Map<String, CellResult>> cases = new LinkedHashMap<>();
        for (CellResult cell : results.cells()) {
            if (cell.variant().startsWith(PortabilityTax.TRANSLATED)) {
                continue; // Thalweg's own topology is no peer
            }
            cases.computeIfAbsent(
                            List.of(cell.study(), cell.caseName(), cell.guarantee()), key -> new LinkedHashMap<>())
                    .merge(cell.engine(), cell, Peers::better);
        }
        List<Pair> shared = new ArrayList<>();
        List<CellResult> alone = new ArrayList<>();
        for (Map<String, CellResult> engines : cases.values()) {
            CellResult ours = engines.remove(OURS);
            if (ours == null) {
                continue;
            }
            int before = shared.size();
            engines.values().stream()
                    .map(theirs -> pair(ours, theirs))
                    .filter(pair -> pair != null)
                    .forEach(shared::add);
            boolean theyCan = engines.values().stream().anyMatch(theirs -> theirs.figure() != null);
            if (theyCan && shared.size() == before) {
                alone.add(ours);
            }
        }
        return new Peers(shared, alone);
    }

    /** Why Thalweg has no figure, and in which cases. */
    Map<String, List<String>> alone(Machine machine) {
        return alone.stream()
                .collect(Collectors.groupingBy(
                        cell -> CellText.of(cell, machine).why(),
                        LinkedHashMap::new,
                        Collectors.mapping(cell -> cell.study() + "." + cell.caseName(), Collectors.toList())));
    }

    /** In one line: in how many of the shared cells Thalweg is ahead. */
    String summary() {
        long ahead = shared.stream().filter(Pair::weAreAhead).count();
        return shared.isEmpty()
                ? "No case holds figures both of Thalweg and of a peer."
                : "Thalweg is ahead in " + ahead + " of " + shared.size()
                        + " comparisons with a peer in the same case.";
    }

    private static CellResult better(CellResult one, CellResult other) {
        CellResult.Spread a = one.figure();
        CellResult.Spread b = other.figure();
        if (a == null || b == null) {
            return a == null ? other : one;
        }
        if (byLatency(one, other)) {
            return p99(one) <= p99(other) ? one : other;
        }
        return a.median() >= b.median() ? one : other;
    }

    private static @Nullable Pair pair(CellResult ours, CellResult theirs) {
        CellResult.Spread a = ours.figure();
        CellResult.Spread b = theirs.figure();
        if (a == null || b == null) {
            return null;
        }
        if (byLatency(ours, theirs)) {
            return new Pair(ours, theirs, BY_LATENCY, p99(theirs) / p99(ours), false);
        }
        boolean overlap = a.min() <= b.max() && b.min() <= a.max();
        return new Pair(ours, theirs, "records/s", a.median() / b.median(), overlap);
    }

    private static boolean byLatency(CellResult one, CellResult other) {
        return one.keepsRate() && other.keepsRate() && one.latencyUs() != null && other.latencyUs() != null;
    }

    private static double p99(CellResult cell) {
        CellResult.Latency latency = cell.latencyUs();
        return latency == null ? Double.NaN : latency.p99();
    }
}
