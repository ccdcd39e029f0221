// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.engine.RunSettings;
import io.thalweg.testkit.Outcome;
import io.thalweg.testkit.Road;
import io.thalweg.testkit.random.RandomTopology;
import org.junit.jupiter.api.Test;

/** Random topologies on a LocalCluster and on the sequential interpreter. */
final class LocalRoadTest {
    private static final long FIRST = Long.getLong("thalweg.topologies.first", 1);
    private static final long COUNT = Long.getLong("thalweg.topologies", 4);
    private static final int STEPS = 8;

    @Test
    void shouldComeToWhatTheInterpreterComesTo() throws Exception {
        for (long seed = FIRST; seed < FIRST + COUNT; seed++) {
            RandomTopology topology = RandomTopology.of(seed, STEPS);
            int parallelism = (int) (1 + seed % 3);
            Outcome expected = Road.sequential(parallelism).run(topology.graph());
            RunSettings settings = RunSettings.defaults().withParallelism(parallelism);
            Outcome found = Road.of(StormRunner.local(settings, 1)).run(topology.graph());
            assertThat(RandomTopology.settled(found))
                    .as("%s at parallelism %d", topology, parallelism)
                    .isEqualTo(RandomTopology.settled(expected));
            assertThat(found.bad()).as("bad records of %s", topology).isEqualTo(expected.bad());
            assertThat(found.late()).as("late records of %s", topology).isEqualTo(expected.late());
        }
    }
}
