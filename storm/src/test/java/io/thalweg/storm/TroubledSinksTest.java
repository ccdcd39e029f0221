// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Encoder;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.TableSink;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.topology.Topology;
import io.thalweg.files.TextLines;
import io.thalweg.kafka.Kafka;
import io.thalweg.kafka.TestBroker;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.Restart;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.CollectSink;
import io.thalweg.testkit.Lines;
import io.thalweg.testkit.TestSource;
import io.thalweg.testkit.TroubledSink;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every sink that writes in two phases, in tasks that fail or open late: a record may come twice, and none is lost. */
@Tag("one-jdk")
@Timeout(900)
@Tag("integration")
final class TroubledSinksTest {
    @TempDir
    private Path folder;

    private final ByteArrayOutputStream console = new ByteArrayOutputStream();

    private List<String> run(TroubledSink<String> sink) throws Exception {
        TestSource<String> source = TestSource.of(Type.of(String.class), 2);
        Topology topology = Topology.named("troubled");
        topology.from(source).shuffle().to(sink);
        RunSettings settings = RunSettings.defaults()
                .withParallelism(2)
                .withGuarantee(
                        Guarantee.AT_LEAST_ONCE,
                        CheckpointSettings.in(folder.resolve("checkpoints-" + sink.hashCode()))
                                .every(Duration.ofMillis(50)))
                .withRestart(Restart.fixed(5, Duration.ZERO))
                .withConsole(new PrintStream(console, true, StandardCharsets.UTF_8));
        StormJob job = StormRunner.local(settings, 2).start(topology.graph());
        List<String> records = sink.feed(source, 2, job);
        assertThat(job.await().state()).isEqualTo(JobState.FINISHED);
        return records;
    }

    private static void check(List<String> found, List<String> expected) {
        assertThat(Lines.surplus(expected, found)).as("missing").isEmpty();
        assertThat(expected).as("all that there may be").containsAll(found);
    }

    @Test
    void shouldHoldEachRecordInParts_ifATaskFailed() throws Exception {
        checkFailing("parts/");
    }

    /** It takes most of a minute to start the job again. */
    @ParameterizedTest
    @ValueSource(strings = {"out.txt", "out.txt.gz"})
    @Tag("long")
    void shouldHoldEachRecordInAFile_ifATaskFailed(String output) throws Exception {
        checkFailing(output);
    }

    private void checkFailing(String output) throws Exception {
        List<String> expected = run(TroubledSink.failing(TextLines.write(folder + "/" + output), 0));
        check(Lines.in(folder.resolve(output)), expected);
    }

    @Test
    void shouldHoldEachRecord_ifATaskOpensLate() throws Exception {
        List<String> expected = run(TroubledSink.late(TextLines.write(folder + "/parts/"), 1));
        check(Lines.in(folder.resolve("parts")), expected);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("long")
    void shouldLoseNoMessage_ifATaskFailed(TroubledSink.Moment moment) throws Exception {
        TestBroker broker = TestBroker.shared();
        String topic = broker.topic(2);
        List<String> expected =
                run(TroubledSink.failing(Kafka.write(broker.address(), topic, Encoder.text()), 1, moment));
        check(broker.values(topic), expected);
    }

    @Test
    @Tag("long")
    void shouldCollectEachRecord_ifATaskFailed() throws Exception {
        CollectSink<String> collected = CollectSink.of(String.class);
        List<String> expected = run(TroubledSink.failing(collected, 1));
        check(collected.records(), expected);
    }

    @Test
    @Tag("long")
    void shouldPrintEachRow_ifTheTaskFailed() throws Exception {
        List<String> expected =
                run(TroubledSink.failing(new TableSink<String>("rows", String::compareTo, 1_000_000), 0));
        check(
                console.toString(StandardCharsets.UTF_8)
                        .lines()
                        .skip(2)
                        .map(String::strip)
                        .toList(),
                expected);
    }
}
