// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.report;

import io.thalweg.lab.result.CellResult;
import io.thalweg.lab.result.Results;
import io.thalweg.lab.result.RunResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * What a variant that is Thalweg's own reaches beside the job that was written by hand for the engine: Thalweg's topology on that
 * engine, or the engine's own topology on Thalweg.
 *
 * @param ratios of the runs of both in one round, if both had settled, in rising order
 */
record PortabilityTax(CellResult ours, CellResult byHand, List<Double> ratios) {
    /** Begins the variants that run Thalweg's topology on another engine. */
    private static final String TRANSLATED = "translated";

    /** Runs Storm's topology on Thalweg. */
    private static final String STORM_DOOR = "storm-door";

    static boolean isOurs(CellResult cell) {
        return cell.variant().startsWith(TRANSLATED) || cell.variant().equals(STORM_DOOR);
    }

    /** Of all cases that hold both, each with the first of its hand-written variants; but for those whose sources keep a rate, which both then have. */
    static List<PortabilityTax> of(Results results) {
        List<PortabilityTax> taxes = new ArrayList<>();
        for (CellResult cell : results.cells()) {
            if (isOurs(cell) && !cell.keepsRate()) {
                results.cells().stream()
                        .filter(other -> other.study().equals(cell.study())
                                && other.caseName().equals(cell.caseName())
                                && other.engine().equals(cell.engine())
                                && !isOurs(other))
                        .findFirst()
                        .map(byHand -> new PortabilityTax(cell, byHand, ratios(cell, byHand)))
                        .filter(tax -> !tax.ratios.isEmpty())
                        .ifPresent(taxes::add);
            }
        }
        return taxes;
    }

    private static List<Double> ratios(CellResult own, CellResult byHand) {
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < Math.min(own.runs().size(), byHand.runs().size()); round++) {
            RunResult ours = own.runs().get(round);
            RunResult theirs = byHand.runs().get(round);
            if (ours.recordsPerS() != null
                    && theirs.recordsPerS() != null
                    && ours.settled()
                    && theirs.settled()
                    && ours.profile() == null
                    && theirs.profile() == null) {
                ratios.add(Objects.requireNonNull(ours.recordsPerS()) / Objects.requireNonNull(theirs.recordsPerS()));
            }
        }
        return ratios.stream().sorted().toList();
    }

    double median() {
        int size = ratios.size();
        return (ratios.get((size - 1) / 2) + ratios.get(size / 2)) / 2;
    }

    /** {@code portability.fused, flink translated: 0.97 of object-reuse (0.95–0.99, 5 rounds)}. */
    String line() {
        int rounds = ratios.size();
        String spread = rounds == 1
                ? "one round"
                : Figures.digits(ratios.get(0)) + "–" + Figures.digits(ratios.get(rounds - 1)) + ", " + rounds
                        + " rounds";
        return ours.study() + "." + ours.caseName() + ", " + ours.engine() + " " + ours.variant() + ": "
                + Figures.digits(median()) + " of " + byHand.variant() + " (" + spread + ")";
    }
}
