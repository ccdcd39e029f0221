// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.tune;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.doctor.tune.Choice;
import io.thalweg.doctor.tune.Choices;
import io.thalweg.doctor.tune.Measured;
import io.thalweg.doctor.tune.Output;
import io.thalweg.doctor.tune.Setting;
import io.thalweg.run.AckSettings;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.run.RunnerInfo;
import io.thalweg.run.StateLimit;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One run of a job, in this JVM. */
@Isolated("a trial replaces System.out")
final class TrialTest {
    private static final RunnerInfo FLINK = new RunnerInfo(
            "flink",
            "",
            "",
            List.of(new RunnerInfo.Option("--flink-conf", "KEY=VALUE", "")),
            List.of(),
            List.of(),
            List.of("buffer-timeout", "parallelism"));

    @TempDir
    Path folder;

    private final PrintStream out = System.out;

    @AfterEach
    void giveBackStandardOutput() {
        System.setOut(out);
    }

    private Measured run(boolean watched, List<String> set, Choice... choices) throws Exception {
        return run(0, watched, set, choices);
    }

    private Measured run(double rate, boolean watched, List<String> set, Choice... choices) throws Exception {
        return run(Promises.of(RunSettings.defaults()), null, rate, watched, set, choices);
    }

    private Measured run(
            Promises promises,
            @Nullable Path checkpoints,
            double rate,
            boolean watched,
            List<String> set,
            Choice... choices)
            throws Exception {
        Path job = folder.resolve("Job.java");
        if (!Files.exists(job)) {
            Files.writeString(job, """
                    import io.thalweg.api.connector.*;
                    import io.thalweg.api.topology.*;
                    import io.thalweg.files.TextLines;

                    public class Job implements TopologyDefinition {
                        @Override
                        public void define(Topology topology, Settings settings) {
                            long add = settings.number("add", 0);
                            Stream<Long> sums = topology.from(Sources.generate(3_000, i -> i).splitInto(2))
                                    .map(i -> i % 100 + add).name("part").parallelism(1).isolate()
                                    .peek(i -> { if (i == 7) { System.out.println("seven"); } });
                            sums.shuffle().map(i -> "line " + i).name("line").to(TextLines.write("out.txt"));
                            sums.filter(i -> i < 10).to(Sinks.<Long>print());
                        }
                    }
                    """);
        }
        return TrialMain.run(new TrialOrder(
                job.toString(),
                null,
                set,
                Runner.EMBEDDED,
                List.of(),
                promises,
                checkpoints == null ? null : checkpoints.toString(),
                List.of(choices),
                watched,
                rate,
                null,
                folder.resolve("r.json").toString()));
    }

    @Test
    void shouldPutOutTheSameWithAnySettingsAndOpenNoSink() throws Exception {
        Measured plain = run(false, List.of());
        Measured tuned = run(
                false,
                List.of(),
                Choice.of("part", Setting.TASKS, 3),
                Choice.of("part", Setting.ISOLATE, false),
                Choice.of("line", Setting.SHUFFLE, false),
                Choice.of(Setting.THREADS, 3),
                Choice.of(Setting.BATCH, 7),
                Choice.of(Setting.QUEUE, 2),
                Choice.of(Setting.IDLE, "park"));

        assertThat(plain.failure()).isNull();
        assertThat(tuned.outputs()).isEqualTo(plain.outputs());
        assertThat(plain.outputs().stream().map(Output::records)).containsExactly(3_000L, 300L, 30L, 0L, 0L);
        assertThat(folder.resolve("out.txt")).doesNotExist();
        assertThat(Path.of("out.txt")).doesNotExist();
    }

    @ParameterizedTest
    @EnumSource(
            value = Guarantee.class,
            names = {"ACKED", "AT_LEAST_ONCE", "EXACTLY_ONCE"})
    void shouldKeepTheGuaranteeAndPutOutTheSame(Guarantee guarantee) throws Exception {
        Path own = folder.resolve("own");
        RunSettings given = RunSettings.defaults()
                .withGuarantee(
                        guarantee,
                        CheckpointSettings.in(folder.resolve("given")).every(Duration.ofMillis(100)))
                .withStateLimit(StateLimit.bytes(10_000_000));
        Promises promises = Promises.of(given);

        Measured kept = run(
                promises,
                own,
                0,
                false,
                List.of(),
                Choice.of(Setting.CHECKPOINT_INTERVAL, "20ms"),
                Choice.of(Setting.MAX_PENDING, 500));

        assertThat(kept.failure()).isNull();
        assertThat(kept.outputs()).isEqualTo(run(false, List.of()).outputs());
        try (var files = Files.newDirectoryStream(own, "checkpoint-*")) {
            assertThat(files).isNotEmpty();
        }
        assertThat(folder.resolve("given")).doesNotExist();
        assertThat(promises.settings(own).guarantee()).isEqualTo(guarantee);
        assertThat(promises.settings(own).stateLimit()).isEqualTo(given.stateLimit());
    }

