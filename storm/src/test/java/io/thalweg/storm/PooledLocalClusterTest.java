// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.topology.Topology;
import io.thalweg.run.RunSettings;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.storm.StormTimer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(900)
@Tag("integration")
final class PooledLocalClusterTest {
    /** Storm's handler would halt the JVM. */
    @Test
    void shouldLetATimerEndThatIsClosedWhileItFires() throws Exception {
        AtomicBoolean halted = new AtomicBoolean();
        CountDownLatch firing = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        StormTimer timer = new StormTimer("flush-tuple-timer", (thread, thrown) -> halted.set(true));
        timer.scheduleRecurringMs(0, 1, () -> {
            firing.countDown();
            try {
                never.await();
            } catch (InterruptedException e) {
                // closed: it is about to be scheduled once more
            }
        });
        firing.await();
        PooledLocalCluster.disarmTimers();
        timer.close();
        assertThat(halted).isFalse();
    }

    /** Otherwise they are left behind when the JVM ends before the cluster is closed. */
    @Test
    void shouldKeepTheFoldersOfStormInTheOneThatIsDeletedInAnyCase() throws Exception {
        PooledLocalCluster cluster = PooledLocalCluster.take();
        try {
            Path home = Path.of(System.getProperty("storm.home"));
            assertThat(home.getParent()).isDirectoryContaining(file -> file.endsWith("zookeeper"));
            assertThat(home.getParent().getFileName().toString()).startsWith("thalweg-storm-");
        } finally {
            cluster.leave();
        }
    }

    /** Otherwise a JVM that exits then deletes files under the supervisor, which prints traces of that and wants to halt it. */
    @Test
    void shouldHaveReleasedATopologyWhenItsJobHasEnded() throws Exception {
        for (int run = 0; run < 3; run++) {
            Topology topology = Topology.named("short");
            topology.from(Sources.generate(10, n -> n)).shuffle().to(Sinks.discard());
            StormRunner.local(RunSettings.defaults(), 1).start(topology.graph()).await();
            PooledLocalCluster cluster = PooledLocalCluster.take(); // the job's, which is idle now
            try {
                assertThat(cluster.held()).isEmpty();
            } finally {
                cluster.leave();
            }
        }
    }
}
