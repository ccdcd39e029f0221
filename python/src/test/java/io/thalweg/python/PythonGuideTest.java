// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.run.RunSettings;
import io.thalweg.run.RunningJob;
import io.thalweg.testkit.CollectSink;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The code that the guide shows. */
@Timeout(900)
final class PythonGuideTest {
    // region records
    record Quake(String place, @Nullable Double mag, double depth) {}

    record Score(String place, double score) {}
    // endregion

    private static final List<Quake> QUAKES =
            List.of(new Quake("Hualian Taiwan", 6.5, 50), new Quake("Jarm", null, 10), new Quake("Volcano", 3.0, 0));

    @TempDir
    private Path folder;

    private Path script;

    @BeforeEach
    void writeScript() {
        script = Jobs.script(folder, "scoring.py");
    }

    private static Stream<Score> map(Stream<Quake> quakes, Path script) {
        // region map
        Stream<Score> scores = Python.operator(script, "score").map(quakes, Score.class);
        // endregion
        return scores;
    }

    private static Stream<Score> options(Stream<Quake> quakes, Path script) {
        // region options
        Stream<Score> scores = Python.operator(script, "score_all")
                .interpreter("python3")
                .processes(2)
                .batch(1_000, Duration.ofMillis(20))
                .timeout(Duration.ofSeconds(10))
                .map(quakes, Score.class);
        // endregion
        return scores;
    }

    private static Stream<Quake> filter(Stream<Quake> quakes, Path script) {
        // region others
        Stream<Quake> strong = Python.operator(script, "strong").filter(quakes, Quake.class);
        Stream<String> words = Python.operator(script, "words").flatMap(strong, String.class);
        // endregion
        words.to(CollectSink.of(String.class));
        return strong;
    }

    private static Stream<Score> keyed(Stream<Quake> quakes, Path script) {
        // region state
        Stream<Score> strongest = Python.operator(script, "strongest").map(quakes.keyBy(Quake::place), Score.class);
        // endregion
        return strongest;
    }

    private static Stream<Quake> quakes(Topology topology) {
        return topology.from(Sources.of(Type.of(Quake.class), QUAKES));
    }

    @Test
    void shouldScoreRows_aloneAndInBatches() throws Exception {
        Topology topology = Topology.named("scores");
        CollectSink<Score> alone = CollectSink.of(Score.class);
        map(quakes(topology), script).to(alone);
        RunningJob job = Jobs.start(topology, RunSettings.defaults().withParallelism(1));
        job.await();
        assertThat(alone.records()).containsExactly(new Score("Hualian Taiwan", 6.0), new Score("Volcano", 3.0));
        assertThat(job.stats().recordsBad()).isEqualTo(1);
        assertThat(job.stats().badReasons())
                .anyMatch(reason -> reason.toString().contains("no magnitude"));

        Topology batches = Topology.named("batches");
        CollectSink<Score> together = CollectSink.of(Score.class);
        options(quakes(batches).filter(quake -> quake.mag() != null), script).to(together);
        Jobs.start(batches, RunSettings.defaults().withParallelism(1)).await();
        assertThat(together.records()).isEqualTo(alone.records());
    }

    @Test
    void shouldFilterAndFlatMap() throws Exception {
        Topology topology = Topology.named("others");
        CollectSink<Quake> strong = CollectSink.of(Quake.class);
        CollectSink<Integer> ranks = CollectSink.of(Integer.class);
        Stream<Quake> kept = filter(quakes(topology), script);
        kept.to(strong);
        Python.operator(script, "Ranked").map(kept, Integer.class).to(ranks);
        Jobs.start(topology, RunSettings.defaults().withParallelism(1)).await();
        assertThat(strong.records()).containsExactly(QUAKES.get(0));
        assertThat(ranks.records()).containsExactly(2);
    }

    @Test
    void shouldBeginAnew_anHourAfterTheLastOfAPlace() throws Exception {
        Topology topology = Topology.named("swarm");
        CollectSink<Integer> numbers = CollectSink.of(Integer.class);
        Stream<Quake> quakes = topology.from(Sources.of(
                        Type.of(Quake.class),
                        List.of(new Quake("Jarm", 4.0, 0), new Quake("Jarm", 3.0, 59), new Quake("Jarm", 5.0, 119))))
                .eventTime(quake -> ((long) quake.depth()) * 60_000, Duration.ZERO);
        Python.operator(script, "in_swarm")
                .map(quakes.keyBy(Quake::place), Integer.class)
                .to(numbers);
        Jobs.start(topology, RunSettings.defaults().withParallelism(1)).await();
        assertThat(numbers.records()).containsExactly(1, 2, 1);
    }

    @Test
    void shouldKeepTheStrongestOfEachPlace() throws Exception {
        Topology topology = Topology.named("strongest");
        CollectSink<Score> strongest = CollectSink.of(Score.class);
        List<Quake> quakes = List.of(
                new Quake("Jarm", 4.0, 1),
                new Quake("Volcano", 3.0, 0),
                new Quake("Jarm", null, 1),
                new Quake("Jarm", 5.0, 1));
        keyed(topology.from(Sources.of(Type.of(Quake.class), quakes)), script).to(strongest);
        Jobs.start(topology, RunSettings.defaults().withParallelism(1)).await();
        assertThat(strongest.records())
                .containsExactly(
                        new Score("Jarm", 4.0),
                        new Score("Volcano", 3.0),
                        new Score("Jarm", 4.0),
                        new Score("Jarm", 5.0));
    }
}
