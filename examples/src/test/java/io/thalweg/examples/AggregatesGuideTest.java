// SPDX-License-Identifier: Apache-2.0
package io.thalweg.examples;

import static io.thalweg.api.operator.Aggregates.named;
import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.operator.OrderFunction;
import io.thalweg.api.topology.KeyedStream;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.WindowedStream;
import io.thalweg.api.window.Windows;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.CollectSink;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The code of docs/guide/aggregates.md. */
final class AggregatesGuideTest {
    record Reading(String sensor, long time, @Nullable Double celsius) {}

    // region figures
    record Figures(
            long readings,
            long known,
            @Nullable Double coldest,
            @Nullable Double hottest) {}
    // endregion

    private final Topology topology = Topology.named("figures");
    private final Stream<Reading> readings = topology.from(Sources.of(
            new Reading("a", 1, 20.0),
            new Reading("a", 2, null),
            new Reading("a", 3, 25.0),
            new Reading("b", 4, null)));
    private final KeyedStream<String, Reading> bySensor = readings.keyBy(Reading::sensor);

    private void run() throws Exception {
        new EmbeddedRunner(RunSettings.defaults().withParallelism(2))
                .start(topology.graph())
                .await();
    }

    @Test
    void shouldFillARecordByName() throws Exception {
        CollectSink<Figures> sink = CollectSink.of(Figures.class);
        WindowedStream<String, Reading> windows = bySensor.window(Windows.whole());
        // region into
        windows.aggregate(Aggregates.into(
                        Figures.class,
                        named("readings", Aggregates.count()),
                        named("known", Aggregates.countNonNull(Reading::celsius)),
                        named("coldest", Aggregates.min(Reading::celsius)),
                        named("hottest", Aggregates.max(reading -> reading.celsius()))))
                .map(result -> result.value())
                .to(sink);
        // endregion
        run();
        assertThat(sink.records())
                .containsExactlyInAnyOrder(new Figures(3, 2, 20.0, 25.0), new Figures(1, 0, null, null));
        assertThat(topology.graph().warnings()).isEmpty();
    }

    @Test
    void shouldOrderRecords() throws Exception {
        CollectSink<Reading> sink = CollectSink.of(Reading.class);
        WindowedStream<String, Reading> windows = bySensor.window(Windows.whole());
        // region top
        windows.aggregate(Aggregates.top(3, Reading.class, Reading::celsius)).to(Sinks.discard());
        windows.aggregate(Aggregates.top(
                        1,
                        Reading.class,
                        OrderFunction.by(Reading::celsius).thenBy(Reading::time).reversed()))
                .flatMap(result -> result.value())
                .as(Reading.class)
                .to(sink);
        // endregion
        run();
        assertThat(sink.records()).containsExactlyInAnyOrder(new Reading("a", 2, null), new Reading("b", 4, null));
    }
}