    @Test
    void shouldBeginWithWhatWasPromisedAndChangeOnlyWhatIsTried() {
        RunSettings given = RunSettings.defaults()
                .withAcks(
                        new AckSettings(77, Duration.ofSeconds(7)),
                        CheckpointSettings.in(folder)
                                .every(Duration.ofSeconds(3))
                                .withTimeout(Duration.ofSeconds(5)));

        RunSettings tried = Tuned.settings(
                Promises.of(given).settings(folder),
                new Choices(List.of(Choice.of(Setting.MAX_PENDING, 88), Choice.of(Setting.CHECKPOINT_INTERVAL, "4s"))));

        assertThat(tried.guarantee()).isEqualTo(Guarantee.ACKED);
        assertThat(tried.acks()).isEqualTo(new AckSettings(88, Duration.ofSeconds(7)));
        assertThat(tried.checkpoints())
                .isEqualTo(CheckpointSettings.in(folder)
                        .every(Duration.ofSeconds(4))
                        .withTimeout(Duration.ofSeconds(5)));
    }

    @Test
    void shouldReadAtARateAndPutOutTheSame() throws Exception {
        Measured paced = run(6_000, false, List.of());

        assertThat(paced.outputs()).isEqualTo(run(false, List.of()).outputs());
        assertThat(paced.seconds()).isGreaterThan(0.45);
        assertThat(paced.latency().samples()).isPositive();
        assertThat(paced.latency().p99Us()).isPositive();
    }

    @Test
    void shouldTellOtherContentsApart() throws Exception {
        List<Output> plain = run(false, List.of()).outputs();
        List<Output> other = run(false, List.of("add=200")).outputs();

        assertThat(other.get(0).records()).isEqualTo(plain.get(0).records());
        assertThat(other.get(0).digest()).isNotEqualTo(plain.get(0).digest());
    }

    @Test
    void shouldBeWatchedByTheDoctorIfAsked() throws Exception {
        Measured watched = run(true, List.of());

        assertThat(watched.records()).isEqualTo(3_000);
        assertThat(watched.outputs()).isEqualTo(run(false, List.of()).outputs());
        if (watched.observation() != null) { // a run of less than a tenth of a second has none
            assertThat(Objects.requireNonNull(watched.observation()).plan().topology())
                    .isEqualTo("Job");
        }
    }

    @Test
    void shouldMakeOptionsOfARoadOfSettingsOfItsEngineBehindWhichAreThoseThatWereGiven() {
        Map<String, List<String>> given = Map.of("--flink-conf", List.of("a=1"));
        Choices choices = new Choices(List.of(
                Choice.of(Setting.BUFFER_TIMEOUT, "1s"),
                Choice.of(Setting.PARALLELISM, 3),
                Choice.of("part", Setting.TASKS, 2)));

        assertThat(Tuned.options(FLINK, given, choices))
                .isEqualTo(Map.of("--flink-conf", List.of("execution.buffer-timeout.interval=1s", "a=1")));
        assertThat(Tuned.options(FLINK, given, Choices.NONE)).isEqualTo(given);
    }

    @Test
    void shouldNotTryWhatAnOptionSays() {
        TrialRoad road = new TrialRoad(
                FLINK, null, Map.of("--flink-conf", List.of("execution.buffer-timeout.interval=5ms")), List.of());

        assertThat(road.given(new Choices(List.of(Choice.of(Setting.BUFFER_TIMEOUT, "1s")))))
                .isEqualTo("--flink-conf execution.buffer-timeout.interval was given");
        assertThat(road.given(
                        new Choices(List.of(Choice.of(Setting.BUFFER_SIZE, "64k"), Choice.of(Setting.PARALLELISM, 3)))))
                .isNull();
    }

    @Test
    void shouldReplaceOptionsOfTheMachine() {
        List<String> given = List.of("-Xmx1g", "-XX:+UseSerialGC", "-Dx=y");

        assertThat(Tuned.javaOptions(
                        given,
                        new Choices(List.of(Choice.of(Setting.HEAP, "2g"), Choice.of(Setting.COLLECTOR, "parallel")))))
                .containsExactly("-Dx=y", "-Xmx2g", "-XX:+UseParallelGC");
        assertThat(Tuned.javaOptions(given, Choices.NONE)).isEqualTo(given);
    }
}
