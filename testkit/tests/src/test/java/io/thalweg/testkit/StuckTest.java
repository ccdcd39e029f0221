// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.topology.Topology;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.Job;
import io.thalweg.run.BadRecordListener;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.RunSettings;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Operators that do not give their thread back: checkpoints and Ctrl-C wait for them, and say so. */
@Timeout(600)
final class StuckTest {
    @TempDir
    Path folder;

    private final BlockingQueue<String> warnings = new LinkedBlockingQueue<>();
    private final Gate gate = new Gate();
    private final String id = Handles.register(gate);

    /** Where records wait until the test lets them pass. */
    private static final class Gate {
        final CountDownLatch reached = new CountDownLatch(1);
        final CountDownLatch open = new CountDownLatch(1);
        final AtomicLong passed = new AtomicLong();

        static void pass(String id) throws InterruptedException {
            Gate gate = Handles.find(id, Gate.class, "a gate");
            gate.reached.countDown();
            gate.open.await();
            gate.passed.incrementAndGet();
        }
    }

    private Topology topology(CollectSink<Long> sink) {
        String ofGate = id;
        Topology topology = Topology.named("stuck");
        topology.from(Sources.generate(2_000, n -> n))
                .shuffle()
                .peek(n -> {
                    if (n == 1_000) {
                        Gate.pass(ofGate);
                    }
                })
                .name("blocks")
                .blocking()
                .to(sink)
                .parallelism(1);
        return topology;
    }

    private RunSettings settings(CheckpointSettings checkpoints) {
        return RunSettings.defaults()
                .withParallelism(2)
                .withThreads(2)
                .withGuarantee(Guarantee.EXACTLY_ONCE, checkpoints)
                .withWarnings(warnings::add);
    }

    @Test
    void shouldDropWhatIsInFlightAndSayHowMuch_whereNothingIsPromised() throws Exception {
        String ofGate = id;
        Topology topology = Topology.named("slow");
        topology.from(Sources.generate(Long.MAX_VALUE, n -> n))
                .shuffle()
                .to(Sinks.each(n -> Gate.pass(ofGate)))
                .name("blocks")
                .blocking();
        RunSettings settings = RunSettings.defaults()
                .withParallelism(2)
                .withThreads(2)
                .withStopTimeout(Duration.ZERO)
                .withWarnings(warnings::add);
        Job job = new EmbeddedRunner(settings).start(topology.graph());
        while (job.stats().recordsIn() < 5_000) { // until the queues hold some
            job.await(Duration.ofMillis(5));
        }
        job.cancel();
        gate.open.countDown();
        JobStats stats = job.await();

        assertThat(stats.state()).isEqualTo(JobState.CANCELLED);
        assertThat(warnings).hasSize(1);
        String warning = warnings.take();
        Matcher told = Pattern.compile("topology 'slow': (\\d+) records in flight were dropped, before task 'blocks"
                        + ".*; --stop-timeout waits longer for them")
                .matcher(warning);
        assertThat(told.matches()).as(warning).isTrue();
        assertThat(gate.passed.get() + Long.parseLong(told.group(1))).isEqualTo(stats.recordsIn());
    }

    /** By {@link #NOW}; ten records are a second of work. */
    private static final AtomicLong NOW = new AtomicLong();

    private static final AtomicLong SLOW_RECORDS = new AtomicLong();

    /** A task that had no records for many turns knows nothing yet of how long they take. */
    @Test
    void shouldTakeOneRecordAtFirst_soThatItSoonHearsThatItIsToStop() throws Exception {
        NOW.set(0);
        SLOW_RECORDS.set(0);
        Topology topology = Topology.named("late");
        topology.from(Sources.generate(Long.MAX_VALUE, n -> n))
                .filter(n -> n >= 100_000)
                .isolate()
                .peek(n -> {
                    NOW.addAndGet(100_000_000);
                    SLOW_RECORDS.incrementAndGet();
                })
                .name("slow")
                .isolate()
                .to(Sinks.discard());
        Job job = new EmbeddedRunner(RunSettings.defaults()
                        .withParallelism(1)
                        .withThreads(0)
                        .withClock(NOW::get)
                        .withStopTimeout(Duration.ofSeconds(1))
                        .withWarnings(warnings::add))
                .start(topology.graph());
        while (SLOW_RECORDS.get() == 0) {
            job.step();
        }
        assertThat(SLOW_RECORDS).as("records of the first turn").hasValue(1);

        job.cancel();
        while (job.step()) {
            // to the end
        }
        job.await();
        assertThat(SLOW_RECORDS).as("records until a second was over").hasValueBetween(10, 12);
        assertThat(warnings).singleElement().asString().contains("records in flight were dropped");
    }

