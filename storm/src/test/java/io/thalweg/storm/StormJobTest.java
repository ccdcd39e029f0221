// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.topology.Topology;
import io.thalweg.engine.HostedOrders;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.Restart;
import io.thalweg.run.RunSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The client's side of a job, without Storm. */
@Timeout(600)
final class StormJobTest {
    @TempDir
    private Path folder;

    /** Takes one topology, which fails. */
    private static final class OneOnly implements Submitter {
        private boolean taken;

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
            if (taken) {
                throw new JobFailedException("no slot is free", null);
            }
            taken = true;
            return new Failing();
        }
    }

    private static final class Failing implements Submitter.Running {
        @Override
        public List<ControlMessage> receive(Duration atMost) {
            return List.of(ControlMessage.of(ControlMessage.Kind.FAILED, 0, 0, "broken"));
        }

        @Override
        public @Nullable TopologyStatus standing() {
            return null;
        }

        @Override
        public void cancel() {}

        @Override
        public void end() {}
    }

    @Test
    void shouldNotCountARestartThatFails() {
        Topology topology = Topology.named("restarted");
        topology.from(Sources.generate(10, n -> n)).to(Sinks.discard());
        RunSettings settings = RunSettings.defaults()
                .withGuarantee(Guarantee.AT_LEAST_ONCE, CheckpointSettings.in(folder))
                .withRestart(Restart.fixed(3, Duration.ZERO))
                .withWarnings(warning -> {});
        StormJob job = StormRunner.on(settings, new OneOnly()).start(topology.graph());
        assertThatThrownBy(job::await).hasMessage("no slot is free");
        assertThat(job.restarts()).isZero();
    }
}
