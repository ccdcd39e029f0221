// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.lab.result.CellResult;
import io.thalweg.lab.result.Results;
import io.thalweg.lab.result.RunResult;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class FileTimesTest {
    @Test
    void shouldSayBothTimes_andHowManyTimesAsLongThalwegTook() {
        Results results = results(
                cell("thalweg", run(2, 4, null), run(1, 3, null), run(1, 5, null)),
                cell("duckdb", run(0.5, 2, null), run(0.5, 9, "a row is wrong")),
                cell("polars", run(0.1, 9, "a row is wrong")));

        List<FileTimes> times = FileTimes.of(results);
        assertThat(times)
                .extracting(FileTimes::line)
                .containsExactly(
                        "files.csv-group threads=1, thalweg 1.2: 6 s from start to end (4–6), 4 s without start, 5 s of CPU",
                        "files.csv-group threads=1, duckdb 1.2: 2.5 s from start to end, 2 s without start, 5 s of CPU;"
                                + " Thalweg took 2.4 times as long, 2 times without start");
        assertThat(TextReport.of(results, 300))
                .contains("Jobs over files")
                .contains(times.get(1).line());
        assertThat(HtmlReport.of(results)).contains(times.get(1).line());
    }

    @Test
    void shouldLeaveOtherWorkloadsOut() {
        assertThat(FileTimes.of(MadeUp.allStudies())).isEmpty();
    }

    private static Results results(CellResult... cells) {
        return new Results(Results.SCHEMA, MadeUp.MACHINE, List.of(), List.of(cells));
    }

    private static RunResult run(double startS, double jobS, String reason) {
        return new RunResult(
                1,
                reason == null ? 1e6 / jobS : null,
                null,
                reason,
                startS,
                jobS,
                true,
                null,
                1_000_000,
                85_000,
                null,
                null,
                List.of());
    }

    private static CellResult cell(String engine, RunResult... runs) {
        double[] rates = Stream.of(runs)
                .filter(run -> run.recordsPerS() != null)
                .mapToDouble(RunResult::recordsPerS)
                .sorted()
                .toArray();
        CellResult.Spread spread = rates.length == 0
                ? null
                : new CellResult.Spread(rates[rates.length / 2], rates[0], rates[rates.length - 1], rates.length);
        return new CellResult(
                "files",
                "csv-group threads=1",
                engine,
                "1.2",
                "files",
                CellResult.FUSED,
                "none",
                Map.of("workload", "files"),
                Map.of(),
                List.of(),
                spread,
                spread == null ? null : true,
                null,
                null,
                5.0,
                null,
                null,
                null,
                spread != null,
                null,
                true,
                null,
                null,
                null,
                "",
                List.of(runs));
    }
}
