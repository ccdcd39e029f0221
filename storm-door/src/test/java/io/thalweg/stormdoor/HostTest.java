// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.storm.Config;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
final class HostTest {
    private static Host host() {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("words", new TestWordSpout());
        Map<String, Object> conf = new HashMap<>(Utils.readStormConfig());
        conf.put(Config.TOPOLOGY_NAME, "test");
        ClassLoader loader = HostTest.class.getClassLoader();
        return new Host(new Layout("test", topology.createTopology(), conf, loader), null, loader);
    }

    /** The thread of an executor, which is interrupted as late as can be: when it has left, or waits for that. */
    private static final class Executor extends Thread {
        private final Host host;
        private final CountDownLatch entered = new CountDownLatch(1);
        private final CountDownLatch called = new CountDownLatch(1);
        private volatile boolean left;
        private volatile boolean closing;
        private volatile boolean interruptedInClose;

        Executor(Host host) {
            this.host = host;
        }

        @Override
        public void run() {
            host.enter();
            entered.countDown();
            while (called.getCount() > 0) {
                Thread.onSpinWait();
            }
            host.leave(this);
            left = true;
            while (!closing) {
                Thread.onSpinWait();
            }
            interruptedInClose = isInterrupted();
        }

        @Override
        public void interrupt() {
            called.countDown();
            while (!left && getState() != State.BLOCKED) {
                Thread.onSpinWait();
            }
            super.interrupt();
        }
    }

    /** What a bolt still writes in its cleanup would be cut short. */
    @Test
    void shouldNotInterruptWhatIsBeingClosed() throws Exception {
        Host host = host();
        try {
            Executor executor = new Executor(host);
            executor.start();
            executor.entered.await();

            host.interrupt();
            executor.closing = true;
            executor.join();

            assertThat(executor.interruptedInClose).isFalse();
        } finally {
            host.end();
        }
    }

    @Test
    void shouldWriteThePythonPackage_whenTheFirstChildNeedsIt() {
        Host host = host();
        try {
            Path folder = Path.of(host.context().getPIDDir()).resolveSibling("python");
            assertThat(folder).doesNotExist();

            assertThat(host.python()).isEqualTo(folder);
            assertThat(host.python().resolve("thalweg").resolve("storm.py")).isRegularFile();
        } finally {
            host.end();
        }
    }

    @Test
    void shouldMakeNoContextAhead_afterTheEnd() throws Exception {
        Host host = host();
        host.end();

        host.prepare().join();

        assertThat(host.hasContext()).isFalse();
    }

    @Test
    void shouldMakeTheContextAhead() throws Exception {
        Host host = host();
        try {
            host.prepare().join();

            assertThat(host.hasContext()).isTrue();
        } finally {
            host.end();
        }
    }
}