    @Test
    void shouldStopWithoutALastCheckpointThatTakesTooLong_andGoOnFromTheOneBefore() throws Exception {
        CheckpointSettings checkpoints = CheckpointSettings.in(folder).every(Duration.ofMillis(5));
        Job job = new EmbeddedRunner(settings(checkpoints).withStopTimeout(Duration.ofMillis(50)))
                .start(topology(CollectSink.of(Long.class)).graph());
        gate.reached.await();
        job.cancel();
        String warning = warnings.take();
        gate.open.countDown();
        JobStats stats = job.await();

        assertThat(warning)
                .startsWith(
                        "topology 'stuck': the last checkpoint is not complete 50 ms after the job was asked to stop; it stops");
        assertThat(stats.state()).isEqualTo(JobState.CANCELLED);
        assertThat(job.stoppedShort()).isTrue();
        CollectSink<Long> sink = CollectSink.of(Long.class);
        new EmbeddedRunner(settings(checkpoints.restoringLatest()))
                .start(topology(sink).graph())
                .await();
        assertThat(sink.records())
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.range(0, 2_000).boxed().toList());
    }

    /** On a busy machine a barrier may take that long to come to any task. */
    private String ofTheTaskThatBlocks() throws InterruptedException {
        String warning = warnings.take();
        while (!warning.contains("has not passed task 'blocks")) {
            assertThat(warning).contains(" is not complete after ");
            warning = warnings.take();
        }
        return warning;
    }

    @Test
    void shouldNameTheTaskThatHasNotBroughtTheBarrier_andGoOnWithTheNextCheckpoint() throws Exception {
        CollectSink<Long> sink = CollectSink.of(Long.class);
        CheckpointSettings checkpoints =
                CheckpointSettings.in(folder).every(Duration.ofMillis(5)).withTimeout(Duration.ofMillis(200));
        Job job = new EmbeddedRunner(settings(checkpoints)).start(topology(sink).graph());
        gate.reached.await();
        String first = ofTheTaskThatBlocks();
        String second = ofTheTaskThatBlocks();
        gate.open.countDown();
        job.await();

        assertThat(first)
                .matches("topology 'stuck': checkpoint \\d+ is not complete after \\d+ m?s: the barrier has not passed"
                        + " task 'blocks.*\\[\\d]'.*; it is given up, and the next one follows");
        assertThat(second).as("the next one began").isNotEqualTo(first).contains("is given up");
        assertThat(job.lastCheckpoint()).isNotNull();
        assertThat(folder.toFile().list((directory, name) -> name.startsWith(".checkpoint")))
                .isEmpty();
        assertThat(sink.records())
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.range(0, 2_000).boxed().toList());
    }

    /** What comes of a checkpoint before its file is forced to the disk waits, as for a disk that hangs. */
    private BadRecordListener hangingDisk() {
        return new BadRecordListener() {
            @Override
            public void bad(String topology, String operator, BadRecord record) {}

            @Override
            public void force() throws IOException {
                gate.reached.countDown();
                try {
                    gate.open.await();
                } catch (InterruptedException e) {
                    throw new InterruptedIOException();
                }
            }
        };
    }

    private String nextWarningWith(String part) throws InterruptedException {
        String warning = warnings.take();
        while (!warning.contains(part)) {
            warning = warnings.take();
        }
        return warning;
    }

    /** The thread that waited for the disk was the one that looked. */
    @Test
    void shouldSayThatTheDiskIsSlow_andStopAllTheSame() throws Exception {
        CheckpointSettings checkpoints =
                CheckpointSettings.in(folder).every(Duration.ofMillis(5)).withTimeout(Duration.ofMillis(200));
        Topology topology = Topology.named("stuck");
        topology.from(Sources.generate(Long.MAX_VALUE, n -> n)).to(Sinks.discard());
        Job job = new EmbeddedRunner(settings(checkpoints)
                        .withStopTimeout(Duration.ofMillis(50))
                        .withBadRecords(hangingDisk()))
                .start(topology.graph());
        gate.reached.await();
        String slow = nextWarningWith("slow");
        job.cancel();
        String stopped = nextWarningWith("stop");
        gate.open.countDown();
        JobStats stats = job.await();

        assertThat(slow)
                .matches("topology 'stuck': checkpoint \\d+ is not complete after \\d+ m?s: \\Q" + folder
                        + "\\E is slow to take it");
        assertThat(stopped).contains(" is not complete 50 ms after the job was asked to stop; it stops");
        assertThat(stats.state()).isEqualTo(JobState.CANCELLED);
        assertThat(job.stoppedShort()).isTrue();
    }
}
