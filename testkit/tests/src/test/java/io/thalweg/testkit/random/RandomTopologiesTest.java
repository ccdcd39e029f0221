// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.random;

import io.thalweg.run.BadLimit;
import io.thalweg.run.Idle;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.HardCase;
import io.thalweg.testkit.Outcome;
import io.thalweg.testkit.TestRunner;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Random topologies on the embedded engine and on the sequential interpreter. More of them:
 *
 * <pre>./mvnw -q -pl testkit/tests -am test -Dtest=RandomTopologiesTest -Dsurefire.failIfNoSpecifiedTests=false
 *     -Dthalweg.topologies=5000</pre>
 *
 * and one alone, say that of seed 17, with {@code -Dthalweg.topologies.first=17 -Dthalweg.topologies=1}.
 */
final class RandomTopologiesTest {
    private static final long FIRST = Long.getLong("thalweg.topologies.first", 1);
    private static final long COUNT = Long.getLong("thalweg.topologies", 5);
    private static final int STEPS = Integer.getInteger("thalweg.topologies.steps", 8);

    /** How a topology is run. */
    private record Way(int parallelism, int threads, boolean specialise, Set<HardCase> hard, boolean shortTurns) {
        TestRunner road(long seed) {
            RunSettings settings = RunSettings.defaults()
                    .withBadLimit(BadLimit.none())
                    .withParallelism(parallelism)
                    .withThreads(threads)
                    .withIdle(Idle.PARK)
                    .withSpecialise(specialise);
            return TestRunner.embedded(shortTurns ? settings.withClock(new ShortTurns()) : settings, hard, seed);
        }
    }

    @Test
    void shouldComeToWhatTheInterpreterComesTo() {
        StringBuilder failures = new StringBuilder();
        int failed = 0;
        for (long seed = FIRST; seed < FIRST + COUNT && failed < 8; seed++) {
            String failure = failure(seed, STEPS);
            if (!failure.isEmpty()) {
                failed++;
                failures.append(smallest(seed, failure)).append("\n\n");
            }
        }
        if (failed > 0) {
            throw new AssertionError(failures.toString());
        }
    }

    /** The failure of the least number of steps that fails. */
    private static String smallest(long seed, String failure) {
        for (int steps = 0; steps < STEPS; steps++) {
            String smaller = failure(seed, steps);
            if (!smaller.isEmpty()) {
                return smaller;
            }
        }
        return failure;
    }

    /** Empty if there is none. */
    private static String failure(long seed, int steps) {
        RandomTopology topology = RandomTopology.of(seed, steps);
        Random random = new Random(seed);
        for (int parallelism : new int[] {1, 2, 4}) {
            Outcome expected;
            try {
                expected = TestRunner.sequential(parallelism).run(topology.graph());
            } catch (Exception e) {
                return topology + "the interpreter failed: " + e;
            }
            for (int threads = 0; threads <= 2; threads++) {
                Way way =
                        new Way(parallelism, threads, random.nextInt(4) == 0, hardCases(random), random.nextBoolean());
                String difference;
                try {
                    difference = Differences.between(expected, way.road(seed).run(topology.graph()));
                } catch (Exception e) {
                    difference = e.toString();
                }
                if (!difference.isEmpty()) {
                    return topology + "run as " + way + ":\n" + difference;
                }
            }
        }
        return "";
    }

    private static Set<HardCase> hardCases(Random random) {
        Set<HardCase> hard = EnumSet.allOf(HardCase.class);
        hard.removeIf(each -> random.nextInt(3) == 0);
        return hard;
    }
}
