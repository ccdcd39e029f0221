// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.operator.KeyedContext;
import io.thalweg.api.operator.KeyedOperator;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.ValueState;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.Job;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.Parts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A job that is restored from an older savepoint and refused leaves its outputs, and so its newer checkpoints, as they are. */
@Timeout(300)
final class RefusedRestoreTest {
    private static final int LINES = 20_000;

    @TempDir
    Path folder;

    private Path input;

    @BeforeEach
    void writeInput() throws IOException {
        input = Files.writeString(
                folder.resolve("in.txt"),
                IntStream.range(0, LINES).mapToObj(i -> i + "\n").collect(Collectors.joining()));
    }

    private static final class Keeping implements KeyedOperator<Integer, String, String> {
        private final String name;
        private @Nullable ValueState<String> state;

        Keeping(String name) {
            this.name = name;
        }

        @Override
        public void open(KeyedContext context) {
            state = context.state(name, Type.of(String.class));
        }

        @Override
        public void process(Integer key, String value, Output<String> output) throws Exception {
            Objects.requireNonNull(state).set(value);
        }
    }

    /** @param state that a function declares, in another task than the sinks are in */
    private TopologyGraph graph(String state) {
        Topology topology = Topology.named("job");
        Stream<String> lines = topology.from(TextLines.read(input.toString())).name("lines");
        lines.keyBy(String::length)
                .process(() -> new Keeping(state))
                .as(String.class)
                .name("keep")
                .to(Sinks.discard())
                .name("kept");
        lines.to(TextLines.write(folder.resolve("fused") + "/")).name("fused");
        lines.shuffle().to(TextLines.write(folder.resolve("apart") + "/")).name("apart");
        return topology.graph();
    }

    private static Job start(TopologyGraph graph, CheckpointSettings checkpoints) {
        return new EmbeddedRunner(RunSettings.defaults()
                        .withParallelism(1)
                        .withThreads(0)
                        .withSteps(20, 2, 16)
                        .withGuarantee(Guarantee.EXACTLY_ONCE, checkpoints))
                .start(graph);
    }

    private static void step(Job job, int steps) {
        for (int i = 0; i < steps; i++) {
            assertThat(job.step()).isTrue();
        }
    }

    private static void toTheEnd(Job job) {
        while (job.step()) {
            // until it has ended
        }
    }

    @Test
    void shouldChangeNothing() throws Exception {
        CheckpointSettings checkpoints = CheckpointSettings.in(folder.resolve("checkpoints"));
        Job job = start(graph("before"), checkpoints);
        step(job, 30);
        CompletableFuture<String> taken = job.savepoint(folder.resolve("saved"));
        while (!taken.isDone()) {
            step(job, 1);
        }
        for (int more = 0; more < 5; more++) {
            step(job, 10);
            job.checkpoint();
            step(job, 10);
        }
        job.cancel();
        toTheEnd(job);
        List<String> written = Parts.in(folder);
        assertThat(written).hasSizeGreaterThan(4);
        CheckpointSettings saved = CheckpointSettings.in(folder.resolve("next")).restoringFrom(Path.of(taken.get()));

        Job changed = start(graph("after"), saved);
        toTheEnd(changed);
        assertThatThrownBy(changed::await).hasMessageContaining("the operator does not declare it any more");
        assertThat(Parts.in(folder)).isEqualTo(written);

        String right = Files.readString(input);
        Files.writeString(input, "x" + right);
        Job ofOthers = start(graph("before"), saved);
        toTheEnd(ofOthers);
        assertThatThrownBy(ofOthers::await).hasMessageContaining("in.txt");
        assertThat(Parts.in(folder)).isEqualTo(written);

        Files.writeString(input, right);
        Job same = start(graph("before"), checkpoints.restoringLatest());
        toTheEnd(same);
        assertThat(same.await().state()).isEqualTo(JobState.FINISHED);
    }
}
