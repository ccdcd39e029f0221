// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.random;

import io.thalweg.run.BadLimit;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.HardCase;
import io.thalweg.testkit.Outcome;
import io.thalweg.testkit.TestRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random topologies that are killed at random steps, also while a barrier is on its way, and go on from their last
 * checkpoint: with exactly-once they come to what the sequential interpreter comes to, which nobody kills. More of them:
 *
 * <pre>./mvnw -q -pl testkit/tests -am test -Dtest=CrashesTest -Dsurefire.failIfNoSpecifiedTests=false
 *     -Dthalweg.crashes=5000</pre>
 *
 * and one alone, say that of seed 17, with {@code -Dthalweg.crashes.first=17 -Dthalweg.crashes=1}.
 */
final class CrashesTest {
    private static final long FIRST = Long.getLong("thalweg.crashes.first", 1);
    private static final long COUNT = Long.getLong("thalweg.crashes", 5);
    private static final int STEPS = Integer.getInteger("thalweg.topologies.steps", 8);

    @TempDir
    Path folder;

    @Test
    void shouldComeToWhatTheInterpreterComesTo_thoughKilledOnTheWay() throws IOException {
        StringBuilder failures = new StringBuilder();
        int failed = 0;
        for (long seed = FIRST; seed < FIRST + COUNT && failed < 5; seed++) {
            String failure = failure(seed);
            if (!failure.isEmpty()) {
                failed++;
                failures.append(failure).append("\n\n");
            }
        }
        if (failed > 0) {
            throw new AssertionError(failures.toString());
        }
    }

    /** Empty if there is none. */
    private String failure(long seed) throws IOException {
        Random random = new Random(seed);
        RandomTopology topology = RandomTopology.ending(seed, 1 + random.nextInt(STEPS));
        int parallelism = 1 << random.nextInt(3);
        Set<HardCase> hard = EnumSet.allOf(HardCase.class);
        hard.removeIf(each -> random.nextInt(3) == 0);
        Path checkpoints = Files.createDirectory(folder.resolve("seed-" + seed));
        RunSettings settings = RunSettings.defaults()
                .withBadLimit(BadLimit.none())
                .withParallelism(parallelism)
                .withSpecialise(false);
        boolean shortTurns = random.nextBoolean();
        String way = "parallelism " + parallelism + ", " + hard + (shortTurns ? ", short turns" : "") + ": ";
        try {
            Outcome expected = TestRunner.sequential(parallelism).run(topology.graph());
            Outcome found = TestRunner.crashing(
                            shortTurns ? settings.withClock(new ShortTurns()) : settings, hard, seed, checkpoints)
                    .run(topology.graph());
            String difference = Differences.ofSinks(expected, found);
            return difference.isEmpty() ? "" : topology + way + "\n" + difference;
        } catch (Exception e) {
            return topology + way + e;
        }
    }
}
