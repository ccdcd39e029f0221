// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.operator.KeyedTwoInputOperator;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.TwoInputOperator;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.Windows;
import io.thalweg.run.AckSettings;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.Restart;
import io.thalweg.run.RunSettings;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class ExplainTest {
    record Reading(String river, long level) {}

    @Test
    void shouldShowChainsAndForEveryEdgeHowItIsCrossed() {
        Topology topology = Topology.named("Rivers");
        Stream<Reading> readings = topology.from(Sources.generate(10, i -> new Reading("Inn", i)))
                .name("gauge")
                .eventTime(Reading::level, Duration.ZERO);
        readings.keyBy(Reading::river)
                .window(Windows.tumbling(Duration.ofSeconds(1)))
                .aggregate(Aggregates.count())
                .map(result -> result.value())
                .parallelism(1)
                .to(Sinks.discard());
        readings.filter(reading -> reading.level() > 5).isolate().to(Sinks.print());

        assertThat(explain(topology, 2)).isEqualTo("""
                topology Rivers: 5 chains, 9 tasks, 3 worker threads

                chain 0: 2 tasks
                  gauge        source generator of Reading
                  event-time

                chain 1: 2 tasks
                  window   window tumbling 1000 ms

                chain 2: 1 task
                  map
                  sink   sink discard

                chain 3: 2 tasks
                  filter

                chain 4: 2 tasks
                  sink-2   sink print

                edges
                  gauge -> event-time    forward         2 to 2   Reading (record)                                  fused
                  event-time -> window   by key String   2 to 2   Reading (record), event time                      not fused: each record goes to the task of its key
                  window -> map          shuffle         2 to 1   WindowResult<String, Long> (record), event time   not fused: the parallelism changes from 2 to 1
                  map -> sink            forward         1 to 1   Long, event time                                  fused
                  event-time -> filter   forward         2 to 2   Reading (record), event time                      not fused: 'filter' is isolated
                  filter -> sink-2       forward         2 to 2   Reading (record), event time                      not fused: 'filter' is isolated

                options
                  guarantee   none
                """);
    }

    @Test
    void shouldSayWhatIsFusedDespiteAGrouping() {
        Topology topology = Topology.named("One");
        topology.from(Sources.of(1, 2)).shuffle().map(i -> -i).localOrShuffle().to(Sinks.discard());

        assertThat(explain(topology, 1)).isEqualTo("""
                topology One: 1 chain, 1 task, 1 worker thread

                chain 0: 1 task
                  source   source list of 2 Integer
                  map
                  sink     sink discard

                edges
                  source -> map   shuffle   1 to 1   Integer   fused
                  map -> sink     forward   1 to 1   Integer   fused

                options
                  guarantee   none
                """);
    }

    record Level(String river, long centimetres) {}

    static final class Floods implements KeyedTwoInputOperator<String, Reading, Level, String> {
        @Override
        public void processFirst(String river, Reading reading, Output<String> output) {}

        @Override
        public void processSecond(String river, Level level, Output<String> output) {}
    }

    static final class Warnings implements TwoInputOperator<String, Level, String> {
        @Override
        public void processFirst(String flood, Output<String> output) {}

        @Override
        public void processSecond(Level level, Output<String> output) {}
    }

    @Test
    void shouldShowWhichInputAStreamLeadsTo() {
        Topology topology = Topology.named("Floods");
        Stream<Reading> readings = topology.from(Sources.generate(10, i -> new Reading("Inn", i)))
                .name("gauge")
                .eventTime(Reading::level, Duration.ZERO);
        Stream<Level> levels = topology.from(Sources.of(new Level("Inn", 400))).name("levels");
        readings.keyBy(Reading::river)
                .connect(levels.keyBy(Level::river))
                .process(Floods::new)
                .connect(levels.broadcast())
                .process(Warnings::new)
                .to(Sinks.discard());

        assertThat(explain(topology, 2)).isEqualTo("""
                topology Floods: 4 chains, 8 tasks, 3 worker threads

                chain 0: 2 tasks
                  gauge        source generator of Reading
                  event-time

                chain 1: 2 tasks
                  levels   source list of 1 Level

                chain 2: 2 tasks
                  keyed-connect

                chain 3: 2 tasks
                  connect
                  sink      sink discard

                edges
                  gauge -> event-time                      forward         2 to 2   Reading (record)               fused
                  event-time -> keyed-connect              by key String   2 to 2   Reading (record), event time   not fused: 'keyed-connect' has several inputs
                  levels -> keyed-connect (second input)   by key String   2 to 2   Level (record)                 not fused: 'keyed-connect' has several inputs
                  keyed-connect -> connect                 forward         2 to 2   String                         not fused: 'connect' has several inputs
                  levels -> connect (second input)         broadcast       2 to 2   Level (record)                 not fused: 'connect' has several inputs
                  connect -> sink                          forward         2 to 2   String                         fused

                options
                  guarantee   none
                """);
    }

    @Test
    void shouldShowWhatIsPromised() {
        Topology topology = Topology.named("Kept");
        topology.from(Sources.of(1, 2)).to(Sinks.discard());
        RunSettings settings = RunSettings.defaults()
                .withParallelism(1)
                .withThreads(1)
                .withAcks(
                        AckSettings.defaults().withMaxPending(7),
                        CheckpointSettings.in(Path.of("kept")).every(Duration.ofSeconds(2)))
                .withRestart(Restart.backoff())
                .withTries(3);

        assertThat(new EmbeddedRunner(settings).explain(topology.graph())).endsWith("""

                options
                  guarantee             acked
                  max-pending           7 records of a source task
                  ack-timeout           30000 ms
                  checkpoint-dir        kept
                  checkpoint-interval   2000 ms
                  checkpoint-timeout    600000 ms
                  restart               after 1000 ms at first, 60000 ms at most
                  tries                 3
                """);
    }

    /** A sink that fails where it is only to be described. */
    private static final class Mute implements Sink<Integer> {
        @Override
        public String name() {
            return "mute";
        }

        @Override
        public SinkWriter<Integer> open(SinkContext context) {
            return record -> {};
        }

        @Override
        public String describe() {
            throw new IllegalStateException("no words");
        }
    }

    @Test
    void shouldRunWhatCannotBeDescribed() throws Exception {
        Topology topology = Topology.named("Mute");
        topology.from(Sources.of(1, 2)).to(new Mute());

        assertThat(explain(topology, 1))
                .contains("sink (its describe() failed: java.lang.IllegalStateException: no words)");
        assertThat(new EmbeddedRunner(RunSettings.defaults().withParallelism(1))
                        .start(topology.graph())
                        .await()
                        .recordsOut())
                .isEqualTo(2);
    }

    private static String explain(Topology topology, int parallelism) {
        return new EmbeddedRunner(
                        RunSettings.defaults().withParallelism(parallelism).withThreads(3))
                .explain(topology.graph());
    }
}
