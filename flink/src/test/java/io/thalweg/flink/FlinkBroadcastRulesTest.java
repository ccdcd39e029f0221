// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.KeyedContext;
import io.thalweg.api.operator.KeyedOperator;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.ValueState;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.topology.Topology;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.CollectSink;
import io.thalweg.testkit.TestRunner;
import io.thalweg.testkit.contract.BroadcastRulesContract;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Broadcast streams on Flink. */
@Tag("integration")
final class FlinkBroadcastRulesTest extends BroadcastRulesContract {
    private static final LocalFlink FLINK = LocalFlink.shared();

    @TempDir
    private Path folder;

    /** The tasks that the second job has more know the limits too, though nobody sends them again. */
    @Test
    void shouldGoOnWithMoreTasks() throws Exception {
        CheckpointSettings checkpoints = CheckpointSettings.in(folder).every(Duration.ofMillis(50));
        Topology first = Topology.named("limits");
        byKey(first, 4).to(Sinks.discard()); // it does not end for more than a minute
        FlinkRunningJob stopped = start(first, 1, checkpoints);
        long reached = 0;
        while (stopped.stats().recordsIn() < limitsAndSome()
                || stopped.lastCheckpoint() == null
                || stopped.lastCheckpoint().number() <= reached) {
            if (stopped.stats().recordsIn() < limitsAndSome() && stopped.lastCheckpoint() != null) {
                reached = stopped.lastCheckpoint().number() + 1; // that one may have begun before
            }
            assertThat(stopped.await(Duration.ofMillis(20))).isFalse();
        }
        stopped.cancel();
        assertThat(stopped.await().state()).isEqualTo(JobState.CANCELLED);

        CollectSink<String> sink = CollectSink.of(String.class);
        Topology second = Topology.named("limits");
        byKey(second, Double.POSITIVE_INFINITY).to(sink);
        FlinkRunningJob onward = start(second, 4, checkpoints.restoringLatest());

        assertThat(onward.await().state()).isEqualTo(JobState.FINISHED);
        assertThat(sink.records()).containsExactlyInAnyOrderElementsOf(expectedByKey());
    }

    /** As a renamed state would be, or the records that wait in an inner join that became an outer one. */
    @Test
    void shouldRefuseStateThatTheOperatorDoesNotDeclareAnyMore() throws Exception {
        CheckpointSettings checkpoints = CheckpointSettings.in(folder).every(Duration.ofMillis(50));
        FlinkRunningJob stopped = start(remembering("seen"), 1, checkpoints);
        while (stopped.lastCheckpoint() == null) {
            assertThat(stopped.await(Duration.ofMillis(20))).isFalse();
        }
        stopped.cancel();
        stopped.await();

        FlinkRunningJob onward = start(remembering("met"), 2, checkpoints.restoringLatest());

        assertThatThrownBy(onward::await)
                .hasMessageStartingWith("topology 'renamed', operator 'remember', task ")
                .hasMessageContaining(
                        "the checkpoint holds 'state seen', and the operator does not declare it any more;"
                                + " it declares [state met]; run the operator as it was, or continue without its state"
                                + " with --discard-state 'remember'");
    }

    private static Topology remembering(String state) {
        Topology topology = Topology.named("renamed");
        topology.from(Sources.generate(10_000, index -> index).rate(20))
                .name("numbers")
                .keyBy(number -> number % 3)
                .process(() -> new Remember(state))
                .name("remember")
                .to(Sinks.discard());
        return topology;
    }

    private static final class Remember implements KeyedOperator<Long, Long, Long> {
        private final String name;
        private @Nullable ValueState<Long> state;

        Remember(String name) {
            this.name = name;
        }

        @Override
        public void open(KeyedContext context) {
            state = context.state(name, Type.of(Long.class));
        }

        @Override
        public void process(Long key, Long number, Output<Long> output) {
            if (state != null) {
                state.set(number);
            }
        }
    }

    private static FlinkRunningJob start(Topology topology, int parallelism, CheckpointSettings checkpoints) {
        return FLINK.runner(RunSettings.defaults()
                        .withParallelism(parallelism)
                        .withGuarantee(Guarantee.EXACTLY_ONCE, checkpoints))
                .start(topology.graph());
    }

    @Override
    protected TestRunner road() {
        return TestRunner.of(FLINK.runner(RunSettings.defaults().withParallelism(2)));
    }
}
