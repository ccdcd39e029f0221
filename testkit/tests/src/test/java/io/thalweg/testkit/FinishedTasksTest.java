// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.BroadcastOperator;
import io.thalweg.api.operator.BroadcastState;
import io.thalweg.api.operator.OperatorContext;
import io.thalweg.api.operator.Output;
import io.thalweg.api.topology.Topology;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.Job;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.RunSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs that are killed at every step and restored from a checkpoint in which some tasks of an operator have finished. */
final class FinishedTasksTest {
    private static final long NUMBERS = 23;
    private static final long RULES = 5;

    @TempDir
    Path folder;

    /** Each task emits at its end how many rules there were. */
    static final class Rules implements BroadcastOperator<Long, Long, String> {
        private @Nullable BroadcastState<String, Long> counts;

        @Override
        public void open(OperatorContext opened) {
            counts = opened.broadcastState("counts", Type.of(String.class), Type.of(Long.class));
        }

        @Override
        public void process(Long number, Output<String> output) {
            output.emit("number " + number);
        }

        @Override
        public void processBroadcast(Long rule, Output<String> output) {
            count(counts);
        }

        @Override
        public void finish(Output<String> output) {
            output.emit("rules " + counted(counts));
        }

        static void count(@Nullable BroadcastState<String, Long> counts) {
            if (counts != null) {
                counts.put("rules", counted(counts) + 1);
            }
        }

        static long counted(@Nullable BroadcastState<String, Long> counts) {
            Long counted = counts == null ? null : counts.get("rules");
            return counted == null ? 0 : counted;
        }
    }

    /** The first task of the operator without keys has nothing to read, so that it finishes before the other. */
    private static Topology topology(CollectSink<String> collected) {
        Topology topology = Topology.named("rules");
        TestSource<Long> numbers = TestSource.of(Type.of(Long.class), 2)
                .addTo(1, LongStream.range(0, NUMBERS).boxed().toList())
                .end();
        topology.from(numbers)
                .withBroadcast(topology.from(Sources.generate(RULES, i -> i)))
                .process(Rules::new)
                .name("rules")
                .to(collected);
        return topology;
    }

    @Test
    void shouldFinishEachTaskOnce_whereverTheJobIsKilled() throws Exception {
        List<String> expected = new ArrayList<>(List.of("rules " + RULES, "rules " + RULES));
        LongStream.range(0, NUMBERS).forEach(i -> expected.add("number " + i));
        boolean killed = true;
        for (int at = 1; killed; at++) {
            RunSettings settings = RunSettings.defaults()
                    .withParallelism(2)
                    .withThreads(0)
                    .withSteps(1, 2, 1)
                    .withGuarantee(
                            Guarantee.EXACTLY_ONCE,
                            CheckpointSettings.in(folder.resolve("killed-" + at))
                                    .restoringLatest());
            killed = killedAt(at, start(settings, CollectSink.of(String.class)));
            CollectSink<String> collected = CollectSink.of(String.class);
            Job restored = start(settings, collected);
            while (restored.step()) {
                // to the end
            }
            restored.await();

            assertThat(collected.records()).as("killed at step %d", at).containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    private static Job start(RunSettings settings, CollectSink<String> collected) {
        return new EmbeddedRunner(settings).start(topology(collected).graph());
    }

    /** Asks for a checkpoint at every step; false if the job has ended before. */
    private static boolean killedAt(int step, Job job) {
        for (int i = 0; i < step; i++) {
            job.checkpoint();
            if (!job.step()) {
                return false;
            }
        }
        job.kill();
        while (job.step()) {
            // to the end
        }
        return true;
    }
}
