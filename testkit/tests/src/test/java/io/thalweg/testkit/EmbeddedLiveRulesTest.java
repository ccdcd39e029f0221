// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.topology.Topology;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.Job;
import io.thalweg.run.AckSettings;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.testkit.contract.LiveRulesContract;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Live sources on the embedded engine, which alone can be killed and told of acks. */
final class EmbeddedLiveRulesTest extends LiveRulesContract {
    private static final Queue<Object> SEEN = new ConcurrentLinkedQueue<>();

    @TempDir
    private Path folder;

    private static RunSettings settings() {
        return RunSettings.defaults().withParallelism(PARALLELISM).withThreads(2);
    }

    @Override
    protected Runner runner() {
        return new EmbeddedRunner(settings());
    }

    @Override
    protected Runner checkpointing() {
        return embedded();
    }

    private EmbeddedRunner embedded() {
        return new EmbeddedRunner(settings()
                .withGuarantee(
                        Guarantee.EXACTLY_ONCE,
                        CheckpointSettings.in(folder)
                                .every(Duration.ofMillis(100))
                                .restoringLatest()));
    }

    @Test
    void shouldGoOnFromItsPositions_andFindWhatAppearedMeanwhile() throws Exception {
        LiveTestSource<Long> source = LiveTestSource.of(Long.class).discoverEvery(Duration.ofMillis(5));
        source.add("a", 1L, 2L, 3L).add("b");
        Topology topology = Topology.named("resumed");
        topology.from(source).name("numbers").to(Sinks.each(SEEN::add)).name("all");
        Job killed = embedded().start(topology.graph());
        source.awaitConfirmed("a", 3);
        source.add("c", 10L, 11L);
        source.awaitConfirmed("c", 2);
        killed.kill();
        assertThat(killed.await(Duration.ofMinutes(5))).isTrue();

        source.add("a", 4L).add("b", 20L).add("c", 12L).add("d", 30L);
        SEEN.clear();
        Job next = embedded().start(topology.graph());
        for (String split : List.of("b", "d")) {
            source.awaitConfirmed(split, 1);
        }
        source.awaitConfirmed("a", 4);
        source.awaitConfirmed("c", 3);
        next.cancel();

        assertThat(next.await().state()).isEqualTo(JobState.CANCELLED);
        assertThat(next.stats().recordsIn()).isEqualTo(4);
        assertThat(SEEN).containsExactlyInAnyOrder(4L, 20L, 12L, 30L);
        assertThat(List.of(source.given("a"), source.given("b"), source.given("c"), source.given("d")))
                .isEqualTo(List.of(
                        List.of("add", "addAt 3"),
                        List.of("add", "addAt 0"),
                        List.of("addFound", "addAt 2"),
                        List.of("addFound")));
    }

    @Test
    void shouldReadWhatAppearedMeanwhile_fromItsBeginning_alsoIfThereHadBeenNothing() throws Exception {
        LiveTestSource<Long> source = LiveTestSource.of(Long.class).discoverEvery(Duration.ofMillis(5));
        Topology topology = Topology.named("nothing yet");
        topology.from(source).name("numbers").to(Sinks.each(SEEN::add)).name("all");
        Job first = embedded().start(topology.graph());
        first.cancel();
        assertThat(first.await().state()).isEqualTo(JobState.CANCELLED);

        source.add("a", 1L, 2L);
        SEEN.clear();
        Job next = embedded().start(topology.graph());
        source.awaitConfirmed("a", 2);
        next.cancel();

        assertThat(next.await().state()).isEqualTo(JobState.CANCELLED);
        assertThat(SEEN).containsExactlyInAnyOrder(1L, 2L);
        assertThat(source.given("a")).containsExactly("addFound");
    }

    /** A record that is sent again after a restart is read again from the position before it. */
    @Test
    void shouldSayWhereASplitBegins_beforeItsFirstRecord() throws Exception {
        LiveTestSource<Long> source = LiveTestSource.of(Long.class);
        source.add("a", 1L);
        SplitReader<Long> reader = source.open("a", new SourceContext() {
            @Override
            public void bad(BadRecord record) {
                throw new IllegalStateException("it is good");
            }

            @Override
            public long nowNs() {
                return 0;
            }
        });
        long before;
        do {
            before = reader.position();
        } while (reader.poll() == null);
        reader.close();
        assertThat(before).isZero();
    }

    /** Without checkpoints, of sinks that let records go at once: what is confirmed is done. */
    @Test
    void shouldConfirmWhatIsAcked() throws Exception {
        LiveTestSource<Long> source = LiveTestSource.of(Long.class);
        source.add("a", 1L, 2L, 3L).add("b", 4L);
        Topology topology = Topology.named("acked");
        topology.from(source).shuffle().to(Sinks.discard());
        Job job = new EmbeddedRunner(settings().withAcks(AckSettings.defaults(), null)).start(topology.graph());

        source.awaitConfirmed("a", 3);
        source.awaitConfirmed("b", 1);
        source.end();

        assertThat(job.await().state()).isEqualTo(JobState.FINISHED);
    }
}
