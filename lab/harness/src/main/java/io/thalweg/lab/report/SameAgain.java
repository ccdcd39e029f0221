// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.report;

import io.thalweg.doctor.compare.Difference;
import io.thalweg.lab.result.CellResult;
import io.thalweg.lab.result.Results;
import io.thalweg.lab.result.RunResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How far two equal cells differ: one that was run twice, as two cells that took turns. A difference between engines that is no
 * larger says nothing.
 *
 * @param again the second of them
 * @param by {@code records/s}, or {@code p99 latency} where the sources keep a rate
 * @param ratio of the second to the first, in pairs of the runs of one round, if both had settled
 */
record SameAgain(CellResult again, String by, Difference ratio) {
    static List<SameAgain> of(Results results) {
        List<SameAgain> all = new ArrayList<>();
        for (CellResult again : results.cells()) {
            results.cells().stream()
                    .filter(once -> again.caseName().equals(once.caseName() + CellResult.AGAIN)
                            && again.study().equals(once.study())
                            && again.engine().equals(once.engine())
                            && again.variant().equals(once.variant()))
                    .findFirst()
                    .ifPresent(once -> all.add(of(once, again)));
        }
        return all;
    }

    private static SameAgain of(CellResult once, CellResult again) {
        boolean byLatency = once.keepsRate() && once.latencyUs() != null;
        int rounds = Math.min(once.runs().size(), again.runs().size());
        double[] first = new double[rounds];
        double[] second = new double[rounds];
        int pairs = 0;
        for (int round = 0; round < rounds; round++) {
            first[pairs] = value(once.runs().get(round), byLatency);
            second[pairs] = value(again.runs().get(round), byLatency);
            if (counts(first[pairs]) && counts(second[pairs])) {
                pairs++;
            }
        }
        Difference ratio =
                Difference.ofPairs(Arrays.copyOf(first, pairs), Arrays.copyOf(second, pairs), Difference.Better.MORE);
        return new SameAgain(again, byLatency ? "p99 latency" : "records/s", ratio);
    }

    private static boolean counts(double value) {
        return value > 0 && value < Double.POSITIVE_INFINITY;
    }

    /** Not a number if the run does not count. */
    private static double value(RunResult run, boolean byLatency) {
        Double rate = run.recordsPerS();
        CellResult.Latency latency = run.latencyUs();
        if (run.reason() != null || !run.settled() || run.profile() != null) {
            return Double.NaN;
        }
        if (byLatency) {
            return latency == null ? Double.NaN : latency.p99();
        }
        return rate == null ? Double.NaN : rate;
    }

    /** {@code How far two equal cells differ: storm-2012.a again, storm tuned has 1.02 times the records/s of a (95 % interval 0.97–1.07, 5 rounds).} */
    String line() {
        String once = again.caseName().substring(0, again.caseName().length() - CellResult.AGAIN.length());
        String of = "How far two equal cells differ: " + again.study() + "." + again.caseName() + ", " + again.engine()
                + " " + again.variant() + " has ";
        if (ratio.runsA() == 0) {
            return of + "no round in which both it and " + once + " had settled.";
        }
        return of + Figures.digits(ratio.ratio()) + " times the " + by + " of " + once + " (95 % interval "
                + (ratio.runsA() < Difference.FEWEST_RUNS
                        ? "unknown"
                        : Figures.digits(ratio.ci95().low()) + "–"
                                + Figures.digits(ratio.ci95().high()))
                + ", " + (ratio.runsA() == 1 ? "one round" : ratio.runsA() + " rounds") + ").";
    }
}
