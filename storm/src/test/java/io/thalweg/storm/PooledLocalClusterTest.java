// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.storm.StormTimer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(900)
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
}
