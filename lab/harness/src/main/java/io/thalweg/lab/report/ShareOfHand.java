// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.report;

import io.thalweg.lab.result.CellResult;
import io.thalweg.lab.result.Results;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * How much of the limit an engine reaches: its median rate against that of the loops that a person would write for the cell, each of
 * them, on one thread and on two.
 *
 * @param hands the cells of the loops, at least one
 */
record ShareOfHand(CellResult cell, List<CellResult> hands) {
    /** The engine whose cells are such loops. */
    static final String HAND = "hand";

    /** Of all cells that have a figure to compare, and a loop in their case. */
    static List<ShareOfHand> of(Results results) {
        List<ShareOfHand> shares = new ArrayList<>();
        for (CellResult cell : results.cells()) {
            List<CellResult> hands = hands(cell, results.cells());
            boolean comparable = cell.settledFigure() != null && !cell.engine().equals(HAND) && !cell.keepsRate();
            if (comparable && !hands.isEmpty()) {
                shares.add(new ShareOfHand(cell, hands));
            }
        }
        return shares;
    }

    private static List<CellResult> hands(CellResult cell, List<CellResult> all) {
        return all.stream()
                .filter(other -> other.engine().equals(HAND)
                        && other.study().equals(cell.study())
                        && other.caseName().equals(cell.caseName())
                        && other.settledFigure() != null)
                .toList();
    }

    double shareOf(CellResult hand) {
        return median(cell) / median(hand);
    }

    private static double median(CellResult cell) {
        CellResult.Spread figure = cell.settledFigure();
        return figure == null ? Double.NaN : figure.median();
    }

    /** {@code storm-2012.a, thalweg fused: 0.97 of loop (3.9 M records/s), 0.85 of ring (4.6 M records/s)}. */
    String line() {
        return cell.study() + "." + cell.caseName() + ", " + cell.engine() + " " + cell.variant() + ": "
                + hands.stream()
                        .map(hand -> Figures.digits(shareOf(hand)) + " of " + hand.variant() + " ("
                                + Figures.count(median(hand)) + " records/s)")
                        .collect(Collectors.joining(", "));
    }
}
