// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.window.WindowResult;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.Job;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.RunSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Checkpoints that are asked for and kept: a job goes on from them long after it has removed its own. */
@Timeout(600)
final class SavepointTest {
    @TempDir
    Path folder;

    private Path checkpoints;
    private final CollectSink<WindowResult<Long, Long>> sums = KeyedSums.sink();

    @BeforeEach
    void nameFolder() {
        checkpoints = folder.resolve("checkpoints");
    }

    private static RunSettings settings(CheckpointSettings where) {
        return RunSettings.defaults()
                .withParallelism(2)
                .withThreads(0)
                .withSteps(50, 2, 16)
                .withGuarantee(Guarantee.EXACTLY_ONCE, where);
    }

    private Job start() {
        return new EmbeddedRunner(settings(CheckpointSettings.in(checkpoints)))
                .start(KeyedSums.to(KeyedSums.sink()).graph());
    }

    private static void step(Job job, int steps) {
        for (int step = 0; step < steps; step++) {
            assertThat(job.step()).isTrue();
        }
    }

    private static void toTheEnd(Job job) {
        while (job.step()) {
            // until it has ended
        }
    }

    private static Path taken(Job job, CompletableFuture<String> savepoint) throws Exception {
        for (int step = 0; step < 1_000 && !savepoint.isDone(); step++) {
            job.step();
        }
        assertThat(savepoint).isDone();
        return Path.of(savepoint.get());
    }

    private List<String> names(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void shouldBeRestoredThoughTheJobHasRemovedItsCheckpoint() throws Exception {
        Job job = start();
        step(job, 60);
        Path savepoint = taken(job, job.savepoint(null));
        assertThat(savepoint).isEqualTo(checkpoints.resolve("savepoint-windows-1"));
        for (int more = 0; more < 5; more++) {
            step(job, 10);
            job.checkpoint();
            step(job, 10);
        }
        assertThat(names(checkpoints)).contains("savepoint-windows-1").doesNotContain("checkpoint-1");
        job.kill();
        toTheEnd(job);

        CheckpointSettings from = CheckpointSettings.in(folder.resolve("next")).restoringFrom(savepoint);
        Job next = new EmbeddedRunner(settings(from).withParallelism(3))
                .start(KeyedSums.to(sums).graph());
        toTheEnd(next);
        assertThat(next.await().state()).isEqualTo(JobState.FINISHED);
        assertThat(KeyedSums.found(sums)).isEqualTo(KeyedSums.expected());
    }

    /** The state is that of the moment when it was asked for, or later: never that of a checkpoint that had begun. */
    @Test
    void shouldBeginAfterTheCheckpointThatIsBeingTaken() throws Exception {
        Job job = start();
        step(job, 60);
        assertThat(job.checkpoint()).isTrue();
        CompletableFuture<String> first = job.savepoint(folder.resolve("kept/deep"));
        CompletableFuture<String> second = job.savepoint(folder.resolve("kept/deep"));
        assertThat(taken(job, first)).isEqualTo(folder.resolve("kept/deep/savepoint-windows-2"));
        assertThat(taken(job, second)).isEqualTo(folder.resolve("kept/deep/savepoint-windows-2-2"));
        assertThat(names(folder.resolve("kept/deep"))).hasSize(2);
        job.cancel();
        toTheEnd(job);
    }

    @Test
    void shouldNotDisturbTheJobWhereItCannotBeWritten() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "not a directory");
        Job job = new EmbeddedRunner(settings(CheckpointSettings.in(checkpoints)))
                .start(KeyedSums.to(sums).graph());
        step(job, 60);
        CompletableFuture<String> savepoint = job.savepoint(file);
        step(job, 60);
        assertThatThrownBy(savepoint::get)
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(ConnectorException.class)
                .hasMessage("cannot write a savepoint to " + file + ": " + file + " exists and is no directory;"
                        + " the job continues, and " + checkpoints.resolve("checkpoint-1") + " is complete");
        toTheEnd(job);
        assertThat(job.await().state()).isEqualTo(JobState.FINISHED);
        assertThat(KeyedSums.found(sums)).isEqualTo(KeyedSums.expected());
        assertThat(file).hasContent("not a directory");
    }

    @Test
    void shouldSayWhatToAdd_whereTheJobTakesNoCheckpoints() {
        Job job = new EmbeddedRunner(RunSettings.defaults().withThreads(0))
                .start(KeyedSums.to(sums).graph());
        assertThatThrownBy(() -> job.savepoint(null).get())
                .cause()
                .isInstanceOf(ConnectorException.class)
                .hasMessage("topology 'windows' takes no checkpoints; start it with --guarantee exactly-once"
                        + " --checkpoint-dir DIR");
        job.cancel();
        toTheEnd(job);
    }

    @Test
    void shouldFailWhereTheJobEndsBeforeIt() {
        Job job = start();
        step(job, 60);
        CompletableFuture<String> savepoint = job.savepoint(null);
        job.kill();
        toTheEnd(job);
        assertThatThrownBy(savepoint::get)
                .cause()
                .isInstanceOf(ConnectorException.class)
                .hasMessage("no savepoint was taken: the job ended before it");
        assertThatThrownBy(() -> job.savepoint(null).get()).cause().isInstanceOf(ConnectorException.class);
    }

    /** One that is stopped takes its last checkpoint, and that is it. */
    @Test
    void shouldBeTheLastCheckpointOfAJobThatIsStopped() throws Exception {
        Job job = start();
        step(job, 60);
        assertThat(job.checkpoint()).isTrue();
        CompletableFuture<String> savepoint = job.savepoint(null);
        job.cancel();
        toTheEnd(job);
        assertThat(Path.of(savepoint.get())).isEqualTo(checkpoints.resolve("savepoint-windows-2"));
        assertThatThrownBy(() -> job.savepoint(null).get()).cause().isInstanceOf(ConnectorException.class);
    }
}
