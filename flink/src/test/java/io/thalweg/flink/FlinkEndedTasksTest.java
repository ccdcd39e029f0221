// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.operator.Operator;
import io.thalweg.api.operator.OperatorContext;
import io.thalweg.api.operator.Output;
import io.thalweg.api.stats.CheckpointStats;
import io.thalweg.api.topology.Topology;
import io.thalweg.files.TextLines;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.CollectSink;
import io.thalweg.testkit.TestSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A checkpoint before which some tasks had ended: Flink keeps no state of them, and begins them again. */
@Timeout(900)
@Tag("integration")
final class FlinkEndedTasksTest {
    private static final LocalFlink FLINK = LocalFlink.shared();

    @TempDir
    private Path folder;

    private final TestSource<Long> source = TestSource.of(Type.of(Long.class), 2);

    private FlinkRunningJob start(Topology topology, boolean restored) {
        CheckpointSettings checkpoints =
                CheckpointSettings.in(folder.resolve("checkpoints")).every(Duration.ofMillis(50));
        RunSettings settings = RunSettings.defaults()
                .withParallelism(2)
                .withGuarantee(Guarantee.EXACTLY_ONCE, restored ? checkpoints.restoringLatest() : checkpoints);
        return FLINK.runner(settings).start(topology.graph());
    }

    private static void awaitCheckpoints(FlinkRunningJob job, int more) throws InterruptedException {
        CheckpointStats last = job.lastCheckpoint();
        long from = last == null ? 0 : last.number();
        while (last == null || last.number() < from + more) {
            assertThat(job.await(Duration.ofMillis(20))).isFalse();
            last = job.lastCheckpoint();
        }
    }

    private List<String> written() throws IOException {
        List<String> lines = new ArrayList<>();
        try (Stream<Path> parts = Files.list(folder.resolve("out"))) {
            for (Path part : parts.filter(each -> each.getFileName().toString().startsWith("part-"))
                    .toList()) {
                lines.addAll(Files.readAllLines(part));
            }
        }
        return lines;
    }

    @Test
    void shouldKeepWhatASinkHadWritten_whoseTaskHadEnded() throws Exception {
        Files.createDirectory(folder.resolve("out"));
        source.addTo(0, List.of(1L, 2L, 3L)).end(0).addTo(1, List.of(4L));
        Topology topology = Topology.named("ended");
        topology.from(source)
                .name("numbers")
                .map(n -> "line " + n)
                .as(String.class)
                .to(TextLines.write(folder + "/out/"))
                .name("lines");
        FlinkRunningJob job = start(topology, false);
        while (written().size() < 4) {
            assertThat(job.await(Duration.ofMillis(20))).isFalse();
        }
        awaitCheckpoints(job, 3);
        job.cancel();
        job.await();
        source.addTo(1, List.of(5L)).end(1);
        start(topology, true).await();

        assertThat(written()).containsExactlyInAnyOrder("line 1", "line 2", "line 3", "line 4", "line 5");
    }

    /** Tells at its end how many records came. */
    private static final class Counting implements Operator<Long, String> {
        private @Nullable OperatorContext context;
        private long count;

        @Override
        public void open(OperatorContext opened) {
            context = opened;
        }

        @Override
        public void process(Long value, Output<String> output) {
            count++;
        }

        @Override
        public void finish(Output<String> output) {
            output.emit((context == null ? "" : context.task() + ": ") + count);
        }
    }

    @Test
    void shouldNotFinishAnOperatorAgain_whoseTaskHadEnded() throws Exception {
        source.addTo(0, List.of(1L, 2L, 3L)).end(0);
        CollectSink<String> ends = CollectSink.of(String.class);
        Topology topology = Topology.named("ended");
        topology.from(source)
                .name("numbers")
                .process(Counting::new)
                .name("counting")
                .as(String.class)
                .to(ends)
                .name("ends");
        FlinkRunningJob job = start(topology, false);
        while (ends.records().isEmpty()) {
            assertThat(job.await(Duration.ofMillis(20))).isFalse();
        }
        awaitCheckpoints(job, 3);
        job.cancel();
        job.await();
        source.addTo(1, List.of(5L)).end(1);
        start(topology, true).await();

        assertThat(ends.records()).containsExactly("0: 3", "1: 1");
    }
}
