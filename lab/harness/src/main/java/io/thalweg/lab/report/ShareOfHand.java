// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.report;

import io.thalweg.lab.result.CellResult;
import io.thalweg.lab.result.Results;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How much of the limit an engine reaches: its rate against that of the loop that a person would write for the cell, on one thread
 * or on two, whichever is faster.
 *
 * @param share of the median rate
 */
record ShareOfHand(CellResult cell, CellResult hand, double share) {
    /** The engine whose cells are such loops. */
    static final String HAND = "hand";

    /** Of all cells that have a figure to compare, and a loop in their case. */
    static List<ShareOfHand> of(Results results) {
        List<ShareOfHand> shares = new ArrayList<>();
        for (CellResult cell : results.cells()) {
            ShareOfHand share = of(cell, results.cells());
            if (share != null) {
                shares.add(share);
            }
        }
        return shares;
    }

    private static @Nullable ShareOfHand of(CellResult cell, List<CellResult> all) {
        CellResult.Spread figure = cell.settledFigure();
        if (figure == null || cell.engine().equals(HAND) || cell.keepsRate()) {
            return null;
        }
        CellResult hand = all.stream()
                .filter(other -> other.engine().equals(HAND)
                        && other.study().equals(cell.study())
                        && other.caseName().equals(cell.caseName())
                        && other.settledFigure() != null)
                .max(Comparator.comparingDouble(ShareOfHand::median))
                .orElse(null);
        return hand == null ? null : new ShareOfHand(cell, hand, figure.median() / median(hand));
    }

    private static double median(CellResult cell) {
        CellResult.Spread figure = cell.settledFigure();
        return figure == null ? 0 : figure.median();
    }

    /** {@code storm-2012.a, thalweg fused: 0.97 of the limit (hand ring, 4.6 M records/s)}. */
    String line() {
        return cell.study() + "." + cell.caseName() + ", " + cell.engine() + " " + cell.variant() + ": "
                + Figures.digits(share) + " of the limit (" + hand.engine() + " " + hand.variant() + ", "
                + Figures.count(median(hand)) + " records/s)";
    }
}
