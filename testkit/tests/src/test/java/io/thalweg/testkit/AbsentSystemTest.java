// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.Sources;
import io.thalweg.api.topology.Topology;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A job waits for the systems that it talks to before anything of it is made. */
final class AbsentSystemTest {
    @Test
    void shouldFailBeforeItBegins_afterTheTimeThatTheUserOrTheSinkSays() {
        Topology topology = Topology.named("absent");
        topology.from(Sources.of(1L)).to(new AbsentSink<>());
        List<String> told = new ArrayList<>();
        RunSettings settings = RunSettings.defaults().withWarnings(told::add);

        assertThatThrownBy(() -> new EmbeddedRunner(settings).start(topology.graph()))
                .isInstanceOf(JobFailedException.class)
                .hasMessage("nobody answers for 10 s");
        assertThatThrownBy(() ->
                        new EmbeddedRunner(settings.withConnectTimeout(Duration.ofSeconds(7))).start(topology.graph()))
                .hasMessage("nobody answers for 7 s");
        assertThat(told).containsExactly("waiting", "waiting");
    }
}
