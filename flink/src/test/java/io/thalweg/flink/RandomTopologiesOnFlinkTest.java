// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.files.TextLines;
import io.thalweg.run.BadLimit;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.Outcome;
import io.thalweg.testkit.TestRunner;
import io.thalweg.testkit.random.Differences;
import io.thalweg.testkit.random.RandomTopology;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random topologies on Flink and on the sequential interpreter. More of them, or one alone, with {@code
 * -Dthalweg.topologies=500} and {@code -Dthalweg.topologies.first=17}.
 */
@Tag("integration")
final class RandomTopologiesOnFlinkTest {
    private static final long FIRST = Long.getLong("thalweg.topologies.first", 1);
    private static final long COUNT = Long.getLong("thalweg.topologies", 6);
    private static final long MORE = 60;
    private static final int STEPS = Integer.getInteger("thalweg.topologies.steps", 8);
    private static final int MOST_FAILURES = 5;

    private static final LocalFlink FLINK = LocalFlink.shared();

    /** A quarter of the topologies write into directories. */
    @TempDir
    private Path folder;

    @Test
    void shouldComeToWhatTheInterpreterComesTo() throws Exception {
        compare(FIRST, COUNT);
    }

    @Tag("long")
    @Test
    void shouldComeToWhatTheInterpreterComesTo_manyMore() throws Exception {
        compare(FIRST + COUNT, MORE);
    }

    private void compare(long first, long count) throws Exception {
        StringBuilder failures = new StringBuilder();
        int failed = 0;
        for (long seed = first; seed < first + count && failed < MOST_FAILURES; seed++) {
            RandomTopology topology = RandomTopology.of(seed, STEPS);
            int parallelism = 1 + (int) (seed % 3);
            String difference = difference(topology, parallelism, seed);
            if (!difference.isEmpty()) {
                failed++;
                failures.append(topology)
                        .append("with parallelism ")
                        .append(parallelism)
                        .append(":\n")
                        .append(difference)
                        .append("\n\n");
            }
        }
        if (failed > 0) {
            throw new AssertionError(failures.toString());
        }
    }

    private String difference(RandomTopology topology, int parallelism, long seed) throws Exception {
        Outcome expected = TestRunner.sequential(parallelism).run(topology.graph());
        RunSettings settings =
                RunSettings.defaults().withBadLimit(BadLimit.none()).withParallelism(parallelism);
        try {
            Path outputs = Files.createDirectories(folder.resolve(Long.toString(seed)));
            TestRunner road = seed % 4 == 0
                    ? TestRunner.writing(FLINK.runner(settings), outputs, TextLines::write)
                    : TestRunner.of(FLINK.runner(settings));
            TestRunner way = seed % 2 == 0 ? TestRunner.aligned(road) : road;
            return Differences.between(expected, way.run(topology.graph()));
        } catch (Exception e) {
            return e.toString();
        }
    }
}
