// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.topology.Topology;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.run.RunSettings;
import io.thalweg.run.RunningJob;
import io.thalweg.testkit.FreePort;
import org.junit.jupiter.api.Test;

final class FlinkWatchTest {
    /** The job goes on, and what its tasks tell is judged. */
    @Test
    void shouldSayWhyItSawNothing() throws Exception {
        Topology topology = Topology.named("Doubles");
        topology.from(Sources.of(1, 2)).to(Sinks.discard());
        RunningJob job = new EmbeddedRunner(RunSettings.defaults()).start(topology.graph());
        FlinkWatch watch = new FlinkWatch("127.0.0.1:" + FreePort.find());
        assertThat(watch.problem()).isNull();

        watch.look(job);
        watch.look(job);

        assertThat(watch.problem()).contains("127.0.0.1").doesNotContain("\n");
        assertThat(watch.observation(job.await())).isNull();
    }
}
