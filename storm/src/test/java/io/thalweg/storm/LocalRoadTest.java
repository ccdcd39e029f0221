// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.files.TextLines;
import io.thalweg.run.BadLimit;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.CombinedTopologies;
import io.thalweg.testkit.Outcome;
import io.thalweg.testkit.TestRunner;
import io.thalweg.testkit.contract.TimeRulesTogether;
import io.thalweg.testkit.random.RandomTopology;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the sequential interpreter comes to, on a LocalCluster: random topologies, some of them in each that Storm runs, and the rules
 * of time. One alone, say that of seed 17: {@code -Dthalweg.topologies.first=17 -Dthalweg.topologies=1}.
 */
@Tag("integration")
final class LocalRoadTest {
    private static final long FIRST = Long.getLong("thalweg.topologies.first", 1);
    private static final int COUNT = Integer.getInteger("thalweg.topologies", 4);
    private static final int MANY = 15;
    private static final int STEPS = 8;

    /** Some of the topologies write into directories. */
    @TempDir
    private Path folder;

    @ParameterizedTest(name = "seeds from {0}, parallelism {1}, {2} workers")
    @CsvSource({"0, 1, 1", "15, 2, 2", "30, 3, 1", "45, 2, 1"})
    void shouldComeToWhatTheInterpreterComesTo(int from, int parallelism, int workers) throws Exception {
        compare(COUNT, from, parallelism, workers);
    }

    @Tag("long")
    @ParameterizedTest(name = "seeds from {0}, parallelism {1}, {2} workers")
    @CsvSource({"0, 1, 1", "15, 2, 2", "30, 3, 1", "45, 2, 1"})
    void shouldComeToWhatTheInterpreterComesTo_ofMany(int from, int parallelism, int workers) throws Exception {
        compare(MANY, from, parallelism, workers);
    }

    private void compare(int count, int from, int parallelism, int workers) throws Exception {
        List<RandomTopology> topologies = new ArrayList<>();
        List<TopologyGraph> graphs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            topologies.add(RandomTopology.of(FIRST + from + i, STEPS));
            graphs.add(topologies.get(i).graph());
        }
        RunSettings settings =
                RunSettings.defaults().withBadLimit(BadLimit.none()).withParallelism(parallelism);
        StormRunner runner = StormRunner.local(settings, workers);
        TestRunner road = from == 15 ? TestRunner.writing(runner, folder, TextLines::write) : TestRunner.of(runner);
        Outcome found = road.run(CombinedTopologies.of("random", graphs));
        long bad = 0;
        long late = 0;
        for (int i = 0; i < count; i++) {
            Outcome expected = TestRunner.sequential(parallelism).run(graphs.get(i));
            Outcome of = new Outcome(CombinedTopologies.sinks(found, i), expected.bad(), expected.late());
            assertThat(RandomTopology.settled(of))
                    .as("%s at parallelism %d", topologies.get(i), parallelism)
                    .isEqualTo(RandomTopology.settled(expected));
            bad += expected.bad();
            late += expected.late();
        }
        assertThat(found.bad()).as("bad records of %s", topologies).isEqualTo(bad);
        assertThat(found.late()).as("late records of %s", topologies).isEqualTo(late);
    }

    @Test
    void shouldKeepTheRulesOfTime() throws Exception {
        RunSettings settings =
                RunSettings.defaults().withBadLimit(BadLimit.none()).withParallelism(2);
        TimeRulesTogether.check(TestRunner.of(StormRunner.local(settings, 1)), 36);
    }
}
