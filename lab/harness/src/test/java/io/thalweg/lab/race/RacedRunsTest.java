// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.race;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.lab.result.CellResult;
import io.thalweg.lab.result.Results;
import io.thalweg.lab.run.FaultyRace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Races from the order to the text, on drivers without an engine. */
@Tag("one-jdk")
@Tag("integration")
final class RacedRunsTest {
    private final List<String> said = new ArrayList<>();

    @Test
    void shouldNameInOneLineWhoDoesNotTakeTheJob_andRaceTheOthers() throws Exception {
        Results results = race(Map.of("rate", "20_000", "records", "100_000"), "one", "refuses", "two");
        Race race = Race.of(results, Race.Goal.THROUGHPUT);
        List<String> lines =
                RaceText.of(race, "Job", results.machine(), 200).lines().toList();

        assertThat(results.cells()).extracting(CellResult::valid).containsExactly(true, false, true);
        assertThat(results.cells().get(1).runs()).isEmpty();
        assertThat(lines)
                .filteredOn(line -> line.contains("it does not want to"))
                .singleElement()
                .satisfies(line -> assertThat(line).contains("does not take the job: it does not want to"));
        assertThat(race.entries().get(2).hasFigure())
                .as("the last one ran after the refusal")
                .isTrue();
        assertThat(said)
                .filteredOn(line -> line.contains("not run: it does not want to"))
                .as("asked once")
                .hasSize(1);
    }

    /** The long one says itself when it had read how much: on a busy machine the rate of one that is only paced may not settle. */
    @Test
    void shouldCompareSettledRatesOfALongInput_andWholeJobsOfAShortOne() throws Exception {
        Results longer = race(Map.of(), "steady-one", "steady-two");
        Race settled = Race.of(longer, Race.Goal.THROUGHPUT);
        assertThat(settled.settled()).isTrue();
        assertThat(settled.entries().get(0).median()).isBetween(19_000.0, 21_000.0);
        assertThat(RaceText.of(settled, "Job", longer.machine(), 200)).contains("records/s once the rate had settled");

        Results shorter = race(Map.of("rate", "20_000", "records", "2_000"), "one", "two");
        Race whole = Race.of(shorter, Race.Goal.THROUGHPUT);
        assertThat(whole.settled()).isFalse();
        assertThat(RaceText.of(whole, "Job", shorter.machine(), 200)).contains("whole jobs are compared");
    }

    private Results race(Map<String, String> settings, String... variants) throws Exception {
        RaceStudy study = new RaceStudy("Job", Path.of("Job.java"), settings, Map.of(), List.of(variants));
        return FaultyRace.run(study, said::add);
    }
}
