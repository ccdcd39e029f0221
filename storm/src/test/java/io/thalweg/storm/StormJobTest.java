// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.graph.TopologyException;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.topology.Topology;
import io.thalweg.engine.HostedOrders;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.Restart;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.AbsentSink;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The client's side of a job, without Storm. */
@Timeout(600)
final class StormJobTest {
    @TempDir
    private Path folder;

    private final List<String> warnings = new CopyOnWriteArrayList<>();

    /** Takes all topologies; a worker of each dies. */
    private static final class Deadly implements Submitter {
        private final @Nullable TopologyStatus standing;
        private int taken;

        Deadly(@Nullable TopologyStatus standing) {
            this.standing = standing;
        }

        @Override
        public boolean local() {
            return true;
        }

        @Override
        public int workers(int tasks) {
            return 1;
        }

        @Override
        public Running submit(
                String name, String job, HostedOrders first, Map<String, Object> config, Submitter.Topology topology) {
            taken++;
            return new Ending(ControlMessage.lost("restarted"), standing);
        }
    }

    /** Takes one topology, which fails, and after some time another, which ends. */
    private static final class OneOnly implements Submitter {
        private final int refused;
        private int asked;

        /** @param refused how many it does not take in between */
        OneOnly(int refused) {
            this.refused = refused;
        }

        @Override
        public boolean local() {
            return true;
        }

        @Override
        public int workers(int tasks) {
            return 1;
        }

        @Override
        public Running submit(
                String name, String job, HostedOrders first, Map<String, Object> config, Submitter.Topology topology) {
            asked++;
            if (asked > 1 && asked <= 1 + refused) {
                throw new JobFailedException("no slot is free", null);
            }
            ControlMessage.Kind end = asked == 1 ? ControlMessage.Kind.FAILED : ControlMessage.Kind.OVER;
            return new Ending(ControlMessage.of(end, 0, 0, "broken"), null);
        }
    }

    /** Takes one topology, which fails, does not answer for a while, and takes another, which ends. */
    private static final class Away implements Submitter {
        private static final String REASON = "the cluster does not answer";

        /** What it has taken, it does not tell at first. */
        private final boolean unsure;

        private final List<String> seen = new CopyOnWriteArrayList<>();
        private int submitted;

        Away(boolean unsure) {
            this.unsure = unsure;
        }

        @Override
        public boolean local() {
            return true;
        }

        @Override
        public int workers(int tasks) {
            return 1;
        }

        @Override
        public boolean isAway(RuntimeException thrown) {
            return REASON.equals(thrown.getMessage());
        }

        @Override
        public Running submit(
                String name, String job, HostedOrders first, Map<String, Object> config, Submitter.Topology topology) {
            submitted++;
            seen.add("submitted");
            if (submitted == 2 && unsure) {
                throw new UnsureException(REASON, "kill it", null, new Perhaps(seen));
            }
            if (submitted == 2 || submitted == 3) {
                throw new JobFailedException(REASON, null);
            }
            ControlMessage.Kind end = submitted == 1 ? ControlMessage.Kind.FAILED : ControlMessage.Kind.OVER;
            return new Ending(ControlMessage.of(end, 0, 0, "broken"), null);
        }
    }

    /** It is killed at the third try. */
    private record Perhaps(List<String> seen) implements Submitter.Running {
        @Override
        public List<ControlMessage> receive(Duration atMost) {
            throw new IllegalStateException("it cannot be followed");
        }

        @Override
        public @Nullable TopologyStatus standing() {
            return null;
        }

        @Override
        public void cancel() {}

        @Override
        public void end() {}

        @Override
        public boolean lingers() {
            boolean lingers = Collections.frequency(seen, "lingers") < 2;
            seen.add(lingers ? "lingers" : "killed");
            return lingers;
        }
    }

    /** Takes one topology, which fails, and of which a task may still write, and another, which ends. */
    private static final class Lingering implements Submitter {
        private final CountDownLatch left = new CountDownLatch(1);
        private final List<Long> taken = new CopyOnWriteArrayList<>();

