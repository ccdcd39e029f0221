// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sink;
import io.thalweg.api.topology.Topology;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.Job;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.Clock;
import io.thalweg.run.Idle;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.testkit.contract.ProcessingTimerRulesContract;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Processing-time timers on the embedded engine, whose clock can be set. */
final class EmbeddedProcessingTimerRulesTest extends ProcessingTimerRulesContract {
    @TempDir
    private Path folder;

    private long nowMs = 1_000_000;

    @Override
    protected Runner runner() {
        return new EmbeddedRunner(
                RunSettings.defaults().withParallelism(2).withThreads(2).withIdle(Idle.PARK));
    }

    private static Topology topology(TestSource<Long> source, Sink<String> sink) {
        Topology topology = Topology.named("timers");
        topology.from(source)
                .name("numbers")
                .keyBy(Alarms::key)
                .process(Alarms::new)
                .name("alarms")
                .to(sink)
                .name("sink");
        return topology;
    }

    @Test
    void shouldFireByTheClockOfATest() throws Exception {
        Topology topology = topology(TestSource.of(Long.class), CollectSink.of(String.class));
        try (TopologyTester tester =
                TopologyTester.of(topology, TopologyTester.Options.defaults().parallelism(1))) {
            tester.add("numbers", Alarms.record(1, 30), Alarms.record(2, 10), Alarms.record(3, 20));
            tester.advanceClock(Duration.ofMillis(9));
            assertThat(tester.newRecords("sink")).isEmpty();
            tester.advanceClock(Duration.ofMillis(1));
            assertThat(tester.newRecords("sink")).containsExactly("2 after 10");
            tester.advanceClock(Duration.ofDays(1));
            assertThat(tester.newRecords("sink")).containsExactly("3 after 20", "1 after 30");
        }
    }

    @Test
    void shouldTickByTheClockOfATest_withoutTheTicksThatItMissed() {
        Topology topology = Topology.named("ticks");
        topology.from(TestSource.of(Long.class))
                .name("numbers")
                .process(Ticker::new)
                .to(CollectSink.of(String.class))
                .name("sink");
        try (TopologyTester tester =
                TopologyTester.of(topology, TopologyTester.Options.defaults().parallelism(1))) {
            tester.add("numbers", 1L, 2L);
            tester.advanceClock(Duration.ofMillis(Ticker.EVERY_MS - 1));
            assertThat(tester.newRecords("sink")).isEmpty();
            tester.advanceClock(Duration.ofMillis(1));
            assertThat(tester.newRecords("sink")).containsExactly("tick 2");
            tester.add("numbers", 3L).advanceClock(Duration.ofMillis(Ticker.EVERY_MS * 5 + 7));
            assertThat(tester.newRecords("sink")).containsExactly("tick 3");
            tester.advanceClock(Duration.ofMillis(Ticker.EVERY_MS - 8));
            assertThat(tester.newRecords("sink")).isEmpty();
            tester.advanceClock(Duration.ofMillis(1));
            assertThat(tester.newRecords("sink")).containsExactly("tick 3");
            tester.end();
            assertThat(tester.newRecords("sink")).containsExactly("end");
        }
    }

    /** One turn of a task fires fewer. */
    @ParameterizedTest
    @CsvSource({"1, false", "3, true"})
    void shouldFireAllThatAreDue(int parallelism, boolean smallBatches) {
        TopologyTester.Options options = TopologyTester.Options.defaults().parallelism(parallelism);
        Topology topology = topology(TestSource.of(Long.class), CollectSink.of(String.class));
        try (TopologyTester tester =
                TopologyTester.of(topology, smallBatches ? options : options.without(HardCase.SMALL_BATCHES))) {
            tester.add(
                    "numbers",
                    LongStream.range(0, 10_000)
                            .mapToObj(key -> Alarms.record(key, 1 + key % 7))
                            .toArray());
            tester.advanceClock(Duration.ofSeconds(1));
            assertThat(tester.records("sink")).hasSize(10_000);
        }
    }

    private Job start(TestSource<Long> source, CollectSink<String> sink, int parallelism) {
        RunSettings settings = RunSettings.defaults()
                .withThreads(0)
                .withParallelism(parallelism)
                .withClock(new Clock() {
                    @Override
                    public long nowNs() {
                        return nowMs * 1_000_000;
                    }

                    @Override
                    public long epochMs() {
                        return nowMs;
                    }
                })
                .withGuarantee(
                        Guarantee.EXACTLY_ONCE, CheckpointSettings.in(folder).restoringLatest());
        return new EmbeddedRunner(settings).start(topology(source, sink).graph());
    }

    private static void steps(Job job, int steps) {
        for (int i = 0; i < steps; i++) {
            job.step();
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "1, 3", "4, 1"})
    void shouldFireWhatIsOverdue_afterARestore(int before, int after) throws Exception {
        TestSource<Long> source = TestSource.of(Long.class)
                .add(Alarms.record(1, 50), Alarms.record(2, 10), Alarms.record(3, 200), Alarms.record(4, 60));
        CollectSink<String> none = CollectSink.of(String.class);
        Job first = start(source, none, before);
        steps(first, 100);
        first.checkpoint();
        steps(first, 100);
        first.kill();
        steps(first, 100);
        assertThat(none.records()).isEmpty();

        nowMs += 100;
        CollectSink<String> sink = CollectSink.of(String.class);
        Job second = start(source, sink, after);
        steps(second, 100);
        assertThat(sink.records()).containsExactlyInAnyOrder("2 after 10", "1 after 50", "4 after 60");
        nowMs += 100;
        steps(second, 100);
        assertThat(sink.newRecords()).contains("3 after 200");
        source.end();
        while (second.step()) {
            // to the end
        }
        second.await();
        assertThat(sink.records()).hasSize(4);
    }
}
