// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.tune;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.topology.Topology;
import io.thalweg.cli.tune.StretchRecorder.Recorded;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.LiveTestSource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** What is recorded of live sources, and read again. */
final class StretchTest {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final ConcurrentLinkedQueue<String> SEEN = new ConcurrentLinkedQueue<>();

    private static List<String> seen() {
        List<String> now = SEEN.stream().sorted().toList();
        SEEN.clear();
        return now;
    }

    @Test
    void shouldReplaySplitsInTheirOrder_againAndAgain_andReadOtherSourcesAsBefore() throws Exception {
        LiveTestSource<String> live = LiveTestSource.of(String.class)
                .add("one", "a1", "a2", "a3", "a4")
                .add("two", "b1")
                .add("none")
                .discoverEvery(Duration.ofMillis(1));
        Topology topology = Topology.named("both");
        topology.from(live).name("live").peek(SEEN::add).to(Sinks.discard());
        topology.from(Sources.of("x", "y")).name("known").peek(SEEN::add).to(Sinks.discard());
        TopologyGraph graph = topology.graph();
        try (StretchRecorder recorder = new StretchRecorder(graph, source -> source.endless(), 5, 1_000_000)) {
            Recorded recorded = recorder.record(LONG, line -> {});

            assertThat(recorded.records()).isEqualTo(Map.of("live", 5L));
            assertThat(recorded.full()).isFalse();
            assertThat(seen()).as("only sources run").isEmpty();
            if (Files.getFileStore(recorder.folder()).supportsFileAttributeView("posix")) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(recorder.folder())))
                        .isEqualTo("rwx------");
            }
            Stretch stretch = Stretch.read(recorder.folder());
            assertThat(stretch.splits())
                    .extracting(Stretch.Split::split)
                    .containsExactlyInAnyOrder("one", "two", "none");
            TopologyGraph replayed = stretch.replay(graph, recorder.folder());
            for (int run = 0; run < 2; run++) {
                new EmbeddedRunner(RunSettings.defaults()).start(replayed).await();
                assertThat(seen()).containsExactly("a1", "a2", "a3", "a4", "b1", "x", "y");
            }
            ReplayedSource source =
                    (ReplayedSource) replayed.nodes().get(0).spec().source();
            assertThat(source.replayable()).isTrue();
            var first = source.open("one", null);
            assertThat(first.poll()).isEqualTo("a1");
            var second = source.open("one", null);
            second.seek(first.position());
            assertThat(second.poll()).isEqualTo("a2");
            first.close();
            second.close();
        }
    }

    @Test
    void shouldKeepNoMoreThanTheLimit_andDeleteAll() throws Exception {
        LiveTestSource<String> live = LiveTestSource.of(String.class).add("one", "12345678", "12345678", "12345678");
        Topology topology = Topology.named("limit");
        topology.from(live).name("live").to(Sinks.discard());
        Path folder;
        try (StretchRecorder recorder = new StretchRecorder(topology.graph(), source -> true, 1_000, 30)) {
            Recorded recorded = recorder.record(LONG, line -> {});

            folder = recorder.folder();
            assertThat(recorded.full()).isTrue();
            assertThat(recorded.bytes()).isPositive().isLessThanOrEqualTo(30);
            assertThat(recorded.total()).isBetween(1L, 2L);
        }
        assertThat(folder).doesNotExist();
    }

    @Test
    void shouldEndWithASourceThatEnds_andWhenItIsStopped() throws Exception {
        LiveTestSource<String> ends =
                LiveTestSource.of(String.class).add("one", "a").end();
        Topology topology = Topology.named("ends");
        topology.from(ends).name("live").to(Sinks.discard());
        try (StretchRecorder recorder = new StretchRecorder(topology.graph(), source -> true, 1_000, 1_000)) {
            assertThat(recorder.record(LONG, line -> {}).total()).isEqualTo(1);
        }
        Topology silent = Topology.named("silent");
        silent.from(LiveTestSource.of(String.class).add("one")).to(Sinks.discard());
        try (StretchRecorder recorder = new StretchRecorder(silent.graph(), source -> true, 1_000, 1_000)) {
            recorder.stop();
            assertThat(recorder.record(LONG, line -> {}).total()).isZero();
            assertThat(recorder.isStopped()).isTrue();
        }
    }
}
