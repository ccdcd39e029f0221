// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.topology.Topology;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.TestSource;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.checkpoint.CheckpointProperties;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is known of a job on a cluster whose client was killed. */
final class ClusterJobTest {
    private static final ClusterJob LEFT = new ClusterJob(new JobID(1, 2), "flink:8081");

    @TempDir
    private Path folder;

    private CheckpointSettings begins;
    private CheckpointSettings continues;

    @BeforeEach
    void name() {
        begins = CheckpointSettings.in(folder);
        continues = begins.restoringLatest();
    }

    private static Function<ClusterJob, Optional<JobStatus>> says(JobStatus status) {
        return job -> {
            assertThat(job).isEqualTo(LEFT);
            return Optional.of(status);
        };
    }

    private static Optional<JobStatus> unknown(ClusterJob job) {
        assertThat(job).isEqualTo(LEFT);
        return Optional.empty();
    }

    /** Both would take checkpoints there, and the latest would be of either. */
    @Test
    void shouldRefuseAnotherJob_whileItRuns() throws Exception {
        LEFT.name(folder);
        for (JobStatus status : List.of(JobStatus.RUNNING, JobStatus.RESTARTING, JobStatus.SUSPENDED)) {
            assertThatExceptionOfType(ConnectorException.class)
                    .isThrownBy(() -> ClusterJob.check(begins, says(status)))
                    .withMessage("another job writes its checkpoints to " + folder + ": " + LEFT.id()
                            + " on the Flink cluster at flink:8081, whose client is gone; cancel it on Flink's web page,"
                            + " or give this job a directory of its own");
        }
        ClusterJob.check(continues, says(JobStatus.CANCELED));
        ClusterJob.check(continues, says(JobStatus.FAILED));
        ClusterJob.check(begins, ClusterJobTest::unknown);
        assertThat(SavedJob.toGoOnFrom(continues)).as("nothing is there yet").isNull();
    }

    @Test
    void shouldRefuseAnotherJob_ifItsClusterDoesNotAnswer() throws Exception {
        LEFT.name(folder);
        assertThatExceptionOfType(ConnectorException.class)
                .isThrownBy(() -> ClusterJob.check(begins, job -> {
                    throw new JobFailedException("no answer", null);
                }))
                .withMessage("the last job with checkpoints in " + folder + ", " + LEFT.id()
                        + " on the Flink cluster at flink:8081, was left by its client, and may still run: no answer; if"
                        + " it runs no more, delete " + folder.resolve("cluster-job"));
    }

    /** It would read everything again, and write it twice. */
    @Test
    void shouldNotBeginAgain_afterItHasEndedByItself() throws Exception {
        LEFT.name(folder);
        ClusterJob.check(continues, says(JobStatus.FINISHED));
        assertThatExceptionOfType(ConnectorException.class)
                .isThrownBy(() -> SavedJob.toGoOnFrom(continues))
                .withMessageContaining(" has ended by itself");
    }

    @Test
    void shouldNotBeginAgain_ifItMayHaveEndedByItself() throws Exception {
        LEFT.name(folder);
        assertThatExceptionOfType(ConnectorException.class)
                .isThrownBy(() -> ClusterJob.check(continues, ClusterJobTest::unknown))
                .withMessage("--restore: the last job with checkpoints in " + folder + ", " + LEFT.id()
                        + " on the Flink cluster at flink:8081, was left by its client, has ended, and has left no"
                        + " checkpoint: it may have read all of its input. Look at what it has written; if it has not,"
                        + " delete " + folder.resolve("cluster-job"));
        ClusterJob.check(begins.restoringFrom(folder.resolve("other")), ClusterJobTest::unknown);
    }

    /** @param stops the job was stopped with it */
    private Path savepoint(boolean stops) throws Exception {
        CheckpointProperties properties = stops
                ? CheckpointProperties.forSyncSavepoint(true, false, SavepointFormatType.NATIVE)
                : CheckpointProperties.forSavepoint(true, SavepointFormatType.NATIVE);
        Path saved = Files.createDirectory(folder.resolve(
                "savepoint-" + LEFT.id().toHexString().substring(0, 6) + (stops ? "-0123456789ab" : "-ba9876543210")));
        try (OutputStream out = Files.newOutputStream(saved.resolve("_metadata"))) {
            Checkpoints.storeCheckpointMetadata(new CheckpointMetadata(3, List.of(), List.of(), properties), out);
        }
        return saved;
    }

