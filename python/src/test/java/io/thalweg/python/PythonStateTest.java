// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.Job;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.CollectSink;
import io.thalweg.testkit.TestSource;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** State per key of functions in Python: restored, rescaled, and refused. */
@Timeout(180)
final class PythonStateTest {
    private static final int KEYS = 5;

    @TempDir
    private Path folder;

    @TempDir
    private Path checkpoints;

    private final TestSource<Long> numbers = TestSource.of(Long.class);
    private final CollectSink<Long> found = CollectSink.of(Long.class);

    @AfterEach
    void everyProcessShouldHaveEnded() {
        assertThat(Jobs.children()).isEmpty();
    }

    private PythonOperator operator(String function) {
        return Python.operator(Jobs.script(folder, "state.py"), function);
    }

    private Job start(String function, int parallelism) {
        Topology topology = Topology.named("counted");
        Stream<Long> counted =
                operator(function).map(topology.from(numbers).keyBy(number -> number % KEYS), Long.class);
        counted.name("count").to(found).parallelism(1);
        RunSettings settings = RunSettings.defaults()
                .withParallelism(parallelism)
                .withGuarantee(
                        Guarantee.EXACTLY_ONCE,
                        CheckpointSettings.in(checkpoints).restoringLatest());
        return new EmbeddedRunner(settings).start(topology.graph());
    }

    private void add(long from, long to) {
        LongStream.range(from, to).forEach(numbers::add);
    }

    private static List<Long> range(long to) {
        return LongStream.range(0, to).boxed().toList();
    }

    @ParameterizedTest
    @CsvSource({"counted, 1, 3", "counted_all, 3, 2"})
    void shouldGoOnFromACheckpoint_withMoreTasksOrFewer(String function, int before, int after) throws Exception {
        Job first = start(function, before);
        add(0, 1_000);
        Jobs.await(() -> first.stats().recordsIn() >= 1_000);
        assertThat(first.checkpoint()).isTrue();
        Jobs.await(() -> first.lastCheckpoint() != null);
        add(1_000, 1_500);
        Jobs.await(() -> first.stats().recordsIn() >= 1_500);
        first.kill();
        assertThatThrownBy(first::await).hasMessageContaining("was killed");

        add(1_500, 2_000);
        numbers.end();
        start(function, after).await();

        assertThat(found.records()).containsExactlyInAnyOrderElementsOf(range(2_000));
    }

    private JobFailedException failure(PythonOperator operator) {
        Topology topology = Topology.named("faults");
        operator.map(topology.from(Sources.generate(20, i -> i)).keyBy(i -> i % KEYS), Long.class)
                .name("count")
                .to(found);
        try {
            Jobs.start(topology, RunSettings.defaults().withParallelism(1)).await();
        } catch (JobFailedException e) {
            return e;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        throw new AssertionError("the job has not failed");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "raises | ValueError: no 12 for 2 in checked (FILE line 27), called from raises (line 22); row 12",
                "raises_all | ValueError: no 12 for 2 in checked (",
                "unsaved | unsaved returned a state for key 0 that cannot be saved: a object cannot be sent to Java; row 0",
                "large | large returned a state of 1503 bytes for key 0, and at most 1200 are kept; allow more with largestState(…); row 10",
                "alone | alone must return the new state and a result as a tuple of two, not a int; row 0",
                "narrow | TypeError: it takes 2 arguments; it must take a key, a state, a row",
                "stateless | stateless of state.py keeps no state, and its stream has keys; mark it with @operator(state=True), or pass stream.keyBy(…).records()"
            })
    void shouldSayWhatIsWrong(String function, String expected) {
        Path file = folder.resolve("state.py");

        assertThat(failure(operator(function).largestState(1_200)))
                .hasMessageContaining("operator 'count'")
                .hasMessageContaining(expected.replace("FILE", file.toString()));
    }

    @Test
    void shouldRefuseAFunctionWithStateWhereThereAreNoKeys() {
        Topology topology = Topology.named("faults");
        operator("counted")
                .map(topology.from(Sources.generate(20, i -> i)), Long.class)
                .to(found);

        assertThatThrownBy(() -> Jobs.start(topology, RunSettings.defaults().withParallelism(1))
                        .await())
                .hasMessageContaining("keeps a state for each key, and its stream has no keys; pass stream.keyBy(…)");
    }
}
