// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.thalweg.lab.driver.Check;
import io.thalweg.lab.result.CellResult;
import io.thalweg.lab.result.RunResult;
import io.thalweg.lab.study.Studies;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CellRunsTest {
    private final CellRuns runs = new CellRuns(Studies.find("storm-2012.a")
            .plan(List.of("storm"), (engine, settings) -> "tuned", false)
            .get(0)
            .get(0));
    private int turn;

    @Test
    void shouldTakeItsFiguresFromRunsThatHadSettled_whereThereAreAny() {
        add(1_000, true);
        add(9_000, false);
        add(2_000, true);
        CellResult cell = runs.result(null);

        assertThat(cell.recordsPerS()).isEqualTo(new CellResult.Spread(1_500, 1_000, 2_000, 2));
        assertThat(cell.settled()).isTrue();
        assertThat(cell.cpuSPerMillion()).as("of the same runs").isEqualTo(1.5);
        assertThat(cell.latencyUs().p99()).isEqualTo(1_500);
        assertThat(cell.ratio()).isEqualTo(1_500 / 25_253.0);
        assertThat(cell.runs()).hasSize(3);
    }

    /** Logs of -0.1, 0 and 0.1 around that of 1,000: standard error 0.1/√3; t at 95 % and 2 degrees of freedom is 4.3027. */
    @Test
    void shouldGiveTheIntervalOfRunsThatHadSettled_ifThereAreThree() {
        add(1_000 * Math.exp(0.1), true);
        add(5_000, false);
        add(1_000, true);
        assertThat(runs.result(null).recordsPerS().ci95()).isNull();
        add(1_000 * Math.exp(-0.1), true);
        CellResult cell = runs.result(null);

        double half = 4.3027 * 0.1 / Math.sqrt(3);
        assertThat(cell.recordsPerS().ci95().low()).isCloseTo(1_000 * Math.exp(-half), within(0.01));
        assertThat(cell.recordsPerS().ci95().high()).isCloseTo(1_000 * Math.exp(half), within(0.01));
        assertThat(cell.p99Ci95())
                .as("latencies are the rates")
                .isEqualTo(cell.recordsPerS().ci95());
    }

    @Test
    void shouldSayThatNoneHadSettled_andGiveNoRatio() {
        add(1_000, false);
        add(2_000, false);
        add(3_000, false);
        CellResult cell = runs.result(null);

        assertThat(cell.recordsPerS())
                .as("without an interval")
                .isEqualTo(new CellResult.Spread(2_000, 1_000, 3_000, 3));
        assertThat(cell.settled()).isFalse();
        assertThat(cell.settledFigure()).isNull();
        assertThat(cell.claim()).isNotNull();
        assertThat(cell.ratio()).isNull();
    }

    @Test
    void shouldHaveNoFigureWhereTheRunThatChecksFoundAMistake() {
        add(1_000, true);
        Check found = new Check(100, 2, 0, 0, 0, 0, null);
        runs.setChecked(new CheckRun.Outcome(found, "checked record by record: lost 2 of 100 records"));
        runs.applyCheck();
        CellResult cell = runs.result(null);

        assertThat(cell.figure()).isNull();
        assertThat(cell.settled()).isNull();
        assertThat(cell.reason()).isEqualTo("checked record by record: lost 2 of 100 records");
        assertThat(cell.checked()).isEqualTo(new CellResult.Checked(100, 2, 0, 0, 0, 0));
    }

    /** What a driver says last may repeat what it was told. */
    @Test
    void shouldRepeatNoSecretInReasons() {
        String said = "its process ended: no login with password=hunter22";
        String shown = "its process ended: no login with password=(not kept)";
        runs.add(CellRun.Outcome.failed(1, said));
        assertThat(runs.result(null).reason()).isEqualTo(shown);
        assertThat(runs.result(null).runs().get(0).reason()).isEqualTo(shown);

        add(1_000, true);
        runs.setChecked(new CheckRun.Outcome(null, said));
        runs.applyCheck();
        assertThat(runs.result(null).runs().get(1).reason()).isEqualTo(shown);

        runs.refuse(said);
        assertThat(runs.result(null).reason()).isEqualTo(shown);
        runs.add(new CellRun.Outcome(null, said, Measured.NOTHING));
        assertThat(runs.refused()).isEqualTo(shown);
    }

    /** A run whose latencies and CPU time are its rate, in a thousandth. */
    private void add(double rate, boolean settled) {
        CellResult.Latency latency = new CellResult.Latency(rate, rate, rate, rate, rate, rate, rate, rate);
        RunResult run =
                new RunResult(++turn, rate, latency, null, 30, 10, settled, null, 100, 100, null, null, List.of());
        Measured measured = new Measured(rate, latency, rate / 1e3, rate / 2, 1, 1, null, List.of(), List.of());
        runs.add(new CellRun.Outcome(run, null, measured));
    }
}