    @Test
    void shouldContinue_fromWhatItHasLeft() throws Exception {
        LEFT.name(folder);
        Path saved = savepoint(true);
        ClusterJob.check(continues, says(JobStatus.FINISHED));
        ClusterJob.check(continues, ClusterJobTest::unknown);
        assertThat(SavedJob.toGoOnFrom(continues)).isEqualTo(SavedJob.text(saved));

        Files.delete(saved.resolve("_metadata"));
        Path checkpoint = Files.createDirectories(folder.resolve(LEFT.id().toHexString() + "/chk-3"));
        Files.createFile(checkpoint.resolve("_metadata"));
        ClusterJob.check(continues, ClusterJobTest::unknown);
        assertThat(SavedJob.toGoOnFrom(continues)).isEqualTo(SavedJob.text(checkpoint));
    }

    /** It was killed before it could note that the job before this one is no longer the last. */
    @Test
    void shouldContinueAJob_whoseClientWasKilledAsItBegan() throws Exception {
        for (int known = 0; known < 2; known++) {
            SavedJob.ended(begins);
            LEFT.name(folder);
            Path checkpoint = Files.createDirectories(folder.resolve(LEFT.id().toHexString() + "/chk-3"));
            Files.write(checkpoint.resolve("_metadata"), new byte[0]);
            ClusterJob.check(continues, known == 0 ? says(JobStatus.FAILED) : ClusterJobTest::unknown);
            assertThat(SavedJob.toGoOnFrom(continues)).isEqualTo(SavedJob.text(checkpoint));
        }
    }

    /** Nobody knows whether it has begun. */
    @Test
    void shouldSayWhyAndWhatToDo_ifAClientWasKilledAsItBegan_andItsJobIsUnknown() throws Exception {
        SavedJob.ended(begins);
        LEFT.name(folder);
        assertThatExceptionOfType(ConnectorException.class)
                .isThrownBy(() -> ClusterJob.check(continues, ClusterJobTest::unknown))
                .withMessage("--restore: the last job with checkpoints in " + folder + ", " + LEFT.id()
                        + " on the Flink cluster at flink:8081, was left by its client, has left no checkpoint, and is not"
                        + " known there: it has not begun, or has ended and may have read all of its input; and the job"
                        + " before it had ended by itself. Look at what has been written; if the last one has not begun,"
                        + " start it as it was started, not with --restore latest");
        ClusterJob.check(begins, ClusterJobTest::unknown);
        assertThat(SavedJob.toGoOnFrom(begins)).isNull();
    }

    /** A job that has ended by itself since would write all that came after it twice. */
    @Test
    void shouldNotContinue_fromASavepointThatAUserAskedFor() throws Exception {
        LEFT.name(folder);
        Path saved = savepoint(false);
        assertThatExceptionOfType(ConnectorException.class)
                .isThrownBy(() -> ClusterJob.check(continues, ClusterJobTest::unknown))
                .withMessageContaining(" has left no checkpoint: it may have read all of its input. ");
        ClusterJob.check(continues, says(JobStatus.FAILED));
        assertThat(SavedJob.toGoOnFrom(continues)).isEqualTo(SavedJob.text(saved));

        ClusterJob.check(continues, says(JobStatus.FINISHED));
        assertThatExceptionOfType(ConnectorException.class)
                .isThrownBy(() -> SavedJob.toGoOnFrom(continues))
                .withMessageContaining(" has ended by itself");
        CheckpointSettings given = begins.restoringFrom(saved);
        ClusterJob.check(given, says(JobStatus.FINISHED));
        assertThat(SavedJob.toGoOnFrom(given)).isEqualTo(SavedJob.text(saved));
    }

    @Test
    void shouldBeNamed_untilItHasEnded() throws Exception {
        List<String> warnings = new ArrayList<>();
        Path later = folder.resolve("later");
        RunSettings settings =
                RunSettings.defaults().withGuarantee(Guarantee.EXACTLY_ONCE, CheckpointSettings.in(later));
        try (CheckpointLock lock = CheckpointLock.take(settings, false)) {
            lock.begins(LEFT, warnings::add);
            Files.createDirectory(later);
            lock.look(warnings::add);
        }
        assertThat(ClusterJob.in(later)).as("its client is gone").isEqualTo(LEFT);

        ClusterJob next = new ClusterJob(new JobID(3, 4), "flink:8082");
        try (CheckpointLock lock = CheckpointLock.take(settings, false)) {
            lock.begins(next, warnings::add);
            assertThat(ClusterJob.in(later)).isEqualTo(next);
            lock.ended(warnings::add);
        }
        assertThat(ClusterJob.in(later)).isNull();

        LEFT.name(later);
        try (CheckpointLock lock = CheckpointLock.take(settings, true)) {
            lock.begins(null, warnings::add);
        }
        assertThat(ClusterJob.in(later))
                .as("what is in this process ends with it")
                .isNull();
        assertThat(warnings).isEmpty();
    }

