// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.stats.PlanInfo;
import io.thalweg.api.topology.Topology;
import io.thalweg.doctor.tune.Setting;
import io.thalweg.run.RunSettings;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class FlinkRunnerProviderTest {
    private final FlinkRunnerProvider provider = new FlinkRunnerProvider();

    private List<PlanInfo.Edge> edges(String... options) {
        Topology topology = Topology.named("Doubles");
        topology.from(Sources.of(1, 2)).map(i -> 2 * i).to(Sinks.print());
        TopologyGraph graph = topology.graph();
        return provider.runner(RunSettings.defaults(), null, Map.of("--flink-conf", List.of(options)), List.of())
                .plan(graph)
                .edges();
    }

    @Test
    void shouldGiveFlinkItsOptions() {
        assertThat(edges()).isNotEmpty().allMatch(PlanInfo.Edge::fused);
        assertThat(edges("pipeline.operator-chaining.enabled=true", "pipeline.operator-chaining.enabled=false"))
                .noneMatch(PlanInfo.Edge::fused);
        assertThatThrownBy(() -> edges("pipeline.operator-chaining.enabled"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--flink-conf takes KEY=VALUE, not pipeline.operator-chaining.enabled");
    }

    @Test
    void shouldNameOnlySettingsThatThereAre() {
        List<String> known = Stream.of(Setting.values()).map(Setting::word).toList();

        assertThat(provider.road().tunes()).isNotEmpty().isSubsetOf(known);
    }
}