        @Override
        public boolean local() {
            return true;
        }

        @Override
        public int workers(int tasks) {
            return 1;
        }

        @Override
        public Running submit(
                String name, String job, HostedOrders first, Map<String, Object> config, Submitter.Topology topology) {
            taken.add(left.getCount());
            ControlMessage.Kind end = taken.size() == 1 ? ControlMessage.Kind.FAILED : ControlMessage.Kind.OVER;
            ControlMessage last = ControlMessage.of(end, 0, 0, "broken");
            return new Running() {
                @Override
                public List<ControlMessage> receive(Duration atMost) {
                    return List.of(last);
                }

                @Override
                public @Nullable TopologyStatus standing() {
                    return null;
                }

                @Override
                public void cancel() {}

                @Override
                public void end() {}

                @Override
                public boolean lingers() {
                    return left.getCount() > 0;
                }
            };
        }
    }

    private record Ending(ControlMessage last, @Nullable TopologyStatus standing) implements Submitter.Running {
        @Override
        public List<ControlMessage> receive(Duration atMost) {
            return List.of(last);
        }

        @Override
        public void cancel() {}

        @Override
        public void end() {}
    }

    @Test
    void shouldWaitForSystemsInThisJvm_andLeaveThemToAClusterElsewhere() {
        Topology topology = Topology.named("absent");
        topology.from(Sources.of(1L)).to(new AbsentSink<>());
        RunSettings settings = RunSettings.defaults().withConnectTimeout(Duration.ofSeconds(7));
        assertThatThrownBy(() -> StormRunner.on(settings, new OneOnly(0)).start(topology.graph()))
                .isInstanceOf(JobFailedException.class)
                .hasMessage("nobody answers for 7 s");
        assertThatThrownBy(() -> StormRunner.on("127.0.0.1:6627", settings).start(topology.graph()))
                .isInstanceOf(TopologyException.class)
                .hasMessageStartingWith(
                        "topology 'absent': --connect-timeout is for jobs whose tasks run in this process,"
                                + " and these connect from the Storm cluster; ");
    }

    private StormJob start(Submitter place, Restart restart) {
        return start(place, restart, warnings::add);
    }

    private StormJob start(Submitter place, Restart restart, Consumer<String> listener) {
        Topology topology = Topology.named("restarted");
        topology.from(Sources.generate(10, n -> n)).to(Sinks.discard());
        RunSettings settings = RunSettings.defaults()
                .withGuarantee(Guarantee.AT_LEAST_ONCE, CheckpointSettings.in(folder))
                .withRestart(restart)
                .withWarnings(listener);
        return StormRunner.on(settings, place).start(topology.graph());
    }

    @Test
    void shouldNotCountARestartThatFails() {
        StormJob job = start(new OneOnly(3), Restart.fixed(3, Duration.ZERO));
        assertThatThrownBy(job::await).hasMessage("no slot is free");
        assertThat(job.restarts()).isZero();
    }

    /** Slots of a worker that has died, say, are free only after a while. */
    @Test
    void shouldTryAgainWhereARestartFails() throws Exception {
        StormJob job = start(new OneOnly(2), Restart.fixed(3, Duration.ZERO));
        assertThat(job.await().state()).isEqualTo(JobState.FINISHED);
        assertThat(job.restarts()).isOne();
        assertThat(warnings)
                .containsExactly(
                        "broken; it continues from its last checkpoint",
                        "no slot is free; it is retried in 0 s",
                        "no slot is free; it is retried in 0 s");
    }

    /** Not as where a job cannot run there. */
    @Test
    void shouldWaitForAClusterThatIsAway_andCountNoFailures() throws Exception {
        StormJob job = start(new Away(false), Restart.fixed(1, Duration.ZERO));
        assertThat(job.await().state()).isEqualTo(JobState.FINISHED);
        assertThat(job.restarts()).isOne();
        assertThat(warnings)
                .containsExactly(
                        "broken; it continues from its last checkpoint",
                        "the cluster does not answer; the job continues when it answers again");
    }

