// SPDX-License-Identifier: Apache-2.0
package io.thalweg.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.graph.GraphBuilder;
import io.thalweg.api.graph.Grouping;
import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.operator.Addressed;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.operator.BroadcastState;
import io.thalweg.api.operator.HeldRecord;
import io.thalweg.api.operator.KeyedBroadcastOperator;
import io.thalweg.api.operator.KeyedContext;
import io.thalweg.api.operator.KeyedOperator;
import io.thalweg.api.operator.KeyedTwoInputOperator;
import io.thalweg.api.operator.ListState;
import io.thalweg.api.operator.MapState;
import io.thalweg.api.operator.Operator;
import io.thalweg.api.operator.OperatorContext;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.SharedOutput;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.api.operator.ThreadedOperator;
import io.thalweg.api.operator.TickingOperator;
import io.thalweg.api.operator.TwoInputOperator;
import io.thalweg.api.operator.ValueState;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.WindowResult;
import io.thalweg.api.window.Windows;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.Job;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.CollectSink;
import io.thalweg.testkit.TopologyTester;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
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

    record Visit(String sensor, long time, String by) {}

    // region care
    /** Tells who visited a hot sensor within a minute. A hot reading that nobody came for goes to a side output. */
    static final class Care implements KeyedTwoInputOperator<String, Reading, Visit, String> {
        static final SideOutput<Reading> ALONE = SideOutput.of("alone", Reading.class);
        private static final long MINUTE = 60_000;

        private MapState<Long, Reading> hot; // by time
        private ListState<Visit> visits;
        private KeyedContext context;

        @Override
        public void open(KeyedContext context) {
            this.context = context;
            hot = context.mapState("hot", Type.of(Long.class), Type.of(Reading.class));
            visits = context.listState("visits", Type.of(Visit.class));
        }

        @Override
        public List<SideOutput<?>> sideOutputs() {
            return List.of(ALONE);
        }

        @Override
        public void processFirst(String sensor, Reading reading, Output<String> output) {
            if (reading.celsius() > 24) {
                hot.put(reading.time(), reading);
                context.setTimer(reading.time() + MINUTE);
            }
        }

        @Override
        public void processSecond(String sensor, Visit visit, Output<String> output) {
            visits.add(visit);
            context.setTimer(visit.time() + MINUTE); // by then it is of no use any more
        }

        @Override
        public void onTimer(String sensor, long time, Output<String> output) {
            Visit first = null;
            List<Visit> later = new ArrayList<>();
            for (Visit visit : visits) {
                boolean inTime = visit.time() >= time - MINUTE && visit.time() <= time;
                if (inTime && (first == null || visit.time() < first.time())) {
                    first = visit;
                }
                if (visit.time() > time - MINUTE) {
                    later.add(visit);
                }
            }
            visits.set(later);
            Reading reading = hot.get(time - MINUTE);
            hot.remove(time - MINUTE);
            if (reading != null && first != null) {
                output.emit(first.by() + " came to " + sensor);
            } else if (reading != null) {
                output.emit(ALONE, reading);
            }
        }
    }
    // endregion

    record Limit(double celsius) {}

    // region over
    /** Lets readings over the lowest limit so far pass. */
    static final class OverLimit implements TwoInputOperator<Reading, Limit, Reading> {
        private double lowest = 24;

        @Override
        public void processFirst(Reading reading, Output<Reading> output) {
            if (reading.celsius() > lowest) {
                output.emit(reading);
            }
        }

        @Override
        public void processSecond(Limit limit, Output<Reading> output) {
            lowest = Math.min(lowest, limit.celsius());
        }
    }
    // endregion

    record KindLimit(String kind, double celsius) {}

    // region rules
    /** Counts the readings of each sensor that are over the limit of its kind, which may change while the job runs. */
    static final class TooHot implements KeyedBroadcastOperator<String, Reading, KindLimit, String> {
        private ValueState<Integer> count; // of the current sensor
        private BroadcastState<String, Double> limits; // the same in every task

        @Override
        public void open(KeyedContext context) {
            count = context.state("count", Type.of(Integer.class));
            limits = context.broadcastState("limits", Type.of(String.class), Type.of(Double.class));
        }

        @Override
        public void process(String sensor, Reading reading, Output<String> output) {
            Double limit = limits.get(sensor.substring(0, 1));
            if (limit != null && reading.celsius() > limit) {
                Integer before = count.get();
                count.set(before == null ? 1 : before + 1);
                output.emit(sensor + " is too hot, number " + count.get());
            }
        }

        @Override
        public void processBroadcast(KindLimit limit, Output<String> output) {
            limits.put(limit.kind(), limit.celsius());
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
    void shouldAggregateFrequentKeysInParts() throws Exception {
        CollectSink<WindowResult<String, Double>> sink =
                CollectSink.of(Type.of(WindowResult.class, Type.of(String.class), Type.of(Double.class)));
        Topology topology = Topology.named("hottest");
        Stream<Reading> readings = topology.from(READINGS).eventTime(Reading::time, Duration.ofMinutes(1));
        // region partial
        readings.partialKeyBy(Reading::sensor, 4) // parts of each key
                .window(Windows.tumbling(Duration.ofMinutes(1)))
                .aggregate(Aggregates.max(Reading::celsius))
                .to(sink);
        // endregion
        run(topology);
        assertThat(sink.records())
                .containsExactlyInAnyOrder(
                        new WindowResult<>("a", 0, 60_000, 21.5),
                        new WindowResult<>("a", 60_000, 120_000, 25.0),
                        new WindowResult<>("b", 0, 60_000, 22.0),
                        new WindowResult<>("b", 120_000, 180_000, 18.0));
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
    void shouldConnectTwoStreamsByKey() throws Exception {
        CollectSink<String> sink = CollectSink.of(String.class);
        CollectSink<Reading> aloneSink = CollectSink.of(Reading.class);
        Topology topology = Topology.named("care");
        Source<Reading> hotReadings = Sources.of(
                new Reading("a", 1_000, 25.0),
                new Reading("b", 2_000, 26.0),
                new Reading("a", 90_000, 27.0),
                new Reading("b", 90_500, 19.0));
        Source<Visit> manyVisits = Sources.of(
                new Visit("b", 1_000, "Ada"),
                new Visit("a", 61_000, "Bob"),
                new Visit("b", 62_001, "Cleo"),
                new Visit("a", 100_000, "Dan"));
        Stream<Reading> readings = topology.from(hotReadings).eventTime(Reading::time, Duration.ZERO);
        Stream<Visit> visits = topology.from(manyVisits).eventTime(Visit::time, Duration.ZERO);
        // region connect
        Stream<String> cared = readings.keyBy(Reading::sensor)
                .connect(visits.keyBy(Visit::sensor))
                .process(Care::new);
        cared.to(sink);
        cared.side(Care.ALONE).to(aloneSink);
        // endregion
        run(topology);
        assertThat(sink.records()).containsExactlyInAnyOrder("Bob came to a", "Dan came to a");
        assertThat(aloneSink.records()).containsExactly(new Reading("b", 2_000, 26.0));
    }

    @Test
    void shouldConnectTwoStreamsWithoutKeys() throws Exception {
        CollectSink<Reading> sink = CollectSink.of(Reading.class);
        Topology topology = Topology.named("limits");
        Stream<Reading> readings = topology.from(READINGS);
        Stream<Limit> limits = topology.from(Sources.of(new Limit(21.0), new Limit(20.5)));
        // region broadcast
        readings.connect(limits.broadcast()).process(OverLimit::new).to(sink);
        // endregion
        run(topology);
        assertThat(sink.records())
                .contains(new Reading("a", 61_000, 25.0))
                .isSubsetOf(
                        new Reading("a", 9_000, 21.5), new Reading("a", 61_000, 25.0), new Reading("b", 3_000, 22.0));
    }

    @Test
    void shouldKeepWhatIsBroadcastInEveryTask() throws Exception {
        CollectSink<String> sink = CollectSink.of(String.class);
        Topology topology = Topology.named("rules");
        Stream<Reading> readings = topology.from(READINGS);
        Stream<KindLimit> limits = topology.from(Sources.of(new KindLimit("a", 22), new KindLimit("b", 40)));
        // region with-broadcast
        readings.keyBy(Reading::sensor)
                .withBroadcast(limits)
                .process(TooHot::new)
                .to(sink);
        // endregion
        run(topology);
        assertThat(sink.records()).as("it depends on which comes first").isSubsetOf("a is too hot, number 1");
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

    // region command
    /** For one of several workers. */
    record Command(int task, String sensor) implements Addressed {}
    // endregion

    /** Says which task has which sensor. */
    static final class Worker implements Operator<Command, String> {
        private int task;

        @Override
        public void open(OperatorContext context) {
            task = context.task();
        }

        @Override
        public void process(Command command, Output<String> output) {
            output.emit(command.sensor() + " by " + task);
        }
    }

    @Test
    void shouldSendRecordsToTheTaskThatTheyName() throws Exception {
        CollectSink<String> sink = CollectSink.of(String.class);
        Topology topology = Topology.named("workers");
        Stream<Command> commands = topology.from(Sources.of(new Command(2, "a"), new Command(0, "b")));
        // region direct
        commands.direct().process(Worker::new).parallelism(3).to(sink);
        // endregion
        run(topology);
        assertThat(sink.records()).containsExactlyInAnyOrder("a by 2", "b by 0");
    }

    // region rate
    /** How many readings came in the last ten seconds. */
    static final class Rate implements TickingOperator<Reading, Long> {
        private long readings;

        @Override
        public void process(Reading reading, Output<Long> output) {
            readings++;
        }

        @Override
        public Duration tickEvery() {
            return Duration.ofSeconds(10);
        }

        @Override
        public void onTick(long time, Output<Long> output) {
            output.emit(readings);
            readings = 0;
        }
    }
    // endregion

    @Test
    void shouldTick() {
        Topology topology = Topology.named("rate");
        topology.from(READINGS)
                .name("readings")
                .process(Rate::new)
                .to(CollectSink.of(Long.class))
                .name("rates");
        try (TopologyTester tester =
                TopologyTester.of(topology, TopologyTester.Options.defaults().parallelism(1))) {
            tester.add("readings", new Reading("a", 1, 20), new Reading("b", 2, 20));
            tester.advanceClock(Duration.ofSeconds(10)).advanceClock(Duration.ofSeconds(10));
            assertThat(tester.records("rates")).containsExactly(2L, 0L);
        }
    }

    // region scores
    /** Asks a model that has threads of its own. */
    static final class Scores implements ThreadedOperator<Reading, String> {
        private final ExecutorService workers = Executors.newFixedThreadPool(2);
        private SharedOutput<String> scores;

        @Override
        public void start(SharedOutput<String> output) {
            scores = output;
        }

        @Override
        public void process(Reading reading, Output<String> output) {
            HeldRecord<String> held = scores.hold();
            workers.execute(() -> {
                held.emit(reading.sensor() + (reading.celsius() > 24 ? " hot" : " cold"));
                held.ack();
            });
        }

        @Override
        public void close() {
            workers.shutdownNow();
        }
    }
    // endregion

    @Test
    void shouldEmitFromThreadsOfItsOwn() throws Exception {
        Topology topology = Topology.named("scores");
        CollectSink<String> scores = CollectSink.of(String.class);
        topology.from(READINGS).process(Scores::new).to(scores);
        run(topology);
        assertThat(scores.records())
                .containsExactlyInAnyOrder("a cold", "b cold", "a cold", "a hot", "b cold", "b cold");
    }

    // region parse
    /** Takes apart lines such as {@code a 21.5}. */
    static final class Parse implements Operator<String, Reading> {
        static final SideOutput<String> BROKEN = SideOutput.of("broken", String.class);

        @Override
        public List<SideOutput<?>> sideOutputs() {
            return List.of(BROKEN);
        }

        @Override
        public void process(String line, Output<Reading> output) {
            String[] parts = line.split(" ");
            if (parts.length == 2) {
                output.emit(new Reading(parts[0], 0, Double.parseDouble(parts[1])));
            } else {
                output.emit(BROKEN, line);
            }
        }
    }
    // endregion

    @Test
    void shouldBuildAGraphByNames() throws Exception {
        CollectSink<Reading> readings = CollectSink.of(Reading.class);
        CollectSink<String> broken = CollectSink.of(String.class);
        Source<String> lines = Sources.of("a 21.5", "what?");
        // region graph
        GraphBuilder graph = GraphBuilder.named("readings");
        graph.source("lines", lines);
        graph.process("parse", Parse::new).parallelism(2);
        graph.sink("readings", readings);
        graph.sink("broken", broken);
        graph.connect("lines", "parse").grouped(new Grouping.Shuffle());
        graph.connect("parse", "readings");
        graph.connect("parse", "broken").side(Parse.BROKEN);
        TopologyGraph built = graph.build(); // as Topology.graph() returns it
        // endregion
        new EmbeddedRunner(RunSettings.defaults().withParallelism(2))
                .start(built)
                .await();
        assertThat(readings.records()).containsExactly(new Reading("a", 0, 21.5));
        assertThat(broken.records()).containsExactly("what?");
    }

    /** Follows links to where they lead. */
    static final class Follow implements Operator<String, String> {
        static final SideOutput<String> FURTHER = SideOutput.of("further", String.class);
        private static final Map<String, String> LINKS = Map.of("old", "older", "older", "oldest");

        @Override
        public List<SideOutput<?>> sideOutputs() {
            return List.of(FURTHER);
        }

        @Override
        public void process(String link, Output<String> output) {
            String next = LINKS.get(link);
            if (next == null) {
                output.emit(link);
            } else {
                output.emit(FURTHER, next);
            }
        }
    }

    @Test
    void shouldFollowLinksThatLeadBack() throws Exception {
        CollectSink<String> targets = CollectSink.of(String.class);
        Source<String> links = Sources.of("old", "older", "new");
        GraphBuilder graph = GraphBuilder.named("links");
        // region feedback
        graph.source("links", links);
        graph.operator("all", new NodeSpec.Union());
        graph.process("follow", Follow::new);
        graph.sink("targets", targets);
        graph.connect("links", "all");
        graph.connect("all", "follow").grouped(new Grouping.Shuffle());
        graph.connect("follow", "targets"); // where a link leads in the end
        graph.connect("follow", "all").side(Follow.FURTHER).feedback();
        // endregion
        new EmbeddedRunner(RunSettings.defaults().withParallelism(2))
                .start(graph.build())
                .await();
        assertThat(targets.records()).containsExactlyInAnyOrder("oldest", "oldest", "new");
    }
}
