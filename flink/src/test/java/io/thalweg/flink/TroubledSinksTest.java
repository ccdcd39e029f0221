// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Encoder;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.TableSink;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.files.TextLines;
import io.thalweg.jdbc.TestTable;
import io.thalweg.kafka.Kafka;
import io.thalweg.kafka.KafkaSink;
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
import java.util.TreeSet;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every sink that writes in two phases, in tasks that fail, open late, or are started again while others live on. */
@Timeout(900)
@Tag("integration")
final class TroubledSinksTest {
    private static final LocalFlink FLINK = LocalFlink.shared();

    @TempDir
    private Path folder;

    private final ByteArrayOutputStream console = new ByteArrayOutputStream();

    private RunSettings settings(Guarantee guarantee) {
        return RunSettings.defaults()
                .withParallelism(2)
                .withGuarantee(
                        guarantee,
                        CheckpointSettings.in(folder.resolve("checkpoints")).every(Duration.ofMillis(50)))
                .withRestart(Restart.fixed(5, Duration.ofMillis(10)))
                .withConsole(new PrintStream(console, true, StandardCharsets.UTF_8));
    }

    /** Without a grouping, so that each pair of source and sink is a region that Flink restarts by itself. */
    private List<String> run(TroubledSink<String> sink) throws Exception {
        return run(sink, Guarantee.EXACTLY_ONCE);
    }

    private List<String> run(TroubledSink<String> sink, Guarantee guarantee) throws Exception {
        return run(sink, guarantee, texts -> texts);
    }

    private <T> List<String> run(TroubledSink<T> sink, Guarantee guarantee, Function<Stream<String>, Stream<T>> step)
            throws Exception {
        TestSource<String> source = TestSource.of(Type.of(String.class), 2);
        Topology topology = Topology.named("troubled");
        step.apply(topology.from(source)).to(sink);
        FlinkRunningJob job = FLINK.runner(settings(guarantee)).start(topology.graph());
        List<String> records = sink.feed(source, 2, job);
        assertThat(job.await().state()).isEqualTo(JobState.FINISHED);
        return records;
    }

    private static void check(List<String> found, List<String> expected) {
        assertThat(Lines.surplus(expected, found)).as("missing").isEmpty();
        assertThat(Lines.surplus(found, expected)).as("twice").isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"parts/", "out.txt", "out.txt.gz"})
    void shouldHoldEachRecordOnce_ifATaskFailed(String output) throws Exception {
        int task = output.endsWith("/") ? 1 : 0;
        for (int failing = 0; failing <= task; failing++) {
            String path = folder.resolve(failing + output).toString() + (output.endsWith("/") ? "/" : "");
            TroubledSink<String> sink = TroubledSink.failing(TextLines.write(path), failing);
            List<String> expected = run(sink);
            check(Lines.in(Path.of(path)), expected);
        }
    }

    private List<String> rows(TroubledSink<TestTable.Row> sink, Guarantee guarantee) throws Exception {
        return run(sink, guarantee, texts -> texts.map(TestTable.Row::new));
    }

    private static KafkaSink<String> topic(TestBroker broker, String topic) {
        return Kafka.write(broker.address(), topic, Encoder.text())
                .transactionalIdPrefix(topic)
                .set("retry.backoff.ms", "10");
    }

    @ParameterizedTest
    @EnumSource
    void shouldShowEachMessageOnce_ifATaskFailed(TroubledSink.Moment moment) throws Exception {
        TestBroker broker = TestBroker.shared();
        String topic = broker.topic(2);
        List<String> expected = run(TroubledSink.failing(topic(broker, topic), 1, moment));
        check(broker.values(topic), expected);
    }

    @ParameterizedTest
    @EnumSource
    void shouldLoseNoMessage_ifATaskFailed_whereEachMayComeTwice(TroubledSink.Moment moment) throws Exception {
        TestBroker broker = TestBroker.shared();
        String topic = broker.topic(2);
        List<String> expected = run(TroubledSink.failing(topic(broker, topic), 1, moment), Guarantee.AT_LEAST_ONCE);
        assertThat(new TreeSet<>(broker.values(topic))).isEqualTo(new TreeSet<>(expected));
    }

    @ParameterizedTest
    @EnumSource
    void shouldShowEachRowOnce_ifATaskFailed(TroubledSink.Moment moment) throws Exception {
        TestTable table = TestTable.in(folder);
        List<String> expected = rows(TroubledSink.failing(table.sink(), 1, moment), Guarantee.EXACTLY_ONCE);
        check(table.rows(), expected);
    }

    @ParameterizedTest
    @EnumSource
    void shouldLoseNoRow_ifATaskFailed_whereEachMayComeTwice(TroubledSink.Moment moment) throws Exception {
        TestTable table = TestTable.in(folder);
        List<String> expected = rows(TroubledSink.failing(table.sink(), 1, moment), Guarantee.AT_LEAST_ONCE);
        assertThat(new TreeSet<>(table.rows())).isEqualTo(new TreeSet<>(expected));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldHoldEachRecordOnce_ifATaskOpensLate(int late) throws Exception {
        TroubledSink<String> sink = TroubledSink.late(TextLines.write(folder + "/parts/"), late);
        List<String> expected = run(sink);
        check(Lines.in(folder.resolve("parts")), expected);
    }

    @Test
    void shouldCollectEachRecordOnce_ifATaskFailedOrOpensLate() throws Exception {
        for (int task = 0; task < 2; task++) {
            for (boolean late : new boolean[] {false, true}) {
                CollectSink<String> collected = CollectSink.of(String.class);
                List<String> expected =
                        run(late ? TroubledSink.late(collected, task) : TroubledSink.failing(collected, task));
                check(collected.records(), expected);
            }
        }
    }

    @Test
    void shouldPrintEachRowOnce_ifTheTaskFailed() throws Exception {
        List<String> expected =
                run(TroubledSink.failing(new TableSink<String>("rows", String::compareTo, 1_000_000), 0));
        List<String> rows = console.toString(StandardCharsets.UTF_8)
                .lines()
                .skip(2)
                .map(String::strip)
                .toList();
        check(rows, expected);
    }
}
