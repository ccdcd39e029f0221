// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.api.topology.Topology;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.run.RunningJob;
import io.thalweg.testkit.LiveTestSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What sources and sinks have to say reaches the user who runs the job, on any runner within this JVM. */
@Timeout(900)
public abstract class WarningRulesContract {
    /** What begins each line of the test, behind the place that it is of. */
    private static final String OWN = ": I am ";

    private final List<String> warnings = new CopyOnWriteArrayList<>();

    /** A runner with these settings. */
    protected abstract Runner runner(RunSettings settings);

    /** Of one record. Tells a line as it is opened, and one by a thread of its own. */
    private record Telling() implements Source<Long> {
        @Override
        public String name() {
            return "telling";
        }

        @Override
        public Type<Long> type() {
            return Type.of(Long.class);
        }

        @Override
        public List<String> splits(int parallelism) {
            return List.of("one");
        }

        @Override
        public SplitReader<Long> open(String split, SourceContext context) {
            context.warn("I am opened");
            return new Reader(context);
        }
    }

    private static final class Reader implements SplitReader<Long> {
        private final SourceContext context;
        private boolean read;

        Reader(SourceContext context) {
            this.context = context;
        }

        @Override
        public @Nullable Long poll() throws InterruptedException {
            if (read) {
                return null;
            }
            Thread other = new Thread(() -> context.warn("I am waiting"));
            other.start();
            other.join();
            read = true;
            return 1L;
        }

        @Override
        public boolean finished() {
            return read;
        }

        @Override
        public long position() {
            return read ? 1 : 0;
        }

        @Override
        public void seek(long position) {
            read = position > 0;
        }
    }

    /** Tells a line as it is opened, and one of each record. */
    private record Complaining(boolean fails) implements Sink<Long> {
        @Override
        public String name() {
            return "complaining";
        }

        @Override
        public SinkWriter<Long> open(SinkContext context) {
            context.reports().warn("I am opened");
            return record -> {
                context.reports().warn("I am writing");
                if (fails) {
                    throw new IllegalStateException("no more");
                }
            };
        }
    }

    private void run(boolean fails) throws InterruptedException {
        Topology topology = Topology.named("telling");
        topology.from(new Telling())
                .name("numbers")
                .shuffle()
                .map(number -> number)
                .to(new Complaining(fails))
                .name("out");
        runner(RunSettings.defaults().withParallelism(1).withWarnings(warnings::add))
                .start(topology.graph())
                .await();
    }

    @Test
    void shouldTellTheUserEachLine_ofSourcesAndSinks() throws Exception {
        run(false);

        assertThat(warnings)
                .filteredOn(line -> line.contains(OWN))
                .satisfiesExactlyInAnyOrder(
                        line -> assertThat(line).contains("numbers").endsWith(OWN + "opened"),
                        line -> assertThat(line).contains("numbers").endsWith(OWN + "waiting"),
                        line -> assertThat(line).contains("'out'").endsWith(OWN + "opened"),
                        line -> assertThat(line).contains("'out'").endsWith(OWN + "writing"));
    }

    /** Such as that a file may have been cut off. Each task reads the table, and one tells. */
    @Test
    void shouldTellWhatTheSourceOfATableSays() throws Exception {
        Topology topology = Topology.named("table");
        topology.from(Sources.of(1L, 2L))
                .shuffle()
                .join(new Telling(), row -> row, number -> number, (number, row) -> number)
                .name("joined")
                .to(Sinks.discard());
        runner(RunSettings.defaults().withParallelism(2).withWarnings(warnings::add))
                .start(topology.graph())
                .await();

        assertThat(warnings)
                .filteredOn(line -> line.contains(OWN))
                .containsExactly("operator 'joined'" + OWN + "opened", "operator 'joined'" + OWN + "waiting");
    }

    /** What the others have said in their last moments may be lost. */
    @Test
    void shouldTellWhatATaskHadSaid_thatFails() {
        assertThatThrownBy(() -> run(true))
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("no more");

        assertThat(warnings)
                .filteredOn(line -> line.contains(OWN) && line.contains("'out'"))
                .satisfiesExactlyInAnyOrder(
                        line -> assertThat(line).endsWith(OWN + "opened"),
                        line -> assertThat(line).endsWith(OWN + "writing"));
    }

    /** As where a broker is away for a while. */
    @Test
    void shouldTellThatNewSplitsCannotBeLookedFor() throws Exception {
        LiveTestSource<Long> growing = LiveTestSource.of(Long.class)
                .discoverEvery(Duration.ofMillis(5))
                .add("a", 1L);
        Topology topology = Topology.named("live");
        topology.from(growing).name("numbers").to(Sinks.discard());
        RunningJob job = runner(RunSettings.defaults().withParallelism(1).withWarnings(warnings::add))
                .start(topology.graph());
        while (growing.fetched("a") == 0) {
            assertThat(job.await(Duration.ofMillis(20))).isFalse();
        }
        growing.failToList("nobody answers");
        while (warnings.stream().noneMatch(line -> line.contains("new splits"))) {
            assertThat(job.await(Duration.ofMillis(20))).isFalse();
        }
        job.cancel();
        job.await();

        assertThat(warnings)
                .filteredOn(line -> line.contains("new splits"))
                .singleElement()
                .asString()
                .contains("numbers")
                .endsWith(": cannot look for new splits of source live test: nobody answers; it continues with those"
                        + " that it knows");
    }
}
