// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.stages;

import java.util.ArrayList;
import java.util.List;

/** Says when code has become as fast as it gets. Not thread-safe. */
final class Warmth {
    /** The best of so many rounds is compared with the best of as many before. */
    private static final int ROUNDS = 5;

    /** Two rounds of the same warm code differ by more than this often enough. */
    private static final double NOTABLE = 0.97;

    private final List<Double> nsPerRecord = new ArrayList<>();

    /** Adds a round; true once the last ones are no faster than those before. */
    boolean isReachedWith(double ns) {
        nsPerRecord.add(ns);
        int rounds = nsPerRecord.size();
        return rounds >= 2 * ROUNDS
                && best(rounds - ROUNDS, rounds) >= NOTABLE * best(rounds - 2 * ROUNDS, rounds - ROUNDS);
    }

    private double best(int from, int to) {
        return nsPerRecord.subList(from, to).stream()
                .mapToDouble(Double::doubleValue)
                .min()
                .orElseThrow();
    }
}