    /** Both would write to one output. */
    @Test
    void shouldKillWhatTheClusterMayHaveTaken_beforeItSubmitsAgain() throws Exception {
        Away cluster = new Away(true);
        StormJob job = start(cluster, Restart.fixed(1, Duration.ZERO));
        assertThat(job.await().state()).isEqualTo(JobState.FINISHED);
        assertThat(cluster.seen.subList(0, 6))
                .containsExactly("submitted", "submitted", "lingers", "lingers", "killed", "submitted");
        assertThat(warnings)
                .contains("the cluster does not answer; it is killed, if it is there, before the job continues");
    }

    private static final String LINGERS = "topology 'restarted': a call in a task that was ended has not come back, and"
            + " may still write; the job continues when it has";

    /** Both would write to one output. */
    @Test
    void shouldNotBeginAgain_whileATaskOfTheLastAttemptMayStillWrite() throws Exception {
        Lingering cluster = new Lingering();
        StormJob job = start(cluster, Restart.fixed(1, Duration.ZERO), line -> {
            warnings.add(line);
            if (line.equals(LINGERS)) {
                cluster.left.countDown();
            }
        });
        assertThat(job.await().state()).isEqualTo(JobState.FINISHED);
        assertThat(cluster.taken).as("what lingered as they were taken").containsExactly(1L, 0L);
        assertThat(warnings).containsExactly("broken; it continues from its last checkpoint", LINGERS);
    }

    @Test
    void shouldEndAJobThatIsStopped_whileATaskOfTheLastAttemptMayStillWrite() throws Exception {
        Lingering cluster = new Lingering();
        CountDownLatch told = new CountDownLatch(1);
        StormJob job = start(cluster, Restart.fixed(1, Duration.ZERO), line -> {
            if (line.equals(LINGERS)) {
                told.countDown();
            }
        });
        told.await();
        job.cancel();
        assertThatThrownBy(job::await).isInstanceOf(JobFailedException.class).hasMessage("broken");
        assertThat(cluster.taken).hasSize(1);
    }

    /** As where a record kills each worker that reads it. */
    @Test
    void shouldRestartAJobWhoseWorkersDie_asOftenAsItsSettingsSay() {
        Deadly cluster = new Deadly(new TopologyStatus(
                TopologyStatus.State.RUNS, "all run", "; its last error, of 'chain-1': OutOfMemoryError: heap"));
        StormJob job = start(cluster, Restart.fixed(2, Duration.ZERO));
        String died = "a worker of topology 'restarted' died, and the state of its tasks is lost; its last error, of"
                + " 'chain-1': OutOfMemoryError: heap";
        assertThatThrownBy(job::await)
                .isInstanceOf(JobFailedException.class)
                .message()
                .startsWith(died + "; that was failure 3 in a row, so the job is not restarted again: ")
                .doesNotContain("\n");
        assertThat(cluster.taken).isEqualTo(3);
        assertThat(warnings).hasSize(2).containsOnly(died + "; it continues from its last checkpoint");
    }

    /** Without a setting, too: the death of a worker need not be the job's fault. */
    @Test
    void shouldRestartAJobWhoseWorkersDie_threeTimesWithoutASetting() {
        Deadly cluster = new Deadly(null);
        StormJob job = start(cluster, Restart.none());
        assertThatThrownBy(job::await)
                .hasMessageStartingWith(
                        "a worker of topology 'restarted' died, and the state of its tasks is lost; that"
                                + " was failure 4 in a row, ");
        assertThat(cluster.taken).isEqualTo(4);
        assertThat(warnings)
                .hasSize(3)
                .allSatisfy(line -> assertThat(line).endsWith("; it continues from its last checkpoint in 1 s"));
    }
}
