// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.Windows;
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
                """);
    }

    private static String explain(Topology topology, int parallelism) {
        return new EmbeddedRunner(
                        RunSettings.defaults().withParallelism(parallelism).withThreads(3))
                .explain(topology.graph());
    }
}
