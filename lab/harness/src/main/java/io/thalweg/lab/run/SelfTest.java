// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import io.thalweg.doctor.compare.Difference;
import io.thalweg.lab.LabException;
import io.thalweg.lab.compare.Comparison;
import io.thalweg.lab.result.CellResult;
import io.thalweg.lab.result.RunResult;
import io.thalweg.lab.study.Studies;
import io.thalweg.lab.study.Study;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * The lab on itself: a stall of 200 ms must show in the percentiles of an open loop, and does not in those of a closed one; two
 * cells that are the same must look the same; one that is 10 % slower must be found.
 */
public final class SelfTest {
    private static final int PAIRS_OF_THE_SAME = 10;
    private static final int MOST_PAIRS = 40;
    private static final int PAIRS_AT_A_TIME = 10;

    private final LabRun lab;
    private final Consumer<String> out;
    private final Study study = Studies.selfTest();
    private boolean passed = true;

    private SelfTest(LabRun lab, Consumer<String> out) {
        this.lab = lab;
        this.out = out;
    }

    /**
     * Takes about five minutes.
     *
     * @param out told the findings, line by line
     * @return whether all is as it must be
     */
    public static boolean run(LabRun lab, Consumer<String> out) {
        SelfTest test = new SelfTest(lab, out);
        test.stall();
        test.same();
        test.slowed();
        return test.passed;
    }

    private void stall() {
        List<CellResult> cells = lab.run(planned("open-loop", "closed-loop"), wish(1));
        CellResult.Latency open = latency(cells.get(0));
        CellResult.Latency closed = latency(cells.get(1));
        out.accept(String.format(
                Locale.ROOT,
                "A stall of 200 ms a second, at 10,000 records/s, each timed from when it was due: p50 %,.1f us, p99 %,.1f us, longest %,.0f us.",
                open.p50(),
                open.p99(),
                open.max()));
        out.accept(String.format(
                Locale.ROOT,
                "The same in a closed loop, each timed from when it was sent:                      p50 %,.1f us, p99 %,.1f us, longest %,.0f us.",
                closed.p50(),
                closed.p99(),
                closed.max()));
        // In a fifth of the time records wait for up to 200 ms: one in a hundred at least 190.
        judge(open.p99() > 150_000 && open.max() > 199_000, "the open loop shows the stall");
        judge(closed.p99() < 150_000, "the closed loop hides it");
    }

    private void same() {
        List<CellResult> cells = lab.run(planned("plain", "again"), wish(PAIRS_OF_THE_SAME));
        Difference difference = Comparison.ofPairs(rates(cells.get(0)), rates(cells.get(1)));
        say("The same cell twice", difference);
        judge(difference.ci99().contains(1), "the 99 % interval contains 1");
    }

    private void slowed() {
        List<Double> plain = new ArrayList<>();
        List<Double> slowed = new ArrayList<>();
        Difference difference;
        do {
            List<CellResult> cells = lab.run(planned("plain", "slowed"), wish(PAIRS_AT_A_TIME));
            for (double each : rates(cells.get(0))) {
                plain.add(each);
            }
            for (double each : rates(cells.get(1))) {
                slowed.add(each);
            }
            difference = Comparison.ofPairs(array(plain), array(slowed));
            say("A cell made 10 % slower", difference);
        } while (difference.verdict() != Difference.Verdict.REGRESSION && plain.size() < MOST_PAIRS);
        judge(difference.verdict() == Difference.Verdict.REGRESSION, "the slowdown is found");
    }

    private void say(String what, Difference difference) {
        out.accept(String.format(
                Locale.ROOT,
                "%s, %d pairs: ratio %.3f, 99 %% interval %.3f to %.3f; these pairs could have shown a loss of %.1f %%.",
                what,
                difference.runsA(),
                difference.ratio(),
                difference.ci99().low(),
                difference.ci99().high(),
                100 * difference.smallestEffect()));
    }

    private void judge(boolean holds, String what) {
        passed &= holds;
        out.accept((holds ? "  as it must be: " : "  WRONG, not so: ") + what);
    }

    private List<Study.Planned> planned(String... names) {
        List<Study.Planned> planned = new ArrayList<>();
        for (String name : names) {
            study.cases().stream()
                    .filter(each -> each.name().equals(name))
                    .map(each -> new Studies.Selection(study, List.of(each)))
                    .forEach(each -> each.plan(List.of(), (engine, settings) -> "fused", true)
                            .forEach(planned::addAll));
        }
        return planned;
    }

    private static LabRun.Wish wish(int runs) {
        return new LabRun.Wish(List.of(), List.of(), true, 2, runs);
    }

    private static CellResult.Latency latency(CellResult cell) {
        CellResult.Latency latency = cell.latencyUs();
        if (latency == null) {
            throw new LabException("the self-test could not run " + cell.caseName() + ": " + cell.reason());
        }
        return latency;
    }

    private static double[] rates(CellResult cell) {
        for (RunResult each : cell.runs()) {
            if (each.recordsPerS() == null) {
                throw new LabException("the self-test could not run " + cell.caseName() + ": " + each.reason());
            }
        }
        return cell.runs().stream()
                .mapToDouble(each -> each.recordsPerS() == null ? 0 : each.recordsPerS())
                .toArray();
    }

    private static double[] array(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
