// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.thalweg.doctor.compare.Difference;
import io.thalweg.doctor.compare.Difference.Verdict;
import io.thalweg.doctor.compare.Sensitivity;
import io.thalweg.lab.report.MadeUp;
import io.thalweg.lab.result.CellResult;
import io.thalweg.lab.result.Machine;
import io.thalweg.lab.result.Results;
import io.thalweg.lab.result.RunResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ComparisonTest {
    private static final long SEED = Long.getLong("thalweg.seed", 20_260_102);
    private static final int TRIALS = 1_000;
    private static final double NOISE = 0.08;

    private final Random random = new Random(SEED);

    @Test
    void shouldSeeNoDifferenceBetweenAThingAndItself() {
        int contained99 = 0;
        int contained95 = 0;
        for (int trial = 0; trial < TRIALS; trial++) {
            Difference difference = pairs(10, 1);
            contained99 += difference.ci99().contains(1) ? 1 : 0;
            contained95 += difference.ci95().contains(1) ? 1 : 0;
        }

        assertThat(contained99).as("seed " + SEED).isGreaterThanOrEqualTo(980);
        assertThat(contained95).as("seed " + SEED).isBetween(930, 970);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 5, 10})
    void shouldHaveTheMeanInNineteenOfTwentyIntervals(int runs) {
        int contained = 0;
        for (int trial = 0; trial < TRIALS; trial++) {
            double[] all = DoubleStream.generate(() -> run(1)).limit(runs).toArray();
            contained += Difference.Interval.ofMean(all).contains(1e6) ? 1 : 0;
        }

        assertThat(contained).as("seed " + SEED).isBetween(930, 970);
    }

    @Test
    void shouldGiveNoIntervalOfTwoRuns() {
        assertThatThrownBy(() -> Difference.Interval.ofMean(new double[] {1, 2}))
                .hasMessage("an interval needs 3 runs, not 2");
    }

    @Test
    void shouldFindAPlantedSlowdownOfTenPercentWithinFortyPairs() {
        int found = 0;
        for (int trial = 0; trial < TRIALS; trial++) {
            found += pairs(40, 0.9).verdict() == Verdict.REGRESSION ? 1 : 0;
        }

        assertThat(found).as("seed " + SEED).isGreaterThanOrEqualTo(950);
    }

    @Test
    void shouldLeaveOutRunsThatHadNotSettled() {
        CellResult a = cell("fused", 1, 5, 1, false);
        CellResult b = cell("fused", 2, 5, 1, false);
        RunResult first = b.runs().get(0);
        List<RunResult> runs = new ArrayList<>(b.runs());
        runs.set(0, new RunResult(first.turn(), 1.0, null, null, 1, 10, false, null, 9, 9, null, null, List.of()));
        CellResult restless = withRuns(b, runs);
        Comparison comparison = Comparison.of(results("now", a), results("now", restless));

        assertThat(comparison.rows())
                .singleElement()
                .satisfies(row -> assertThat(row.difference().runsA()).isEqualTo(4));
        assertThat(comparison.notes()).contains("study.case engine fused: 1 runs had not settled and are left out");
    }

    /** Each had settled in a round in which the other had not. */
    @Test
    void shouldTellNoRatioWhereNoPairCounts() {
        CellResult a = cell("fused", 1, 2, 1, false);
        CellResult b = cell("fused", 2, 2, 1, false);
        Results first = results("now", withRuns(a, List.of(a.runs().get(0), unsettled(3))));
        Results second =
                results("now", withRuns(b, List.of(unsettled(2), b.runs().get(1))));

        assertThat(Comparison.of(first, second).toText(140))
                .contains("0 pairs", "unknown", "too few runs")
                .doesNotContain("NaN");
    }

    private static RunResult unsettled(int turn) {
        return new RunResult(turn, 1.0, null, null, 1, 10, false, null, 9, 9, null, null, List.of());
    }

    private static CellResult withRuns(CellResult cell, List<RunResult> runs) {
        return new CellResult(
                cell.study(),
                cell.caseName(),
                cell.engine(),
                cell.version(),
                cell.variant(),
                cell.stages(),
                cell.guarantee(),
                cell.settings(),
                cell.tuning(),
                cell.jvms(),
                cell.recordsPerS(),
                cell.settled(),
                cell.mbPerS(),
                cell.latencyUs(),
                cell.cpuSPerMillion(),
                cell.allocatedBytesPerRecord(),
                cell.rssMb(),
                cell.gcMs(),
                cell.valid(),
                cell.checked(),
                cell.testable(),
                cell.reason(),
                cell.claim(),
                cell.ratio(),
                cell.why(),
                runs);
    }

    @Test
    void shouldFindItThroughDriftThatSlowsBothOfAPair() {
        int paired = 0;
        int unpaired = 0;
        for (int trial = 0; trial < 200; trial++) {
            double[] a = new double[20];
            double[] b = new double[20];
            for (int i = 0; i < a.length; i++) {
                double drift = Math.exp(0.3 * random.nextGaussian());
                a[i] = run(drift);
                b[i] = run(0.9 * drift);
            }
            paired += Comparison.ofPairs(a, b).verdict() == Verdict.REGRESSION ? 1 : 0;
            unpaired += Difference.ofUnpaired(a, b, Difference.Better.MORE).verdict() == Verdict.REGRESSION ? 1 : 0;
        }

        assertThat(paired).as("seed " + SEED).isGreaterThan(120);
        assertThat(unpaired).as("seed " + SEED).isLessThan(20);
    }

    @Test
    void shouldPrintTheSmallestEffectItCouldHaveSeen() {
        for (int pairs : new int[] {3, 5, 10, 40}) {
            // The true effect of that power, from the true noise; what is printed estimates it from the sample's noise.
            double error = NOISE * Math.sqrt(2.0 / pairs);
            double effect = error * Sensitivity.standardErrors(pairs - 1.0, 0.99, 0.80);
            double squares = 0;
            int found = 0;
            int trials = 3_000;
            for (int trial = 0; trial < trials; trial++) {
                Difference difference = pairs(pairs, Math.exp(-effect));
                double printed = -Math.log1p(-difference.smallestEffect());
                squares += printed * printed / trials;
                found += difference.verdict() == Verdict.REGRESSION ? 1 : 0;
            }

            assertThat(found / (double) trials)
                    .as("%d pairs, seed %d", pairs, SEED)
                    .isCloseTo(0.80, within(0.03));
            assertThat(Math.sqrt(squares))
                    .as("%d pairs, seed %d", pairs, SEED)
                    .isCloseTo(effect, within(0.06 * effect));
        }
    }

    @Test
    void shouldAgreeWithTablesOfTheT_Test() {
        // Differences of logs 1, 2, 3: mean 2, standard error 1/√3; t at 95 % and 2 degrees of freedom is 4.3027.
        Difference difference =
                Comparison.ofPairs(new double[] {1, 1, 1}, new double[] {Math.E, Math.exp(2), Math.exp(3)});

        assertThat(Math.log(difference.ratio())).isCloseTo(2, within(1e-9));
        assertThat(Math.log(difference.ci95().low())).isCloseTo(2 - 4.3027 / Math.sqrt(3), within(1e-4));
        assertThat(Math.log(difference.ci99().high())).isCloseTo(2 + 9.9248 / Math.sqrt(3), within(1e-4));
        assertThat(difference.verdict()).isEqualTo(Verdict.NO_DIFFERENCE_SEEN);
    }

    @Test
    void shouldFollowWelch() {
        // Logs 0, 1, 2 against 1, 1, 4: variances 1 and 3, freedom (4/3)² / ((1/3)²/2 + 1/2) = 3.2; t at 95 % is
        // 3.0720.
        double[] a = {1, Math.E, Math.exp(2)};
        double[] b = {Math.E, Math.E, Math.exp(4)};
        Difference difference = Difference.ofUnpaired(a, b, Difference.Better.MORE);

        assertThat(Math.log(difference.ratio())).isCloseTo(1, within(1e-9));
        assertThat(Math.log(difference.ci95().high())).isCloseTo(1 + 3.0720 * Math.sqrt(4.0 / 3), within(2e-3));
    }

    @Test
    void shouldSayWhenRunsAreTooFew() {
        Difference difference = Comparison.ofPairs(new double[] {100, 100}, new double[] {50, 50});

        assertThat(difference.verdict()).isEqualTo(Verdict.TOO_FEW_RUNS);
        assertThat(difference.ratio()).isCloseTo(0.5, within(1e-9));
        assertThat(difference.smallestEffect()).isNaN();
    }

    @Test
    void shouldRefuseWhatHasNoLogarithmOrNoPartner() {
        assertThatThrownBy(() -> Comparison.ofPairs(new double[] {1, 2, 0}, new double[] {1, 2, 3}))
                .hasMessageContaining("0.0");
        assertThatThrownBy(() -> Comparison.ofPairs(new double[] {1, 2, 3}, new double[] {1, 2}))
                .hasMessageContaining("3 runs and B 2");
    }

    @Test
    void shouldPairRunsOfOneCallThatTookTurns() {
        Results a = results("s", cell("fused", 0, 10, 1, false));
        Results b = results("s", cell("fused", 1, 10, 0.7, false));

        Comparison comparison = Comparison.of(a, b);

        assertThat(comparison.rows()).singleElement().satisfies(row -> {
            assertThat(row.difference().paired()).isTrue();
            assertThat(row.difference().verdict()).isEqualTo(Verdict.REGRESSION);
        });
        assertThat(comparison.exitCode()).isEqualTo(1);
        assertThat(Comparison.of(b, a).exitCode()).isZero();
        assertThat(comparison.toText(140)).contains("10 pairs").contains("regression");
    }

    @Test
    void shouldNotPairRunsOfDifferentCalls() {
        Results a = results("s", cell("fused", 0, 10, 1, false));
        Results b = results("t", cell("fused", 1, 9, 1, false));

        assertThat(Comparison.of(a, b).rows()).singleElement().satisfies(row -> {
            assertThat(row.difference().paired()).isFalse();
            assertThat(row.difference().runsB()).isEqualTo(9);
        });
    }

    @Test
    void shouldCompareLatenciesWhereTheRateIsKept() {
        Results a = results("s", cell("fused", 0, 10, 1, true));
        Results b = results("s", cell("fused", 1, 10, 1.5, true));

        assertThat(Comparison.of(a, b).rows()).singleElement().satisfies(row -> {
            assertThat(row.measure()).isEqualTo("p99 latency");
            assertThat(row.difference().verdict()).isEqualTo(Verdict.REGRESSION);
        });
    }

    @Test
    void shouldSayWhatCannotBeCompared() {
        Results a = results("s", cell("fused", 0, 2, 1, false), cell("apart", 0, 3, 1, false));
        Results b = results("t", cell("fused", 0, 2, 1, false), cell("other", 0, 3, 1, false));

        Comparison comparison = Comparison.of(a, b);

        assertThat(comparison.toText(120))
                .contains("too few runs")
                .contains("study.case engine apart: only A has it")
                .contains("study.case engine other: only B has it");
        assertThat(comparison.exitCode()).as("nothing could be compared").isEqualTo(1);
    }

    @Test
    void shouldSayWhichOfTwoEqualCellsCounts() {
        CellResult first = cell("fused", 0, 5, 1, false);
        CellResult second = cell("fused", 20, 5, 0.5, false);

        Comparison twiceInA = Comparison.of(results("s", first, second), results("t", first));
        Comparison twiceInB = Comparison.of(results("s", first), results("t", first, second));

        assertThat(twiceInA.notes())
                .containsExactly("study.case engine fused: A has it more than once; its first counts");
        assertThat(twiceInB.notes())
                .containsExactly("study.case engine fused: B has it more than once; its first counts");
        for (Comparison each : List.of(twiceInA, twiceInB)) {
            assertThat(each.rows())
                    .singleElement()
                    .satisfies(row -> assertThat(row.difference().ratio()).isEqualTo(1, within(1e-9)));
        }
    }

    /** A step of continuous integration that compares nothing must not pass. */
    @Test
    void shouldNotPassWhereNothingCanBeCompared() {
        Results none = new Results(Results.SCHEMA, MadeUp.MACHINE, List.of(), List.of());
        Comparison comparison = Comparison.of(MadeUp.allStudies(), none);

        assertThat(comparison.exitCode()).isEqualTo(1);
        assertThat(comparison.toText(140))
                .contains("Nothing could be compared, so this says nothing of B; exit code 1.");
        assertThat(Comparison.of(MadeUp.allStudies(), MadeUp.allStudies()).exitCode())
                .isZero();
    }

    @Test
    void shouldCompareWholeJobsThatEndedBeforeTheirRateHadSettled() {
        Comparison comparison = Comparison.of(results("s", job(1.0, 1.01, 0.99)), results("t", job(2.0, 2.02, 1.98)));

        assertThat(comparison.rows()).extracting(Comparison.Row::measure).containsExactly("records/s of the whole job");
        assertThat(comparison.rows().get(0).difference().ratio()).isBetween(0.49, 0.51);
        assertThat(comparison.exitCode()).isEqualTo(1);
    }

    /** Of a user's own topology: whole jobs that took so many seconds. */
    private CellResult job(double... seconds) {
        List<RunResult> runs = new ArrayList<>();
        for (double each : seconds) {
            RunResult.Job whole = new RunResult.Job(each, 1, List.of());
            runs.add(new RunResult(
                    runs.size() + 1,
                    1.0,
                    null,
                    null,
                    0,
                    each,
                    false,
                    null,
                    1_000,
                    7,
                    0,
                    null,
                    null,
                    null,
                    null,
                    whole,
                    null,
                    null,
                    List.of()));
        }
        return withRuns(cell("fused", 1, 3, 1, false), runs);
    }

    @Test
    void shouldKeepToTheWidthOnRealResults() {
        String text = Comparison.of(MadeUp.allStudies(), MadeUp.allStudies()).toText(140);

        assertThat(text).contains("A and B hold the same runs.").doesNotContain("null");
        assertThat(text.lines()).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(140));
    }

    private Difference pairs(int pairs, double slowdown) {
        double[] a = new double[pairs];
        double[] b = new double[pairs];
        for (int i = 0; i < pairs; i++) {
            a[i] = run(1);
            b[i] = run(slowdown);
        }
        return Comparison.ofPairs(a, b);
    }

    private double run(double speed) {
        return 1e6 * speed * Math.exp(NOISE * random.nextGaussian());
    }

    private static Results results(String started, CellResult... cells) {
        Machine machine = new Machine("cpu", 2, 1, "os", "17", "0.1", null, started, 1e9, 1, 1);
        return new Results(Results.SCHEMA, machine, List.of(), List.of(cells));
    }

    /** Runs at turns first, first + 2 and so on. */
    private CellResult cell(String variant, int first, int runs, double factor, boolean keepsRate) {
        List<RunResult> all = new ArrayList<>();
        CellResult.Latency latency = null;
        for (int i = 0; i < runs; i++) {
            double value = run(factor);
            latency = keepsRate ? new CellResult.Latency(1, 1, 1, 1, value, 1, 1, 1) : null;
            all.add(new RunResult(
                    first + 2 * i,
                    keepsRate ? 1_000 : value,
                    latency,
                    null,
                    1,
                    10,
                    true,
                    null,
                    9,
                    9,
                    null,
                    null,
                    List.of()));
        }
        return new CellResult(
                "study",
                "case",
                "engine",
                "1",
                variant,
                null,
                "none",
                keepsRate ? Map.of("rate", "1000") : Map.of(),
                Map.of(),
                List.of(),
                new CellResult.Spread(1e6, 1e6, 1e6, runs),
                null,
                null,
                latency,
                null,
                null,
                null,
                null,
                true,
                null,
                true,
                null,
                null,
                null,
                "",
                all);
    }
}
