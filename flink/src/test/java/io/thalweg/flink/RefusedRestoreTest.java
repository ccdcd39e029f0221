// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.operator.KeyedContext;
import io.thalweg.api.operator.KeyedOperator;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.ValueState;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.files.TextLines;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.Parts;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A job that is restored from an older savepoint and refused leaves its outputs, and so its newer checkpoints, as they are. */
@Timeout(900)
@Tag("integration")
final class RefusedRestoreTest {
    private static final LocalFlink FLINK = LocalFlink.shared();

    private static final List<String> SPLITS = List.of("one", "other");

    /** How many lines each split has, and whether they are all; on the class, because readers are copies. */
    private static final AtomicLong WRITTEN = new AtomicLong();

    private static final AtomicBoolean ENDED = new AtomicBoolean();

    /** What a checkpoint is to know of the lines. */
    private static final AtomicReference<String> CONTENTS = new AtomicReference<>();

    @TempDir
    Path folder;

    private static final class Lines implements Source<String> {
        private static final long serialVersionUID = 1L;

        @Override
        public String name() {
            return "lines";
        }

        @Override
        public Type<String> type() {
            return Type.of(String.class);
        }

        @Override
        public boolean replayable() {
            return true;
        }

        @Override
        public List<String> splits(int parallelism) {
            return SPLITS;
        }

        @Override
        public SplitReader<String> open(String split, SourceContext context) {
            return new Reader();
        }
    }

    private static final class Reader implements SplitReader<String> {
        private long read;

        @Override
        public @Nullable String poll() {
            return read < WRITTEN.get() ? "line " + read++ : null;
        }

        @Override
        public boolean finished() {
            return ENDED.get() && read == WRITTEN.get();
        }

        @Override
        public long position() {
            return read;
        }

        @Override
        public void seek(long position) {
            read = position;
        }

        @Override
        public byte[] fingerprint() {
            return CONTENTS.get().getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public @Nullable String changed(byte[] fingerprint) {
            String now = CONTENTS.get();
            return new String(fingerprint, StandardCharsets.UTF_8).equals(now) ? null : "it is " + now;
        }
    }

    private static final class Keeping implements KeyedOperator<Integer, String, String> {
        private final String name;
        private @Nullable ValueState<String> state;

        Keeping(String name) {
            this.name = name;
        }

        @Override
        public void open(KeyedContext context) {
            state = context.state(name, Type.of(String.class));
        }

        @Override
        public void process(Integer key, String value, Output<String> output) throws Exception {
            Objects.requireNonNull(state).set(value);
        }
    }

    /** @param state that a function declares */
    private TopologyGraph graph(String state) {
        Topology topology = Topology.named("job");
        Stream<String> lines = topology.from(new Lines()).name("lines");
        lines.keyBy(String::length)
                .process(() -> new Keeping(state))
                .as(String.class)
                .name("keep")
                .to(Sinks.discard())
                .name("kept");
        lines.to(TextLines.write(folder.resolve("near") + "/")).name("near");
        lines.shuffle().to(TextLines.write(folder.resolve("apart") + "/")).name("apart");
        return topology.graph();
    }

    private FlinkRunningJob start(TopologyGraph graph, int parallelism, CheckpointSettings checkpoints) {
        RunSettings settings = RunSettings.defaults()
                .withParallelism(parallelism)
                .withGuarantee(Guarantee.EXACTLY_ONCE, checkpoints.every(Duration.ofMillis(50)));
        return FLINK.runner(settings).start(graph);
    }

    private void write(FlinkRunningJob job, long more) throws Exception {
        long all = SPLITS.size() * WRITTEN.addAndGet(more);
        while (Parts.lines(folder, "near") < all || Parts.lines(folder, "apart") < all) {
            assertThat(job.await(Duration.ofMillis(20))).isFalse();
        }
    }

    /** In one task everything is chained: its sinks open before its operators, and those before its source. */
    @Test
    void shouldChangeNothing() throws Exception {
        WRITTEN.set(0);
        ENDED.set(false);
        CONTENTS.set("as it was");
        CheckpointSettings checkpoints = CheckpointSettings.in(folder.resolve("checkpoints"));
        FlinkRunningJob job = start(graph("before"), 1, checkpoints);
        write(job, 100);
        String taken = job.savepoint(folder.resolve("saved")).get();
        write(job, 100);
        write(job, 100);
        job.cancel();
        assertThat(job.await().state()).isEqualTo(JobState.CANCELLED);
        List<String> known = Parts.in(folder);
        CheckpointSettings saved = CheckpointSettings.in(folder.resolve("next")).restoringFrom(Path.of(taken));

        for (int parallelism : new int[] {1, 2}) {
            FlinkRunningJob changed = start(graph("after"), parallelism, saved);
            assertThatThrownBy(changed::await).hasMessageContaining("the operator does not declare it any more");
            assertThat(Parts.in(folder)).isEqualTo(known);

            CONTENTS.set("another");
            FlinkRunningJob ofOthers = start(graph("before"), parallelism, saved);
            assertThatThrownBy(ofOthers::await).hasMessageContaining("it is another");
            assertThat(Parts.in(folder)).isEqualTo(known);
            CONTENTS.set("as it was");
        }

        long all = SPLITS.size() * WRITTEN.addAndGet(100);
        ENDED.set(true);
        assertThat(start(graph("before"), 2, checkpoints.restoringLatest())
                        .await()
                        .state())
                .isEqualTo(JobState.FINISHED);
        assertThat(Parts.lines(folder, "near")).isEqualTo(all);
        assertThat(Parts.lines(folder, "apart")).isEqualTo(all);
    }
}
