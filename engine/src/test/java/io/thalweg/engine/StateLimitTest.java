// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.operator.KeyedContext;
import io.thalweg.api.operator.KeyedOperator;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.ValueState;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.stats.StateStats;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.WindowSpec;
import io.thalweg.api.window.Windows;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import io.thalweg.run.StateLimit;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Operators tell how much they keep, and a job that keeps too much fails. */
final class StateLimitTest {
    private static final long RECORDS = 20_000;
    private static final long KEYS = 1_000;

    private final Topology topology = Topology.named("test");
    private RunSettings settings =
            RunSettings.defaults().withParallelism(2).withThreads(0).withSteps(100, 2, 16);

    private Stream<Long> numbers() {
        return topology.from(Sources.generate(RECORDS, i -> i)).eventTime(i -> i, Duration.ZERO);
    }

    private JobStats run() throws Exception {
        Job job = new EmbeddedRunner(settings).start(topology.graph());
        while (job.step()) {
            // to the end
        }
        return job.await();
    }

    static List<UnaryOperator<Stream<Long>>> keepers() {
        return List.of(
                numbers -> windowed(numbers, Windows.whole()),
                numbers -> windowed(numbers, Windows.tumbling(Duration.ofHours(1))),
                numbers -> windowed(numbers, Windows.sliding(Duration.ofHours(2), Duration.ofHours(2))),
                numbers -> windowed(numbers, Windows.session(Duration.ofHours(1))),
                numbers -> numbers.keyBy(i -> i % KEYS)
                        .aggregate(Aggregates.count())
                        .name("keeper")
                        .map(each -> each.key()),
                numbers -> numbers.keyBy(i -> i % KEYS).process(Last::new).name("keeper"),
                numbers -> numbers.map(i -> i % KEYS).distinct().name("keeper"));
    }

    static final class Last implements KeyedOperator<Long, Long, Long> {
        private @Nullable ValueState<Long> last;

        @Override
        public void open(KeyedContext context) {
            last = context.state("last", Type.of(Long.class));
        }

        @Override
        public void process(Long key, Long number, Output<Long> output) {
            if (last != null) {
                last.set(number);
            }
        }
    }

    private static Stream<Long> windowed(Stream<Long> numbers, WindowSpec window) {
        return numbers.keyBy(i -> i % KEYS)
                .window(window)
                .aggregate(Aggregates.count())
                .name("keeper")
                .map(each -> each.key());
    }

    @ParameterizedTest
    @MethodSource("keepers")
    void shouldTellHowMuchOperatorsKeep(UnaryOperator<Stream<Long>> keeper) throws Exception {
        keeper.apply(numbers()).to(Sinks.discard());

        List<StateStats> state = run().keptState();

        assertThat(state).hasSize(1);
        assertThat(state.get(0).operator()).isEqualTo("keeper");
        assertThat(state.get(0).keys()).isEqualTo(KEYS);
        long leastBytes =
                KEYS * (24 + 4 + 2 * 8); // the key, a reference to it, and two slots; records of sessions wait
        assertThat(state.get(0).bytes()).isBetween(leastBytes, 40 * leastBytes);
    }

    @Test
    void shouldFail_naming_theLargestOperator() {
        settings = settings.withStateLimit(StateLimit.bytes(20_000));
        windowed(numbers(), Windows.whole()).to(Sinks.discard());

        assertThatThrownBy(this::run)
                .isInstanceOf(JobFailedException.class)
                .message()
                .matches("topology 'test': the state of its operators takes about \\d+ kB, and the limit is 20 kB:"
                        + " operator 'keeper' keeps [\\d,]+ keys in about \\d+ kB; keep less .*--state-limit");
    }

    @Test
    void shouldHaveNoLimitIfAskedTo() throws Exception {
        settings = settings.withStateLimit(StateLimit.none());
        windowed(numbers(), Windows.whole()).to(Sinks.discard());

        assertThat(run().recordsOut()).isEqualTo(KEYS);
        assertThatIllegalArgumentException().isThrownBy(() -> StateLimit.bytes(0));
    }

    @Test
    void shouldNotTellOfOperatorsThatKeepNothing() throws Exception {
        numbers().filter(i -> i > 7).to(Sinks.discard());

        assertThat(run().keptState()).isEmpty();
    }
}
