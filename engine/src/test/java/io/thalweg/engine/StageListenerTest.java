// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.topology.Topology;
import io.thalweg.run.RunSettings;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class StageListenerTest {
    private static TopologyGraph graph() {
        Topology topology = Topology.named("Rivers");
        topology.from(Sources.of(1L, 2L))
                .map(value -> value + 1)
                .name("first")
                .map(value -> value + 1)
                .name("second")
                .keyBy(value -> value)
                .distinct()
                .name("once")
                .to(Sinks.<Long>discard())
                .name("end");
        return topology.graph();
    }

    private static Map<String, String> made(RunSettings settings) throws Exception {
        Map<String, String> made = new HashMap<>();
        new EmbeddedRunner(settings.withStages((operator, type) -> assertThat(made.put(type, operator))
                        .as("each class is told once")
                        .isNull()))
                .start(graph())
                .await();
        return made;
    }

    @Test
    void shouldBeToldWhichClassRunsWhichOperator() throws Exception {
        Map<String, String> made = made(RunSettings.defaults().withParallelism(2));

        assertThat(made.values()).containsOnly("source", "first", "second", "once", "end");
        assertThat(made).allSatisfy((type, operator) -> assertThat(type).contains("/0x"));
        assertThat(made).anySatisfy((type, operator) -> {
            assertThat(type).startsWith("io.thalweg.engine.chain.Simple$Map/");
            assertThat(operator).isEqualTo("second");
        });
    }

    @Test
    void shouldHearNothingWithoutCopies() throws Exception {
        assertThat(made(RunSettings.defaults().withSpecialise(false))).isEmpty();
    }
}
