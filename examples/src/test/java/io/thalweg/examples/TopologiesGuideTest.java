// SPDX-License-Identifier: Apache-2.0
package io.thalweg.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.operator.KeyedContext;
import io.thalweg.api.operator.KeyedOperator;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.api.operator.ValueState;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.WindowResult;
import io.thalweg.api.window.Windows;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.Job;
import io.thalweg.engine.RunSettings;
import io.thalweg.testkit.CollectSink;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the guide shows, run and checked. */
final class TopologiesGuideTest {
    // region records
    record Reading(String sensor, long time, double celsius) {}

    record Place(String sensor, String room) {}
    // endregion

    record Placed(String room, double celsius) {}

    private static final Source<Reading> READINGS = Sources.of(
            new Reading("a", 1_000, 19.5),
            new Reading("b", 2_000, 20.0),
            new Reading("a", 9_000, 21.5),
            new Reading("a", 61_000, 25.0),
            new Reading("b", 3_000, 22.0),
            new Reading("b", 125_000, 18.0));

    // region silence
    /** Says which sensors have been silent for a minute. */
    static final class Silence implements KeyedOperator<String, Reading, String> {
        static final SideOutput<Reading> HOT = SideOutput.of("hot", Reading.class);

        private ValueState<Long> last;
        private KeyedContext context;

        @Override
        public void open(KeyedContext context) {
            this.context = context;
            last = context.state("last", Type.of(Long.class));
        }

        @Override
        public List<SideOutput<?>> sideOutputs() {
            return List.of(HOT);
        }

        @Override
        public void process(String sensor, Reading reading, Output<String> output) {
            Long before = last.get();
            if (before != null) {
                context.cancelTimer(before + 60_000);
            }
            last.set(reading.time());
            context.setTimer(reading.time() + 60_000);
            if (reading.celsius() > 24) {
                output.emit(HOT, reading);
            }
        }

        @Override
        public void onTimer(String sensor, long time, Output<String> output) {
            output.emit(sensor + " silent at " + time);
            last.clear();
        }
    }
    // endregion

    private static JobStats run(Topology topology) throws InterruptedException {
        // region runner
        RunSettings settings = RunSettings.defaults().withParallelism(2);
        Job job = new EmbeddedRunner(settings).start(topology.graph());
        JobStats stats = job.await(); // throws JobFailedException
        // endregion
        return stats;
    }

    @Test
    void shouldAggregateInWindows() throws Exception {
        CollectSink<String> sink = CollectSink.of(String.class);
        Topology topology = Topology.named("means");
        // region windows
        Stream<Reading> readings = topology.from(READINGS).eventTime(Reading::time, Duration.ofMinutes(1));

        readings.keyBy(Reading::sensor)
                .window(Windows.tumbling(Duration.ofMinutes(1)))
                .aggregate(Aggregates.mean(Reading::celsius))
                .map(result -> result.key() + " from " + result.start() + ": " + result.value())
                .to(sink);
        // endregion
        assertThat(run(topology).recordsLate()).isZero();
        assertThat(sink.records())
                .containsExactlyInAnyOrder(
                        "a from 0: 20.5", "a from 60000: 25.0", "b from 0: 21.0", "b from 120000: 18.0");
    }

    @Test
    void shouldKeepStateAndTimers() throws Exception {
        CollectSink<String> sink = CollectSink.of(String.class);
        CollectSink<Reading> hotSink = CollectSink.of(Reading.class);
        Topology topology = Topology.named("silence");
        Stream<Reading> readings = topology.from(READINGS).eventTime(Reading::time, Duration.ofMinutes(2));
        // region process
        Stream<String> silent = readings.keyBy(Reading::sensor).process(Silence::new);
        silent.to(sink);
        silent.side(Silence.HOT).to(hotSink);
        // endregion
        run(topology);
        assertThat(hotSink.records()).containsExactly(new Reading("a", 61_000, 25.0));
        assertThat(sink.records()).contains("a silent at 121000", "b silent at 185000");
    }

    @Test
    void shouldJoinWithATable() throws Exception {
        CollectSink<Placed> sink = CollectSink.of(Placed.class);
        Topology topology = Topology.named("places");
        Stream<Reading> readings = topology.from(READINGS);
        Source<Place> places = Sources.of(new Place("a", "kitchen"));
        // region join
        readings.join(places, Place::sensor, Reading::sensor, TopologiesGuideTest::placed)
                .to(sink);
        // endregion
        run(topology);
        assertThat(sink.records())
                .containsExactlyInAnyOrder(
                        new Placed("kitchen", 19.5), new Placed("kitchen", 21.5), new Placed("kitchen", 25.0));
    }

    // region joined
    static @Nullable Placed placed(Reading reading, @Nullable Place place) {
        return place == null ? null : new Placed(place.room(), reading.celsius());
    }
    // endregion

    @Test
    void shouldOfferLateRecords() throws Exception {
        CollectSink<WindowResult<String, Long>> counts =
                CollectSink.of(Type.of(WindowResult.class, Type.of(String.class), Type.of(Long.class)));
        CollectSink<Reading> lateSink = CollectSink.of(Reading.class);
        Topology topology = Topology.named("late");
        Stream<Reading> readings = topology.from(READINGS).eventTime(Reading::time, Duration.ZERO);
        // region late
        SideOutput<Reading> late = SideOutput.of("late", Reading.class);
        Stream<WindowResult<String, Long>> perMinute = readings.keyBy(Reading::sensor)
                .window(Windows.tumbling(Duration.ofMinutes(1)))
                .allowedLateness(Duration.ofSeconds(1))
                .lateTo(late)
                .aggregate(Aggregates.count());
        perMinute.to(counts);
        perMinute.side(late).to(lateSink);
        // endregion
        assertThat(run(topology).recordsLate()).isEqualTo(1);
        assertThat(lateSink.records()).containsExactly(new Reading("b", 3_000, 22.0));
        assertThat(counts.records()).hasSize(4).contains(new WindowResult<>("a", 0, 60_000, 2L));
    }
}
