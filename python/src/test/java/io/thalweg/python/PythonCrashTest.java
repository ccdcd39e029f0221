// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Sources;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.run.AckSettings;
import io.thalweg.run.RunSettings;
import io.thalweg.run.RunningJob;
import io.thalweg.testkit.CollectSink;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Processes killed with SIGKILL while rows are on their way. More kills: {@code -Pcrash}, or {@code -Dthalweg.children=100};
 * the same choices again: {@code -Dthalweg.kills.seed=N}.
 */
@Timeout(3_600)
@Tag("one-jdk")
@Tag("integration")
final class PythonCrashTest {
    private static final int KILLS = Integer.getInteger("thalweg.children", 3);
    private static final long BETWEEN_KILLS = 3_000;
    private static final AtomicLong ANSWERED = new AtomicLong();
    private static final AtomicLong ALLOWED = new AtomicLong();

    @TempDir
    private Path folder;

    private final long seed = Long.getLong("thalweg.kills.seed", System.nanoTime() & 0xffffff);
    private final Random random = new Random(seed);
    private final List<String> warnings = new CopyOnWriteArrayList<>();

    @Test
    void shouldLoseAndRepeatNoRow() throws Exception {
        PythonOperator same = Python.operator(Jobs.script(folder, "faults.py"), "same");
        shouldLoseAndRepeatNothing(same, (operator, rows) -> operator.map(rows, Long.class), acked());
    }

    /** The results say how often the function was called for the key of a row. */
    @ParameterizedTest
    @ValueSource(strings = {"counted", "counted_all"})
    void shouldLoseAndRepeatNoRowInAState(String function) throws Exception {
        PythonOperator counted = Python.operator(Jobs.script(folder, "state.py"), function);
        shouldLoseAndRepeatNothing(
                counted,
                (operator, rows) -> operator.map(rows.keyBy(row -> row % 5), Long.class),
                RunSettings.defaults());
    }

    @Test
    void shouldLoseAndRepeatNoRowOfARecordBatch() throws Exception {
        Path virtualenv = Packages.virtualenv();
        PythonOperator same =
                Python.operator(Jobs.script(folder, "columns.py"), "same").virtualenv(virtualenv);
        shouldLoseAndRepeatNothing(same, (operator, rows) -> operator.map(rows, Long.class), acked());
    }

    /** None is sent again because it took too long: the next process may take its time to start. */
    private static RunSettings acked() {
        return RunSettings.defaults().withAcks(AckSettings.defaults().withTimeout(Duration.ofHours(1)), null);
    }

    private void shouldLoseAndRepeatNothing(
            PythonOperator operator, BiFunction<PythonOperator, Stream<Long>, Stream<Long>> added, RunSettings settings)
            throws Exception {
        ANSWERED.set(0);
        ALLOWED.set(0);
        long rows = BETWEEN_KILLS * (KILLS + 2);
        Topology topology = Topology.named("kills");
        CollectSink<Long> sink = CollectSink.of(Long.class);
        added.apply(operator.processes(2).restarts(KILLS), topology.from(Sources.generate(rows, i -> i)))
                .peek(value -> {
                    long answered = ANSWERED.incrementAndGet();
                    Jobs.await(() -> answered <= ALLOWED.get());
                })
                .to(sink);
        RunningJob job = Jobs.start(topology, settings.withParallelism(1).withWarnings(warnings::add));
        int killed = 0;
        for (int kill = 1; kill <= KILLS; kill++) {
            long next = kill * BETWEEN_KILLS + random.nextInt((int) BETWEEN_KILLS);
            ALLOWED.set(next + BETWEEN_KILLS - 1); // the job must not end before its last kill
            Jobs.await(() -> ANSWERED.get() >= next || job.stats().state() != JobState.RUNNING);
            boolean[] hit = new boolean[1]; // one that has just died is not there any more
            Jobs.await(() -> {
                List<ProcessHandle> children = Jobs.children();
                hit[0] = !children.isEmpty()
                        && children.get(random.nextInt(children.size())).destroyForcibly();
                return hit[0] || job.stats().state() != JobState.RUNNING;
            });
            killed += hit[0] ? 1 : 0;
        }
        ALLOWED.set(Long.MAX_VALUE);
        job.await();

        assertThat(sink.records())
                .as("-Dthalweg.kills.seed=%d", seed)
                .containsExactlyElementsOf(LongStream.range(0, rows).boxed().toList());
        assertThat(killed).as("-Dthalweg.kills.seed=%d", seed).isEqualTo(KILLS);
        assertThat(warnings).anyMatch(line -> line.contains("killed by signal 9; it is started again"));
        assertThat(Jobs.children()).isEmpty();
    }
}
