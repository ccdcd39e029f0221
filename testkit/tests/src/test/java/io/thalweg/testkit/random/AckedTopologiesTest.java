// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.random;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.run.AckSettings;
import io.thalweg.run.BadLimit;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.Idle;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.HardCase;
import io.thalweg.testkit.Outcome;
import io.thalweg.testkit.TestRunner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random topologies whose records are confirmed one by one, of which few may be pending: where nothing fails, they come to
 * what the sequential interpreter comes to. More of them with {@code -Dthalweg.acked=5000}; one alone, say that of seed 17,
 * with {@code -Dthalweg.acked.first=17 -Dthalweg.acked=1}.
 */
final class AckedTopologiesTest {
    private static final long FIRST = Long.getLong("thalweg.acked.first", 1);
    private static final long COUNT = Long.getLong("thalweg.acked", 5);
    private static final int STEPS = Integer.getInteger("thalweg.topologies.steps", 8);
    private static final int[] MOST_PENDING = {1, 3, 20, 10_000};

    @TempDir
    Path folder;

    @Test
    void shouldComeToWhatTheInterpreterComesTo() throws Exception {
        for (long seed = FIRST; seed < FIRST + COUNT; seed++) {
            Random random = new Random(seed);
            RandomTopology topology = RandomTopology.ending(seed, 1 + random.nextInt(STEPS));
            int parallelism = 1 << random.nextInt(3);
            int threads = random.nextInt(3);
            int pending = MOST_PENDING[random.nextInt(MOST_PENDING.length)];
            Set<HardCase> hard = EnumSet.allOf(HardCase.class);
            hard.removeIf(each -> random.nextInt(3) == 0);
            Path checkpoints = Files.createDirectory(folder.resolve("seed-" + seed));
            RunSettings settings = RunSettings.defaults()
                    .withBadLimit(BadLimit.none())
                    .withParallelism(parallelism)
                    .withThreads(threads)
                    .withIdle(Idle.PARK)
                    .withSpecialise(random.nextInt(4) == 0)
                    .withAcks(AckSettings.defaults().withMaxPending(pending), CheckpointSettings.in(checkpoints));

            boolean shortTurns = random.nextBoolean();
            settings = shortTurns ? settings.withClock(new ShortTurns()) : settings;

            Outcome expected = TestRunner.sequential(parallelism).run(topology.graph());
            String what = topology + "parallelism " + parallelism + ", threads " + threads + ", pending " + pending
                    + ", " + hard + (shortTurns ? ", short turns" : "");
            Outcome found;
            try {
                found = TestRunner.embedded(settings, hard, seed).run(topology.graph());
            } catch (Exception e) {
                throw new AssertionError(what, e);
            }
            assertThat(Differences.ofSinks(expected, found)).as(what).isEmpty();
        }
    }
}
