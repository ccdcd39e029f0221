// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.race;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.doctor.compare.Difference;
import io.thalweg.lab.report.MadeUp;
import io.thalweg.lab.result.CellResult;
import io.thalweg.lab.result.Results;
import io.thalweg.lab.result.RunResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class RaceTest {
    @Test
    void shouldNameAWinnerThatIsFasterBeyondDoubt() {
        Race race = race(Race.Goal.THROUGHPUT, settled("thalweg", 410, 400, 402), settled("flink", 100, 99, 101));

        assertThat(race.settled()).isTrue();
        assertThat(race.winner()).isNotNull();
        assertThat(race.winner().name()).isEqualTo("thalweg");
        assertThat(race.entries().get(0).against()).isNull();
        assertThat(race.entries().get(1).against().ratio()).isBetween(0.24, 0.25);
        assertThat(text(race)).contains("Winner: thalweg, with 4.04× (").contains("the records/s of flink, at 99 %.");
    }

    @Test
    void shouldNameNoneWhereRunsOverlap() {
        Race race = race(Race.Goal.THROUGHPUT, settled("thalweg", 100, 120, 90), settled("flink", 95, 80, 110));

        assertThat(race.winner()).isNull();
        assertThat(text(race)).contains("No winner: none is better than each of the others beyond doubt");
    }

    @Test
    void shouldNameNoneThatBeatsOnlyOne() {
        Race race = race(
                Race.Goal.THROUGHPUT,
                settled("thalweg", 400, 401, 402),
                settled("flink", 402, 400, 401),
                settled("storm", 10, 11, 10));

        assertThat(race.winner()).isNull();
    }

    @Test
    void shouldNameNoneAfterTwoRounds() {
        Race race = race(Race.Goal.THROUGHPUT, settled("thalweg", 400, 401), settled("flink", 10, 10));

        assertThat(race.winner()).isNull();
        assertThat(text(race)).contains("No winner: that takes at least 3 rounds that count, and there are 2.");
    }

    /** Otherwise one engine would be measured warm and another one while it starts. */
    @Test
    void shouldCompareWholeJobsWhereOneHasNotSettled() {
        Race race = race(
                Race.Goal.THROUGHPUT,
                settled("thalweg", 900, 900, 900),
                cell("flink", "Job", false, null, 1_000, 1_000, 1_000));

        assertThat(race.settled()).isFalse();
        assertThat(race.entries().get(0).median())
                .as("1000 records in two seconds")
                .isEqualTo(500);
        assertThat(text(race).replace("\n", " "))
                .contains("whole jobs are compared")
                .contains("a longer input, of some 20 k records,")
                .contains("of the whole job");
    }

    @Test
    void shouldGoByCpuTimeIfAsked() {
        Race race = race(Race.Goal.CPU, settled("thalweg", 4, 4, 4), settled("flink", 1, 1, 1));

        assertThat(race.entries().get(0).median()).as("4 s for 1000 records").isEqualTo(4_000);
        assertThat(race.winner()).as("both take the same").isNull();
    }

    @Test
    void shouldSayWhoDoesNotTakeTheJobAndGoOnWithTheOthers() {
        CellResult refused = cell("storm", "Job", null, "topology 'Job': it uses loops, which Storm does not support");
        Race race =
                race(Race.Goal.THROUGHPUT, refused, settled("thalweg", 410, 400, 402), settled("flink", 100, 99, 101));

        assertThat(race.winner().name()).isEqualTo("thalweg");
        assertThat(race.entries().get(2).against())
                .as("against the first that has a figure")
                .isNotNull();
        assertThat(text(race))
                .contains("does not take the job: topology 'Job': it uses loops, which Storm does not support");
        assertThat(text(race(Race.Goal.THROUGHPUT, refused, settled("flink", 100, 99, 101))))
                .contains("No race: flink alone has a figure.");
    }

    @Test
    void shouldNameCellsByTheirEngineOrByWhatSetsThemApart() {
        Race race = race(
                Race.Goal.THROUGHPUT,
                settled("thalweg", 400, 401, 402),
                cell("thalweg", "Job thalweg.batch=64", true, null, 300, 301, 302));

        assertThat(race.entries()).extracting(Race.Entry::name).containsExactly("thalweg", "thalweg.batch=64");
    }

    @Test
    void shouldTellNoRatioWhereNoRoundCountsForBoth() {
        List<Race.Entry> entries = race(Race.Goal.THROUGHPUT, settled("thalweg", 400, 401), settled("flink", 99, 98))
                .entries();
        Difference none = Difference.ofPairs(new double[0], new double[0], Difference.Better.MORE);
        Race.Entry first = new Race.Entry(entries.get(0).cell(), "thalweg", List.of(400.0, Double.NaN), null);
        Race.Entry other = new Race.Entry(entries.get(1).cell(), "flink", List.of(Double.NaN, 98.0), none);

        assertThat(text(new Race(Race.Goal.THROUGHPUT, true, List.of(first, other), null)))
                .contains("unknown")
                .doesNotContain("NaN");
    }

    private static String text(Race race) {
        String text = RaceText.of(race, "Job", MadeUp.MACHINE, 100);
        assertThat(text.lines()).allMatch(line -> line.length() <= 100);
        return text;
    }

    private static Race race(Race.Goal goal, CellResult... cells) {
        return Race.of(new Results(Results.SCHEMA, MadeUp.MACHINE, List.of(), Arrays.asList(cells)), goal);
    }

    private static CellResult settled(String engine, double... rates) {
        return cell(engine, "Job", true, null, rates);
    }

    private static CellResult cell(String engine, String caseName, Boolean settled, String reason, double... rates) {
        List<RunResult> runs = new ArrayList<>();
        for (double rate : rates) {
            RunResult.Job job = new RunResult.Job(2, 4, List.of(new RunResult.Output("'sink'", 7, "ab")));
            runs.add(new RunResult(
                    runs.size() + 1,
                    rate,
                    null,
                    null,
                    2,
                    3,
                    settled,
                    null,
                    1_000,
                    7,
                    0,
                    null,
                    null,
                    null,
                    null,
                    job,
                    null,
                    null,
                    List.of()));
        }
        CellResult.Spread spread = rates.length == 0 ? null : new CellResult.Spread(rates[0], 1, 2, rates.length);
        return new CellResult(
                "race",
                caseName,
                engine,
                "1",
                "usual",
                null,
                "none",
                Map.of(),
                Map.of(),
                List.of(),
                spread,
                rates.length == 0 ? null : settled,
                null,
                null,
                null,
                null,
                null,
                null,
                rates.length > 0,
                null,
                true,
                reason,
                null,
                null,
                "",
                runs);
    }
}