    @Test
    void shouldTakeNothingForAJob_thatIsNone() throws Exception {
        for (String text : List.of("", "0123\nflink:8081\n", LEFT.id() + "\n", LEFT.id() + "\nhttp://flink/\n")) {
            Files.writeString(folder.resolve("cluster-job"), text);
            assertThat(ClusterJob.in(folder)).isNull();
        }
    }

    @Test
    @Tag("integration")
    void shouldAskTheCluster() throws Exception {
        Path own = Files.createDirectory(folder.resolve("own"));
        Path left = Files.createDirectory(folder.resolve("left"));
        FlinkRunningJob job = start(own, false);
        String cluster = LocalFlink.shared().address();
        ClusterJob running = new ClusterJob(JobID.fromHexString(job.id()), cluster);
        assertThat(ClusterJob.in(own)).isEqualTo(running);
        running.name(left);
        assertThatExceptionOfType(ConnectorException.class)
                .isThrownBy(() -> start(left, false))
                .withMessageStartingWith("another job writes its checkpoints to " + left + ": " + job.id());

        job.cancel();
        assertThat(job.await().state()).isEqualTo(JobState.CANCELLED);
        assertThat(ClusterJob.in(own)).isNull();
        FlinkRunningJob next = start(left, false);
        next.cancel();
        next.await();

        Path forgotten = Files.createDirectory(folder.resolve("forgotten"));
        new ClusterJob(new JobID(1, 2), cluster).name(forgotten);
        assertThatExceptionOfType(ConnectorException.class)
                .isThrownBy(() -> start(forgotten, true))
                .withMessageContaining("has left no checkpoint");
    }

    private static FlinkRunningJob start(Path checkpoints, boolean restores) {
        Topology topology = Topology.named("left");
        topology.from(Sources.generate(1_000_000, index -> index).rate(5)).to(Sinks.discard());
        CheckpointSettings settings = CheckpointSettings.in(checkpoints).every(Duration.ofMillis(100));
        return LocalFlink.shared()
                .runner(RunSettings.defaults()
                        .withParallelism(1)
                        .withGuarantee(Guarantee.EXACTLY_ONCE, restores ? settings.restoringLatest() : settings))
                .start(topology.graph());
    }

    @Test
    @Tag("integration")
    void shouldKnowTheSavepointThatAJobWasStoppedWith() throws Exception {
        Path own = Files.createDirectory(folder.resolve("own"));
        FlinkRunningJob stopped = start(own, false);
        String cluster = LocalFlink.shared().address();
        while (stopped.lastCheckpoint() == null) {
            assertThat(stopped.await(Duration.ofMillis(20))).isFalse();
        }
        stopped.cancel();
        assertThat(stopped.await().state()).isEqualTo(JobState.CANCELLED);
        new ClusterJob(JobID.fromHexString(stopped.id()), cluster).name(own); // as if its client were killed
        FlinkRunningJob next = start(own, true);
        next.cancel();
        assertThat(next.await().state()).isEqualTo(JobState.CANCELLED);

        Path ended = Files.createDirectory(folder.resolve("ended"));
        TestSource<Long> source = TestSource.of(Long.class);
        CheckpointSettings settings = CheckpointSettings.in(ended).every(Duration.ofMillis(100));
        FlinkRunningJob job = start(source, settings);
        while (job.lastCheckpoint() == null) {
            assertThat(job.await(Duration.ofMillis(20))).isFalse();
        }
        assertThat(Path.of(job.savepoint(null).get())).hasParent(ended);
        source.end();
        assertThat(job.await().state()).isEqualTo(JobState.FINISHED);
        Files.delete(ended.resolve("ended-job"));
        new ClusterJob(JobID.fromHexString(job.id()), cluster).name(ended);
        assertThatExceptionOfType(ConnectorException.class)
                .isThrownBy(() -> start(source, settings.restoringLatest()))
                .withMessageContaining(" has ended by itself");
    }

    private static FlinkRunningJob start(TestSource<Long> source, CheckpointSettings settings) {
        Topology topology = Topology.named("ends");
        topology.from(source).to(Sinks.discard());
        return LocalFlink.shared()
                .runner(RunSettings.defaults().withParallelism(1).withGuarantee(Guarantee.EXACTLY_ONCE, settings))
                .start(topology.graph());
    }
}
