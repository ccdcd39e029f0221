// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.lab.result.CellResult;
import io.thalweg.lab.result.Results;
import io.thalweg.lab.result.RunResult;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SameAgainTest {
    private static final Results ALL = MadeUp.allStudies();

    /** Logs of the ratios 0.01, 0.02, 0.03: standard error 0.01/√3; t at 95 % and 2 degrees of freedom is 4.3027. */
    @Test
    void shouldSayHowFarTwoEqualCellsDiffer_inBothReports() {
        String line =
                "How far two equal cells differ: storm-2012.a again, storm tuned has 1.02 times the records/s of a"
                        + " (95 % interval 0.995–1.05, 3 rounds).";
        Results results = with(
                runs(true, 100, 200, 300),
                runs(true, 100 * Math.exp(0.01), 200 * Math.exp(0.02), 300 * Math.exp(0.03)));

        assertThat(SameAgain.of(results)).extracting(SameAgain::line).containsExactly(line);
        assertThat(TextReport.of(results, 200)).contains(line);
        assertThat(HtmlReport.of(results)).contains(line);
    }

    @Test
    void shouldCompareRunsOfOneRound_ofWhichBothHadSettled() {
        List<RunResult> second = new ArrayList<>(runs(true, 50, 100, 100));
        second.set(0, runs(false, 50).get(0));

        assertThat(SameAgain.of(with(runs(true, 100, 100, 100), second)))
                .extracting(SameAgain::line)
                .singleElement()
                .asString()
                .endsWith("storm tuned has 1 times the records/s of a (95 % interval unknown, 2 rounds).");
        assertThat(SameAgain.of(with(runs(true, 100), runs(false, 100))))
                .extracting(SameAgain::line)
                .singleElement()
                .asString()
                .endsWith("storm tuned has no round in which both it and a had settled.");
    }

    @Test
    void shouldCompareLatencyWhereTheSourcesKeepARate() {
        CellResult once =
                ALL.cells().stream().filter(CellResult::keepsRate).findFirst().orElseThrow();
        CellResult again = MadeUp.inCase(once.caseName() + CellResult.AGAIN, once, once.runs());

        assertThat(SameAgain.of(new Results(Results.SCHEMA, MadeUp.MACHINE, List.of(), List.of(once, again))))
                .extracting(SameAgain::line)
                .singleElement()
                .asString()
                .contains("has 1 times the p99 latency of at-100000-a-second (95 % interval 1–1, ");
    }

    @Test
    void shouldBeNoPeer() {
        Peers before = Peers.of(ALL);
        Peers peers = Peers.of(with(runs(true, 1e9), runs(true, 1e9)));

        assertThat(peers.shared()).hasSameSizeAs(before.shared());
        assertThat(peers.alone()).hasSameSizeAs(before.alone());
        assertThat(SameAgain.of(ALL)).isEmpty();
    }

    /** All cells, but case a of Storm with these runs, and the same again with those. */
    private static Results with(List<RunResult> first, List<RunResult> second) {
        List<CellResult> cells = new ArrayList<>();
        for (CellResult cell : ALL.cells()) {
            boolean its = cell.study().equals("storm-2012")
                    && cell.caseName().equals("a")
                    && cell.engine().equals("storm");
            cells.add(its ? MadeUp.inCase("a", cell, first) : cell);
            if (its) {
                cells.add(MadeUp.inCase("a" + CellResult.AGAIN, cell, second));
            }
        }
        return new Results(Results.SCHEMA, MadeUp.MACHINE, List.of(), cells);
    }

    private static List<RunResult> runs(boolean settled, double... rates) {
        List<RunResult> runs = new ArrayList<>();
        for (double rate : rates) {
            runs.add(new RunResult(
                    runs.size() + 1, rate, null, null, 30, 10, settled, null, 9, 9, null, null, List.of()));
        }
        return runs;
    }
}
