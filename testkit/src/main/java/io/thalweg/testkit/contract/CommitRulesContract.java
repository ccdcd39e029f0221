// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.topology.Topology;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rules for the end of a job without checkpoints, for any runner within this JVM: what the tasks of a sink write appears together. */
@Timeout(900)
public abstract class CommitRulesContract {
    private static final int TASKS = 3;
    private static final Map<String, List<String>> CALLS = new ConcurrentHashMap<>();

    private final String id = UUID.randomUUID().toString();
    private final List<String> calls = CALLS.computeIfAbsent(id, unknown -> new CopyOnWriteArrayList<>());

    /** A runner with these settings. */
    protected abstract Runner runner(RunSettings settings);

    /**
     * Tells what its writers are asked for.
     *
     * @param failing the task that cannot write what is buffered; -1 for none
     */
    private record Told(String id, int failing) implements Sink<Long> {
        @Override
        public String name() {
            return "told";
        }

        @Override
        public SinkWriter<Long> open(SinkContext context) {
            List<String> calls = CALLS.getOrDefault(id, List.of());
            return new SinkWriter<>() {
                @Override
                public void write(Long value) {}

                @Override
                public void prepare() throws IOException {
                    if (context.task() == failing) {
                        throw new IOException("No space left on device");
                    }
                    calls.add("prepare " + context.task());
                }

                @Override
                public void finish() {
                    calls.add("finish " + context.task());
                }
            };
        }
    }

    private TopologyGraph graph(int failing) {
        Topology topology = Topology.named("told");
        topology.from(Sources.generate(100, n -> n)).shuffle().map(n -> n).to(new Told(id, failing));
        return topology.graph();
    }

    private void run(int failing) throws InterruptedException {
        runner(RunSettings.defaults().withParallelism(TASKS))
                .start(graph(failing))
                .await();
    }

    /** Such as files, which are complete before the first gets its name. */
    @Test
    void shouldFinishWriters_whenAllOfThemArePrepared() throws Exception {
        run(-1);
        assertThat(calls).hasSize(2 * TASKS);
        assertThat(calls.subList(0, TASKS)).containsExactlyInAnyOrder("prepare 0", "prepare 1", "prepare 2");
        assertThat(calls.subList(TASKS, 2 * TASKS)).containsExactlyInAnyOrder("finish 0", "finish 1", "finish 2");
    }

    @Test
    void shouldFinishNone_ifOneCannotBePrepared() {
        for (int failing = 0; failing < TASKS; failing++) {
            int task = failing;
            assertThatThrownBy(() -> run(task))
                    .isInstanceOf(JobFailedException.class)
                    .hasMessageContaining("No space left on device");
        }
        assertThat(calls).allMatch(call -> call.startsWith("prepare "));
    }
}
